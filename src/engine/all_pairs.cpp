#include "engine/all_pairs.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "alnus/error.h"
#include "core/pair_value.h"
#include "core/pieces.h"
#include "core/strands.h"
#include "engine/adjusted_scores.h"
#include "engine/identity_range.h"
#include "engine/mirrored.h"
#include "engine/nearest_pairs.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/ranks.h"
#include "engine/scheduler.h"
#include "engine/significance.h"
#include "engine/strand_scores.h"
#include "engine/stripe_builder.h"
#include "engine/stripe_regions.h"
#include "stats/evalue.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

class StripeMaker {
 public:
  StripeMaker(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
              StripeState state, Call& call)
      : pairs_(pairs),
        scoring_(scoring),
        options_(options),
        found_by_(options_to_find(options)),
        call_(call),
        state_(state),
        regions_(pairs, scoring, found_by_, call),
        self_scores_(options.has_score_distances() ? regions_.self_scores(state.next_row) : SelfScores{}),
        statistics_(make_statistics()),
        lowest_(lowest_scores()),
        adjusts_(options.statistics.adjusts() && (options.fields.significance || options.filter.evalue)) {}

  bool done() const { return state_.next_row == pairs_.block().rows.end; }
  const StripeState& state() const { return state_; }

  Stripe next() {
    IndexRange rows{state_.next_row, next_end()};
    for (;;) {
      try {
        RawStripe raw = make(rows);
        const auto collected = static_cast<double>(std::max(raw.listed.size(), raw.sparse.size()));
        const std::vector<double> adjusted = adjust(raw);
        Stripe stripe{columns_of(raw.listed, adjusted),
                      std::move(raw.values),
                      std::move(raw.sparse),
                      rows,
                      raw.pairs,
                      raw.empty};
        state_.next_row = rows.end;
        if (stripe.pairs > 0) state_.left = collected / static_cast<double>(stripe.pairs);
        return stripe;
      } catch (const StripeTooLarge&) {
        rows.end = rows.begin + rows.size() / 2;
      }
    }
  }

 private:
  const StopFlag& stop() const { return call_.progress.stop; }

  // The options by which pairs are found: the nearest are found first, and their rows made of them alone.
  static AllPairsOptions options_to_find(AllPairsOptions options) {
    if (!options.nearest) return options;
    const bool aligned = options.filter.needs_alignments() || !is_of_scores(options.nearest->value.kind);
    options.fields = {.detail = aligned ? Detail::alignment : Detail::score,
                      .cigars = false,
                      .strands = options.fields.strands};
    return options;
  }

  // A stripe's values and its lists should take no more than this; lists may take twice what was expected.
  // There are two stripes at a time, and the parts of one and the shuffles for it beside them; half of the
  // memory is for tiles.
  std::uint64_t most_bytes() const {
    constexpr std::uint64_t kParts = 8;
    const std::uint64_t of_shuffles =
        options_.fields.significance ? significance_bytes(options_.statistics, options_.memory_bytes) : 0;
    return (all_pairs_bytes(options_) - of_shuffles) / kParts;
  }

  Index next_end() const {
    const double expected = std::clamp(2 * state_.left, 0.01, 1.0);
    const bool all_collected = !options_.nearest || options_.filters_adjusted();
    const double sparse = options_.cutoff && all_collected ? expected : 0;
    const double listed = !options_.collects() || !all_collected       ? 0
                          : options_.listed && options_.filter.empty() ? 1
                                                                       : expected;
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
      bytes += pairs *
               (static_cast<double>(options_.values.size() * sizeof(double)) + sparse * kBytesOfSparseValue +
                (fields.strands == Strands::both ? kBytesOfStrandScore : 0) +
                listed * (kBytesOfListedPair + runs * sizeof(CigarRun) + ranges));
      if (options_.nearest) {
        const std::uint32_t count = options_.nearest->count;
        bytes += static_cast<double>(NearestPairs::bytes_of_row(count, pairs_.columns_of(end).size())) +
                 std::min<double>(count, pairs) *
                     (kBytesOfSparseValue + kBytesOfListedPair + runs * sizeof(CigarRun) + ranges);
      }
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
      if (options_.statistics.composition == Composition::scale) of_length.clear();
      const auto [known, is_new] = of_length.try_emplace(pairs_.rows().length(i));
      if (is_new)
        known->second = statistics_[i]->lowest_score(
            candidate_evalue(options_.statistics, scoring_, *options_.filter.evalue), shortest,
            pairs_.columns().longest());
      lowest[i] = std::max(lowest[i], known->second);
    }
    return lowest;
  }

  std::vector<stats::ScoreJudgePtr> make_statistics() const {
    const StatisticsOptions& wanted = options_.statistics;
    if (!wanted.by_parameters_now()) return std::vector<stats::ScoreJudgePtr>(pairs_.rows().size());
    return stats::judges_of(pairs_.rows(), wanted.model(wanted.method), scoring_, stop());
  }

  // The adjusted scores of the listed pairs, if there are such, after those with too large E-values have
  // gone.
  std::vector<double> adjust(RawStripe& raw) {
    if (!adjusts_) return {};
    const ExtraWork besides(call_.progress);
    const bool filters = options_.filters_adjusted();
    const double limit = filters ? *options_.filter.evalue : std::numeric_limits<double>::infinity();
    const auto judge_of = [&](const ListedPair& pair) {
      return pairs_.columns().length(pair.j) > 0 ? statistics_[pair.i].get() : nullptr;
    };
    std::vector<std::optional<double>> found(raw.listed.size());
    by_strand(raw.listed, [&](const SequenceSet& rows, const SequenceSet& columns,
                              const std::vector<std::size_t>& numbers) {
      std::vector<AdjustedScores::Candidate> candidates;
      for (const std::size_t k : numbers) {
        const ListedPair& pair = raw.listed[k];
        candidates.push_back({{pair.i, pair.j}, pair.aligned.score, filters ? judge_of(pair) : nullptr});
      }
      const std::vector<std::optional<double>> of_strand =
          AdjustedScores(rows, columns, scoring_, options_.statistics).of(candidates, limit, call_);
      for (std::size_t n = 0; n < numbers.size(); ++n) found[numbers[n]] = of_strand[n];
    });
    std::vector<double> adjusted;
    std::vector<std::pair<Index, Index>> dropped;  // rows and columns
    std::size_t kept = 0;
    for (std::size_t k = 0; k < raw.listed.size(); ++k) {
      const ListedPair& pair = raw.listed[k];
      const stats::ScoreJudge* judge = filters ? judge_of(pair) : nullptr;
      const std::size_t length = pairs_.columns().length(pair.j);
      if (!found[k] || (judge != nullptr && judge->of(*found[k], length).evalue > limit)) {
        if (options_.cutoff)
          dropped.push_back(pairs_.is_half() ? std::pair(pair.j, pair.i) : std::pair(pair.i, pair.j));
      } else if (options_.listed || options_.nearest || !filters) {
        adjusted.push_back(*found[k]);
        raw.listed[kept++] = pair;
      }
    }
    raw.listed.resize(kept);
    drop(dropped, raw.sparse);
    return adjusted;
  }

  // Takes the pairs in these places away. Both are by row, then column.
  static void drop(std::span<const std::pair<Index, Index>> places, std::vector<SparseValue>& values) {
    std::size_t next = 0, kept = 0;
    for (const SparseValue& value : values) {
      const std::pair place(value.row, value.column);
      while (next < places.size() && places[next] < place) ++next;
      if (next == places.size() || places[next] != place) values[kept++] = value;
    }
    values.resize(kept);
  }

  Columns columns_of(std::span<const ListedPair> listed, std::span<const double> adjusted) {
    ColumnsBuilder builder(options_.fields);
    builder.reserve(listed.size());
    for (const ListedPair& pair : listed) builder.add({pair.i, pair.j}, pair.aligned, pair.strand);
    const ExtraWork besides(call_.progress);
    add_significance(listed, adjusted, builder);
    add_ranges(listed, builder);
    return builder.finish();
  }

  // Calls take(rows, columns, numbers) for the listed pairs with these numbers, which were aligned as
  // sequences of these sets: as given, or on the minus strand one of the two as its reverse complement.
  template <class Take>
  void by_strand(std::span<const ListedPair> listed, const Take& take) const {
    const auto numbers_of = [&](Strand strand, bool mirrored) {
      std::vector<std::size_t> numbers;
      for (std::size_t k = 0; k < listed.size(); ++k)
        if (listed[k].strand == strand && (strand == Strand::plus || listed[k].mirrored == mirrored))
          numbers.push_back(k);
      return numbers;
    };
    take(pairs_.rows(), pairs_.columns(), numbers_of(Strand::plus, false));
    if (const auto turned = numbers_of(Strand::minus, false); !turned.empty())
      take(reverse_complement(pairs_.rows(), stop()), pairs_.columns(), turned);
    if (const auto turned = numbers_of(Strand::minus, true); !turned.empty())
      take(pairs_.rows(), reverse_complement(pairs_.columns(), stop()), turned);
  }

  void add_significance(std::span<const ListedPair> listed, std::span<const double> adjusted,
                        ColumnsBuilder& builder) {
    if (!options_.fields.significance) return;
    if (options_.statistics.method == StatisticsMethod::zvalue) {
      std::vector<Significance> found(listed.size());
      by_strand(listed, [&](const SequenceSet& rows, const SequenceSet& columns,
                            const std::vector<std::size_t>& numbers) {
        std::vector<IndexPair> pairs;
        std::vector<std::int32_t> scores;
        for (const std::size_t k : numbers) {
          pairs.push_back({listed[k].i, listed[k].j});
          scores.push_back(listed[k].aligned.score);
        }
        const std::vector<Significance> shuffled =
            shuffled_significance(rows, columns, pairs, scores, scoring_, options_.statistics, call_);
        for (std::size_t n = 0; n < numbers.size(); ++n) found[numbers[n]] = shuffled[n];
      });
      for (const Significance& one : found) builder.add(one);
      return;
    }
    for (std::size_t k = 0; k < listed.size(); ++k) {
      const ListedPair& pair = listed[k];
      const std::size_t length = pairs_.columns().length(pair.j);
      Significance found;
      if (statistics_[pair.i] && length > 0) {
        found = statistics_[pair.i]->of(adjusts_ ? adjusted[k] : pair.aligned.score, length);
        if (adjusts_) found.adjusted_score = adjusted[k] / scoring_.scale;
      }
      builder.add(found);
    }
  }

  void add_ranges(std::span<const ListedPair> listed, ColumnsBuilder& builder) {
    const std::vector<Denominator>& wanted = options_.fields.identity_ranges;
    if (wanted.empty()) return;
    std::vector<std::vector<IdentityRange>> found(wanted.size(), std::vector<IdentityRange>(listed.size()));
    by_strand(listed, [&](const SequenceSet& rows, const SequenceSet& columns,
                          const std::vector<std::size_t>& numbers) {
      const auto sorted_rows = std::make_shared<const SortedSequences>(rows, stop());
      const auto sorted_columns = same_sequences(rows, columns)
                                      ? sorted_rows
                                      : std::make_shared<const SortedSequences>(columns, stop());
      Scheduler scheduler(call_, sorted_rows, sorted_columns, {scoring_, Detail::score});
      const std::vector<Position> row_positions = positions_of(*sorted_rows, stop()),
                                  column_positions = positions_of(*sorted_columns, stop());
      std::vector<PositionPair> placed;
      std::vector<std::int32_t> scores;
      for (const std::size_t k : numbers) {
        placed.push_back({row_positions[listed[k].i], column_positions[listed[k].j]});
        scores.push_back(listed[k].aligned.score);
      }
      for (std::size_t d = 0; d < wanted.size(); ++d) {
        const std::vector<IdentityRange> ranges =
            identity_ranges(scheduler, placed, scores, scoring_, wanted[d]);
        for (std::size_t n = 0; n < numbers.size(); ++n) found[d][numbers[n]] = ranges[n];
      }
    });
    for (std::size_t d = 0; d < wanted.size(); ++d)
      for (const IdentityRange& range : found[d]) builder.add(wanted[d], range);
  }

  RawStripe make(IndexRange rows) {
    StripeBuilder builder(pairs_, scoring_, found_by_, rows, lowest_, statistics_, self_scores_,
                          2 * most_bytes());
    regions_.fill(rows, builder);
    return options_.nearest ? of_nearest(builder.finish(), rows) : builder.finish();
  }

  // What is wanted of the nearest pairs, which are listed.
  RawStripe of_nearest(RawStripe found, IndexRange rows) {
    if (options_.filters_adjusted()) {
      adjust(found);
      found.listed = nearest_of(found.listed, rows);
    }
    RawStripe stripe;
    stripe.pairs = found.pairs;
    for (const ListedPair& pair : found.listed) add_sparse(pair, stripe.sparse);
    std::ranges::sort(stripe.sparse, {},
                      [](const SparseValue& one) { return std::pair(one.row, one.column); });
    if (!options_.listed) return stripe;
    if (options_.fields.detail == Detail::score)
      stripe.listed = std::move(found.listed);
    else
      align(found.listed, rows, stripe);
    return stripe;
  }

  std::int32_t self_score(const ListedPair& pair) const {
    return options_.has_score_distances() ? self_scores_.lower(pair.i, pair.j) : 0;
  }

  std::vector<ListedPair> nearest_of(std::span<const ListedPair> pairs, IndexRange rows) const {
    NearestPairs nearest(rows, options_.nearest->count);
    for (const ListedPair& pair : pairs) {
      const NearPair near{
          nearness(options_.nearest->value, scoring_, pair.aligned.score, self_score(pair),
                   pair.aligned.counts, pairs_.rows().length(pair.i), pairs_.columns().length(pair.j)),
          pair};
      nearest.take({&near, 1});
    }
    return nearest.finish();
  }

  void add_sparse(const ListedPair& pair, std::vector<SparseValue>& sparse) const {
    if (!options_.cutoff) return;
    const auto& [kind, threshold] = *options_.cutoff;
    const double value = value_of(kind, scoring_, pair.aligned.score, self_score(pair), pair.aligned.counts,
                                  pairs_.rows().length(pair.i), pairs_.columns().length(pair.j));
    if (passes(kind.kind, value, threshold)) sparse.push_back({pair.i, pair.j, value});
  }

  // Aligns these pairs, by row, as rows of the stripe in their order.
  void align(std::span<const ListedPair> pairs, IndexRange rows, RawStripe& stripe) {
    AllPairsOptions all = options_;
    all.filter = {};
    all.cutoff.reset();
    all.nearest.reset();
    StripeBuilder builder(pairs_, scoring_, all, rows, lowest_, statistics_, self_scores_, UINT64_MAX);
    const ExtraWork again(call_.progress);
    regions_.align(rows, pairs, options_.fields, builder);
    RawStripe aligned = builder.finish();
    std::vector<std::size_t> by_column(pairs.size());  // the builder's order
    std::iota(by_column.begin(), by_column.end(), 0);
    std::ranges::sort(by_column, {}, [&](std::size_t k) { return std::pair(pairs[k].i, pairs[k].j); });
    stripe.listed.resize(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) stripe.listed[by_column[k]] = aligned.listed[k];
    stripe.runs = std::move(aligned.runs);
  }

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const AllPairsOptions& options_;
  const AllPairsOptions found_by_;
  Call& call_;
  StripeState state_;
  StripeRegions regions_;
  const SelfScores self_scores_;
  const std::vector<stats::ScoreJudgePtr> statistics_;  // by i; null: none
  const std::vector<std::int32_t> lowest_;              // score of a listed pair, by i
  const bool adjusts_;                                  // true if E-values are of adjusted scores
};

}  // namespace

double value_of(const MatrixValue& value, const Scoring& scoring, std::int32_t score, std::int32_t self_score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length) {
  if (is_of_scores(value.kind)) return value_of_score(value.kind, scoring, score, self_score);
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
                   const std::optional<Block>& block, Rows of_one_set)
    : rows_(set),
      columns_(against ? *against : set),
      one_set_(!against),
      self_(self),
      of_one_set_(of_one_set) {
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
  if (!is_half()) return all;
  return {all.begin, std::clamp(self_ ? row + 1 : row, all.begin, all.end)};
}

std::uint64_t AllPairs::pairs_of(Index row) const {
  const IndexRange columns = columns_of(row);
  const bool among_them = row >= columns.begin && row < columns.end;
  return columns.size() - (among_them && !has(row, row) ? 1 : 0);
}

std::uint64_t AllPairs::pairs_from(Index row) const {
  std::uint64_t pairs = 0;
  for (row = std::max(row, block_.rows.begin); row < block_.rows.end; ++row) pairs += pairs_of(row);
  return pairs;
}

std::uint64_t AllPairs::cells_from(Index row) const {
  const std::span<const std::uint64_t> offsets = columns_.arrays().offsets;
  std::uint64_t cells = 0;
  for (row = std::max(row, block_.rows.begin); row < block_.rows.end; ++row) {
    const IndexRange columns = columns_of(row);
    if (columns.size() == 0) continue;
    cells += rows_.length(row) * (offsets[columns.end] - offsets[columns.begin]);
    if (pairs_of(row) < columns.size()) cells -= rows_.length(row) * rows_.length(row);
  }
  return cells;
}

std::uint64_t all_pairs_bytes(const AllPairsOptions& options) {
  return options.memory_bytes / 2;  // two stripes, the parts of one, what becomes columns, and shuffles
}

namespace {

// What devices compute from a row on: a sequence with itself, too, where it is among the columns of its row
// but no pair.
struct Computed {
  std::uint64_t cells = 0, pairs = 0;
};
Computed computed_from(const AllPairs& pairs, Index first_row) {
  Computed computed{pairs.cells_from(first_row), pairs.pairs_from(first_row)};
  for (Index row = first_row; row < pairs.block().rows.end; ++row) {
    if (pairs.pairs_of(row) == pairs.columns_of(row).size()) continue;
    const std::uint64_t length = pairs.rows().length(row);
    computed.cells += length * length;
    ++computed.pairs;
  }
  return computed;
}

}  // namespace

void all_pairs(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
               StripeState state, Call& call, const EmitStripe& emit) {
  Progress& progress = call.progress;
  state.next_row = std::max(state.next_row, pairs.block().rows.begin);
  const PlannedProgress planned(progress);
  const std::uint64_t strands = strands_of_each(options.fields.strands);
  const Computed computed = computed_from(pairs, state.next_row);
  progress.expect(strands * computed.cells, strands * computed.pairs);
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
