#include "engine/all_pairs.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "alnus/error.h"
#include "core/pieces.h"
#include "engine/identity_range.h"
#include "engine/mirrored.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/ranks.h"
#include "engine/scheduler.h"
#include "engine/significance.h"
#include "engine/stripe_builder.h"
#include "stats/evalue.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

// Consecutive sequences of a set, sorted by rank.
struct RankedSequences {
  std::shared_ptr<const SortedSequences> sorted;
  std::span<const Rank> ranks;  // by index in the part
  Index first = 0;              // the part's first sequence in the set

  // `all_ranks`: those of the whole set.
  RankedSequences(const SequenceSet& set, IndexRange part, std::span<const Rank> all_ranks, const Call& call)
      : ranks(all_ranks.subspan(part.begin, part.size())), first(part.begin), call_(call) {
    sorted = std::make_shared<const SortedSequences>(set.part(part.begin, part.end), ranks, stop());
  }
  // No other call can have these very sequences: devices need not keep them.
  ~RankedSequences() {
    for (Device* device : call_.devices) device->unload(*sorted);
  }
  RankedSequences(const RankedSequences&) = delete;
  RankedSequences& operator=(const RankedSequences&) = delete;

  Rank rank(Position position) const { return ranks[sorted->index(position)]; }
  const StopFlag& stop() const { return call_.progress.stop; }

 private:
  const Call& call_;
};

// The first column of each row that comes after the row by rank; or with it, if that is `self`.
std::vector<Position> steps_between(const RankedSequences& rows, const RankedSequences& columns, bool self) {
  std::vector<Position> steps;
  steps.reserve(rows.sorted->size());
  Position column = columns.sorted->begin();
  for (Position row = rows.sorted->begin(); row < rows.sorted->end(); ++row) {
    throw_if_requested(rows.stop());
    const Rank of_row = rows.rank(row);
    while (column < columns.sorted->end() &&
           (self ? columns.rank(column) < of_row : columns.rank(column) <= of_row)) {
      throw_if_requested(rows.stop());
      ++column;
    }
    steps.push_back(column);
  }
  return steps;
}

class StripeMaker {
 public:
  StripeMaker(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
              StripeState state, Call& call)
      : pairs_(pairs),
        scoring_(scoring),
        mirrored_(mirrored(scoring)),
        symmetric_(symmetric(scoring)),
        options_(options),
        call_(call),
        state_(state),
        ranks_(ranks_of(pairs.rows(), pairs.one_set() ? nullptr : &pairs.columns(), stop())),
        statistics_(make_statistics()),
        lowest_(lowest_scores()) {
    if (!pairs.one_set())
      against_.emplace(pairs.columns(), pairs.block().columns, std::span(ranks_).subspan(pairs.rows().size()),
                       call);
  }

  bool done() const { return state_.next_row == pairs_.block().rows.end; }
  const StripeState& state() const { return state_; }

  Stripe next() {
    IndexRange rows{state_.next_row, next_end()};
    for (;;) {
      try {
        RawStripe raw = make(rows);
        Stripe stripe{columns_of(raw.listed), std::move(raw.values), rows, raw.pairs, raw.empty};
        state_.next_row = rows.end;
        if (stripe.pairs > 0)
          state_.left = static_cast<double>(stripe.listed.size()) / static_cast<double>(stripe.pairs);
        return stripe;
      } catch (const StripeTooLarge&) {
        rows.end = rows.begin + rows.size() / 2;
      }
    }
  }

 private:
  const StopFlag& stop() const { return call_.progress.stop; }

  // Of a stripe's values, and of its list, which may take twice what was expected. There are two stripes at a
  // time, and the parts of one and the shuffles for it beside them; half of the memory is for tiles.
  std::uint64_t most_bytes() const {
    constexpr std::uint64_t kParts = 8;
    const std::uint64_t of_shuffles =
        options_.fields.significance ? significance_bytes(options_.statistics, options_.memory_bytes) : 0;
    return (all_pairs_bytes(options_) - of_shuffles) / kParts;
  }

  Index next_end() const {
    const double listed = !options_.listed          ? 0
                          : options_.filter.empty() ? 1
                                                    : std::clamp(2 * state_.left, 0.01, 1.0);
    const RowFields& fields = options_.fields;
    const auto ranges = static_cast<double>(range_bytes(fields.identity_ranges));
    const SequenceSet& rows = pairs_.rows();
    const double columns_length =
        pairs_.columns().empty()
            ? 0
            : static_cast<double>(pairs_.columns().total_residues()) / pairs_.columns().size();
    double cells = 0, bytes = 0;
    Index end = state_.next_row;
    for (; end < pairs_.block().rows.end; ++end) {
      const auto length = static_cast<double>(rows.length(end));
      const double pairs = pairs_.columns_of(end).size();
      cells += length * pairs * columns_length;
      const double runs =
          fields.cigars && fields.detail == Detail::alignment ? 2 * std::min(length, columns_length) : 0;
      bytes += pairs * ((options_.value ? sizeof(double) : 0) +
                        listed * (kBytesOfListedPair + runs * sizeof(CigarRun) + ranges));
      if (end > state_.next_row &&
          (cells > options_.stripe_cells || bytes > static_cast<double>(most_bytes())))
        break;
    }
    return end;
  }

  std::vector<std::int32_t> lowest_scores() const {
    std::vector<std::int32_t> lowest(
        pairs_.rows().size(), options_.filter.min_score.value_or(std::numeric_limits<std::int32_t>::min()));
    if (!options_.filter.evalue || pairs_.columns().empty()) return lowest;
    std::uint64_t shortest = UINT64_MAX;
    for (Index j = 0; j < pairs_.columns().size(); ++j)
      shortest = std::min<std::uint64_t>(shortest, pairs_.columns().length(j));
    std::map<std::size_t, std::int32_t> of_length;  // which only a query's composition tells apart
    for (Index i = 0; i < lowest.size(); ++i) {
      throw_if_requested(stop());
      if (!statistics_[i]) continue;
      if (options_.statistics.composition) of_length.clear();
      const auto [known, is_new] = of_length.try_emplace(pairs_.rows().length(i));
      if (is_new)
        known->second =
            statistics_[i]->lowest_score(*options_.filter.evalue, shortest, pairs_.columns().longest());
      lowest[i] = std::max(lowest[i], known->second);
    }
    return lowest;
  }

  std::vector<stats::ScoreJudgePtr> make_statistics() const {
    const StatisticsOptions& wanted = options_.statistics;
    if (!wanted.by_parameters_now()) return std::vector<stats::ScoreJudgePtr>(pairs_.rows().size());
    return stats::judges_of(pairs_.rows(), wanted.model(wanted.method), scoring_, stop());
  }

  Columns columns_of(std::span<const ListedPair> listed) {
    ColumnsBuilder builder(options_.fields);
    builder.reserve(listed.size());
    for (const ListedPair& pair : listed) builder.add({pair.i, pair.j}, pair.aligned);
    const ExtraWork besides(call_.progress);
    add_significance(listed, builder);
    add_ranges(listed, builder);
    return builder.finish();
  }

  void add_significance(std::span<const ListedPair> listed, ColumnsBuilder& builder) {
    if (!options_.fields.significance) return;
    if (options_.statistics.method == StatisticsMethod::zvalue) {
      std::vector<IndexPair> pairs;
      std::vector<std::int32_t> scores;
      for (const ListedPair& pair : listed) {
        pairs.push_back({pair.i, pair.j});
        scores.push_back(pair.aligned.score);
      }
      for (const Significance& found : shuffled_significance(pairs_.rows(), pairs_.columns(), pairs, scores,
                                                             scoring_, options_.statistics, call_))
        builder.add(found);
      return;
    }
    for (const ListedPair& pair : listed) {
      const std::size_t length = pairs_.columns().length(pair.j);
      builder.add(statistics_[pair.i] && length > 0 ? statistics_[pair.i]->of(pair.aligned.score, length)
                                                    : Significance{});
    }
  }

  void add_ranges(std::span<const ListedPair> listed, ColumnsBuilder& builder) {
    if (options_.fields.identity_ranges.empty()) return;
    const auto sorted_rows = std::make_shared<const SortedSequences>(pairs_.rows(), stop());
    const auto sorted_columns =
        pairs_.one_set() ? sorted_rows : std::make_shared<const SortedSequences>(pairs_.columns(), stop());
    Scheduler scheduler(call_, sorted_rows, sorted_columns, {scoring_, Detail::score});
    const std::vector<Position> rows = positions_of(*sorted_rows, stop()),
                                columns = positions_of(*sorted_columns, stop());
    std::vector<PositionPair> placed;
    std::vector<std::int32_t> scores;
    for (const ListedPair& pair : listed) {
      placed.push_back({rows[pair.i], columns[pair.j]});
      scores.push_back(pair.aligned.score);
    }
    for (const Denominator denominator : options_.fields.identity_ranges)
      for (const IdentityRange& range : identity_ranges(scheduler, placed, scores, scoring_, denominator))
        builder.add(denominator, range);
  }

  RawStripe make(IndexRange rows) {
    StripeBuilder builder(pairs_, scoring_, options_, rows, lowest_, statistics_, 2 * most_bytes());
    const RankedSequences part(pairs_.rows(), rows, ranks_, call_);
    if (pairs_.one_set())
      one_set(rows, part, builder);
    else
      between(part, *against_, builder);
    return builder.finish();
  }

  // The rows with the columns before them, and among themselves; in a block, with those that are its columns.
  void one_set(IndexRange rows, const RankedSequences& part, StripeBuilder& builder) {
    const IndexRange columns = pairs_.block().columns;
    const IndexRange before{columns.begin, std::clamp(rows.begin, columns.begin, columns.end)};
    const IndexRange both{std::clamp(columns.begin, rows.begin, rows.end),
                          std::clamp(columns.end, rows.begin, rows.end)};
    if (both == rows) {
      inner(part, builder);
    } else if (both.size() > 0) {
      const RankedSequences columns_among(pairs_.rows(), both, ranks_, call_);
      inner(columns_among, builder);
      between(columns_among, RankedSequences(pairs_.rows(), {both.end, rows.end}, ranks_, call_), builder);
    }
    between(RankedSequences(pairs_.rows(), before, ranks_, call_), part, builder);
  }

  void inner(const RankedSequences& part, StripeBuilder& builder) {
    const std::vector<Position> steps = steps_between(part, part, pairs_.self());
    const auto run = [&](const Scoring& scoring, std::optional<bool> only_mirrored) {
      const Problem problem{scoring, options_.fields.detail, false, options_.fields.cigars};
      Scheduler scheduler(call_, part.sorted, part.sorted, problem);
      StripeSink sink(builder, *part.sorted, {part.first, part.first, Origin::Query::either}, only_mirrored,
                      call_.threads);
      scheduler.run({.shape = TileShape::staircase, .first_columns = steps}, problem, sink);
    };
    if (symmetric_) return run(scoring_, std::nullopt);
    run(scoring_, false);
    run(mirrored_, true);
  }

  // Each pair with the longer as the query: all of the first part are i, of the second j.
  void between(const RankedSequences& is, const RankedSequences& js, StripeBuilder& builder) {
    if (is.ranks.empty() || js.ranks.empty()) return;
    const auto run = [&](const RankedSequences& queries, const RankedSequences& subjects, Origin::Query query,
                         const Scoring& scoring) {
      const Problem problem{scoring, options_.fields.detail, false, options_.fields.cigars};
      Scheduler scheduler(call_, queries.sorted, subjects.sorted, problem);
      const std::vector<Position> steps = steps_between(queries, subjects, false);
      StripeSink sink(builder, *queries.sorted, {queries.first, subjects.first, query}, std::nullopt,
                      call_.threads);
      scheduler.run({.shape = TileShape::staircase, .first_columns = steps}, problem, sink);
    };
    run(is, js, Origin::Query::i, scoring_);
    run(js, is, Origin::Query::j, mirrored_);
  }

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const Scoring mirrored_;
  const bool symmetric_;
  const AllPairsOptions& options_;
  Call& call_;
  StripeState state_;
  const std::vector<Rank> ranks_;
  std::optional<RankedSequences> against_;              // all columns, if they are another set
  const std::vector<stats::ScoreJudgePtr> statistics_;  // by i; null: none
  const std::vector<std::int32_t> lowest_;              // score of a listed pair, by i
};

}  // namespace

double value_of(const MatrixValue& value, const Scoring& scoring, std::int32_t score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length) {
  if (value.kind == PairValue::score) return static_cast<double>(score) / scoring.scale;
  const Fraction identity = identity_of(counts, length, other_length, value.denominator);
  const auto whole = static_cast<double>(identity.denominator);
  return value.kind == PairValue::identity
             ? 100 * static_cast<double>(identity.numerator) / whole
             : static_cast<double>(identity.denominator - identity.numerator) / whole;
}

double stripe_cells(double gcups) {
  constexpr double kSeconds = 2;
  return kSeconds * gcups * 1e9;
}

AllPairs::AllPairs(const SequenceSet& set, const SequenceSet* against, bool self,
                   const std::optional<Block>& block)
    : rows_(set), columns_(against ? *against : set), one_set_(!against), self_(self) {
  const Block whole{{0, rows_.size()}, {0, columns_.size()}};
  block_ = block.value_or(whole);
  const auto leaves = [](IndexRange range, IndexRange all) {
    return range.begin > range.end || range.end > all.end;
  };
  if (leaves(block_.rows, whole.rows) || leaves(block_.columns, whole.columns))
    throw Error(
        ErrorKind::input,
        fmt::format("A block of rows {} to {} and columns {} to {} does not lie in a pair matrix of {} "
                    "rows and {} columns.",
                    block_.rows.begin, block_.rows.end, block_.columns.begin, block_.columns.end,
                    rows_.size(), columns_.size()));
  whole_ = block_ == whole;
}

IndexRange AllPairs::columns_of(Index row) const {
  const IndexRange all = block_.columns;
  if (!one_set_) return all;
  return {all.begin, std::clamp(self_ ? row + 1 : row, all.begin, all.end)};
}

std::uint64_t AllPairs::pairs_from(Index row) const {
  std::uint64_t pairs = 0;
  for (row = std::max(row, block_.rows.begin); row < block_.rows.end; ++row) pairs += columns_of(row).size();
  return pairs;
}

std::uint64_t AllPairs::cells_from(Index row) const {
  const std::span<const std::uint64_t> offsets = columns_.arrays().offsets;
  std::uint64_t cells = 0;
  for (row = std::max(row, block_.rows.begin); row < block_.rows.end; ++row) {
    const IndexRange columns = columns_of(row);
    if (columns.size() > 0) cells += rows_.length(row) * (offsets[columns.end] - offsets[columns.begin]);
  }
  return cells;
}

std::uint64_t all_pairs_bytes(const AllPairsOptions& options) {
  return options.memory_bytes / 2;  // two stripes, the parts of one, what becomes columns, and shuffles
}

void all_pairs(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
               StripeState state, Call& call, const EmitStripe& emit) {
  Progress& progress = call.progress;
  state.next_row = std::max(state.next_row, pairs.block().rows.begin);
  const PlannedProgress planned(progress);
  progress.expect(pairs.cells_from(state.next_row), pairs.pairs_from(state.next_row));
  StripeMaker maker(pairs, scoring, options, state, call);
  make_and_use(
      call, [&] { return maker.done(); },
      [&] {
        Stripe stripe = maker.next();
        return std::pair(std::move(stripe), maker.state());
      },
      [&](const std::pair<Stripe, StripeState>& made) { emit(made.first, made.second); });
}

}  // namespace alnus::engine
