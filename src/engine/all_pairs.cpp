#include "engine/all_pairs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "engine/identity_range.h"
#include "engine/mirrored.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/significance.h"
#include "engine/stripe_builder.h"
#include "stats/evalue.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

// The order in which two sequences are query and subject.
std::vector<Index> ranks_of(const SequenceSet& rows, const SequenceSet& columns, bool one_set) {
  const auto residues = [&](Index k) {
    return k < rows.size() ? rows.residues(k) : columns.residues(k - rows.size());
  };
  const auto before = [&](Index a, Index b) {
    const auto of_a = residues(a), of_b = residues(b);
    if (of_a.size() != of_b.size()) return of_a.size() > of_b.size();
    const auto code = [](Residue residue) { return residue & kCodeMask; };
    const auto [at_a, at_b] = std::ranges::mismatch(of_a, of_b, {}, code, code);
    return at_a != of_a.end() ? code(*at_a) < code(*at_b) : a < b;
  };
  std::vector<Index> order(one_set ? rows.size() : rows.size() + columns.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), before);
  std::vector<Index> ranks(order.size());
  for (Index rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
  return ranks;
}

// Of each row, the first column that comes after it by rank; or with it, if that is `self`.
std::vector<std::uint32_t> steps_between(const Resident& rows, const Resident& columns, bool self) {
  const auto rank = [](const Resident& set, std::uint32_t position) {
    return set.sequences().file_order(set.index(position));
  };
  std::vector<std::uint32_t> steps(rows.size());
  std::uint32_t column = 0;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const Index of_row = rank(rows, row);
    while (column < columns.size() &&
           (self ? rank(columns, column) < of_row : rank(columns, column) <= of_row))
      ++column;
    steps[row] = column;
  }
  return steps;
}

class StripeMaker {
 public:
  StripeMaker(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
              StripeState state, std::span<Device* const> devices, Progress& progress)
      : pairs_(pairs),
        scoring_(scoring),
        mirrored_(mirrored(scoring)),
        symmetric_(symmetric(scoring)),
        options_(options),
        devices_(devices),
        progress_(progress),
        state_(state),
        ranks_(
            std::make_shared<std::vector<Index>>(ranks_of(pairs.rows(), pairs.columns(), pairs.one_set()))),
        statistics_(make_statistics()),
        lowest_(lowest_scores()) {}

  bool done() const { return state_.next_row == pairs_.rows().size(); }
  const StripeState& state() const { return state_; }

  Stripe next() {
    Range rows{state_.next_row, next_end()};
    for (;;) {
      try {
        Stripe stripe = make(rows);
        if (!options_.identity_ranges.empty()) find_ranges(stripe);
        find_significance(stripe);
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
  // Of a stripe's values, and of its list, which may take twice what was expected. There are two stripes at a
  // time, and the parts of one beside it; half of the memory is for tiles.
  std::uint64_t most_bytes() const { return options_.memory_bytes / 16; }

  Index next_end() const {
    const double listed = !options_.listed          ? 0
                          : options_.filter.empty() ? 1
                                                    : std::clamp(2 * state_.left, 0.01, 1.0);
    constexpr double kRangeBytes = 700;  // of a pair while its identity ranges are sought
    const double ranges = options_.identity_ranges.empty() ? 0 : kRangeBytes;
    const double significance =
        options_.statistics.method == stats::Method::none ? 0 : sizeof(stats::Significance);
    const SequenceSet& rows = pairs_.rows();
    const double columns_length =
        pairs_.columns().empty()
            ? 0
            : static_cast<double>(pairs_.columns().total_residues()) / pairs_.columns().size();
    double cells = 0, bytes = 0;
    Index end = state_.next_row;
    for (; end < rows.size(); ++end) {
      const auto length = static_cast<double>(rows.length(end));
      const double pairs = pairs_.columns_of(end);
      cells += length * pairs * columns_length;
      const double runs =
          options_.cigars && options_.detail == Detail::alignment ? std::min(length, columns_length) : 0;
      bytes += pairs * ((options_.value ? sizeof(double) : 0) +
                        listed * (sizeof(ListedPair) + significance + runs * sizeof(CigarRun) + ranges));
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

  std::vector<stats::QueryStatisticsPtr> make_statistics() const {
    const StatisticsOptions& wanted = options_.statistics;
    if (!wanted.by_parameters_now()) return std::vector<stats::QueryStatisticsPtr>(pairs_.rows().size());
    return stats::statistics_of(pairs_.rows(), wanted.model(wanted.method), scoring_);
  }

  void find_significance(Stripe& stripe) {
    if (options_.statistics.method == stats::Method::zvalue) {
      std::vector<PairIndex> pairs;
      std::vector<std::int32_t> scores;
      for (const ListedPair& pair : stripe.listed) {
        pairs.push_back({pair.i, pair.j});
        scores.push_back(pair.score);
      }
      stripe.significance = shuffled_significance(pairs_.rows(), pairs_.columns(), pairs, scores, scoring_,
                                                  options_.statistics, devices_, progress_);
    }
    if (!options_.statistics.by_parameters_now()) return;
    stripe.significance.reserve(stripe.listed.size());
    for (const ListedPair& pair : stripe.listed) {
      const std::size_t length = pairs_.columns().length(pair.j);
      stripe.significance.push_back(statistics_[pair.i] && length > 0
                                        ? statistics_[pair.i]->of(pair.score, length)
                                        : stats::Significance{});
    }
  }

  // The rows among themselves, where there is one set; and with the columns before them.
  Stripe make(Range rows) {
    StripeBuilder builder(pairs_, scoring_, options_, rows, lowest_, statistics_, 2 * most_bytes());
    const std::span<const Index> ranks(*ranks_);
    const SequenceSet row_set = pairs_.rows().part(rows.begin, rows.end, ranks, ranks_);
    if (pairs_.one_set()) {
      inner(row_set, rows.begin, builder);
      between(pairs_.rows().part(0, rows.begin, ranks, ranks_), 0, row_set, rows.begin, builder);
    } else {
      const SequenceSet columns =
          pairs_.columns().part(0, pairs_.columns().size(), ranks.subspan(pairs_.rows().size()), ranks_);
      between(row_set, rows.begin, columns, 0, builder);
    }
    return builder.finish();
  }

  void find_ranges(Stripe& stripe) {
    Scheduler scheduler(devices_, pairs_.rows(), pairs_.columns(), {scoring_, Detail::score}, progress_);
    const std::vector<std::uint32_t> rows = positions(scheduler.rows()),
                                     columns = positions(scheduler.columns());
    std::vector<PairIndex> placed;
    std::vector<std::int32_t> scores;
    for (const ListedPair& pair : stripe.listed) {
      placed.push_back({rows[pair.i], columns[pair.j]});
      scores.push_back(pair.score);
    }
    stripe.identity = identity_ranges(scheduler, placed, scores, scoring_, options_.identity_ranges);
  }

  void inner(const SequenceSet& set, Index first, StripeBuilder& builder) {
    const auto run = [&](const Scoring& scoring, std::optional<bool> only_mirrored) {
      const Problem problem{scoring, options_.detail, false, options_.cigars};
      Scheduler scheduler(devices_, set, set, problem, progress_);
      const std::vector<std::uint32_t> steps =
          steps_between(scheduler.rows(), scheduler.columns(), pairs_.self());
      StripeSink sink(builder, scheduler.rows(), {first, first, Origin::Query::either}, only_mirrored);
      scheduler.run({.shape = TileShape::staircase, .first_columns = steps}, problem, sink);
    };
    if (symmetric_) return run(scoring_, std::nullopt);
    run(scoring_, false);
    run(mirrored_, true);
  }

  // Each pair with the longer as the query: all of the first set are i, of the second j.
  void between(const SequenceSet& is, Index first_i, const SequenceSet& js, Index first_j,
               StripeBuilder& builder) {
    if (is.empty() || js.empty()) return;
    const auto run = [&](const SequenceSet& queries, const SequenceSet& subjects, Origin origin,
                         const Scoring& scoring) {
      const Problem problem{scoring, options_.detail, false, options_.cigars};
      Scheduler scheduler(devices_, queries, subjects, problem, progress_);
      const std::vector<std::uint32_t> steps = steps_between(scheduler.rows(), scheduler.columns(), false);
      StripeSink sink(builder, scheduler.rows(), origin, std::nullopt);
      scheduler.run({.shape = TileShape::staircase, .first_columns = steps}, problem, sink);
    };
    run(is, js, {first_i, first_j, Origin::Query::i}, scoring_);
    run(js, is, {first_j, first_i, Origin::Query::j}, mirrored_);
  }

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const Scoring mirrored_;
  const bool symmetric_;
  const AllPairsOptions& options_;
  const std::span<Device* const> devices_;
  Progress& progress_;
  StripeState state_;
  const std::shared_ptr<const std::vector<Index>> ranks_;
  const std::vector<stats::QueryStatisticsPtr> statistics_;  // by i; null: none
  const std::vector<std::int32_t> lowest_;                   // score of a listed pair, by i
};

}  // namespace

double MatrixValue::of(const Scoring& scoring, std::int32_t score, const AlignmentCounts& counts,
                       std::size_t length, std::size_t other_length) const {
  if (kind == io::PairValue::score) return static_cast<double>(score) / scoring.scale;
  const Fraction identity = identity_of(counts, length, other_length, denominator);
  const auto whole = static_cast<double>(identity.denominator);
  return kind == io::PairValue::identity
             ? 100 * static_cast<double>(identity.numerator) / whole
             : static_cast<double>(identity.denominator - identity.numerator) / whole;
}

double stripe_cells(std::span<Device* const> devices) {
  constexpr double kSeconds = 2;
  double gcups = 0;
  for (const Device* device : devices)
    if (!device->info().standby) gcups += device->info().gcups;
  return kSeconds * gcups * 1e9;
}

AllPairs::AllPairs(const SequenceSet& set, const SequenceSet* against, bool self)
    : rows_(set), columns_(against ? *against : set), one_set_(!against), self_(self) {}

Index AllPairs::columns_of(Index row) const {
  if (!one_set_) return columns_.size();
  return self_ ? row + 1 : row;
}

std::uint64_t AllPairs::pairs_from(Index row) const {
  std::uint64_t pairs = 0;
  for (; row < rows_.size(); ++row) pairs += columns_of(row);
  return pairs;
}

std::uint64_t AllPairs::cells_from(Index row) const {
  const std::span<const std::uint64_t> offsets = columns_.arrays().offsets;
  std::uint64_t cells = 0;
  for (; row < rows_.size(); ++row) cells += rows_.length(row) * (offsets[columns_of(row)] - offsets[0]);
  return cells;
}

void all_pairs(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
               StripeState state, std::span<Device* const> devices, Progress& progress,
               const EmitStripe& emit) {
  progress.planned = true;
  progress.cells_total = pairs.cells_from(state.next_row);
  progress.pairs_total = pairs.pairs_from(state.next_row);
  StripeMaker maker(pairs, scoring, options, state, devices, progress);
  make_and_use([&] { progress.stop = true; }, [&] { return maker.done(); },
               [&] {
                 Stripe stripe = maker.next();
                 return std::pair(std::move(stripe), maker.state());
               },
               [&](const std::pair<Stripe, StripeState>& made) { emit(made.first, made.second); });
}

}  // namespace alnus::engine
