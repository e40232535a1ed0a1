#include "engine/all_pairs.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "engine/identity_range.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
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

bool symmetric(const Scoring& scoring) {
  const FreeEnds& free = scoring.free_ends;
  return scoring.matrix.symmetric() && free.query_begin == free.subject_begin &&
         free.query_end == free.subject_end;
}

// With query and subject in each other's place.
Scoring mirrored(Scoring scoring) {
  scoring.matrix = scoring.matrix.transposed();
  std::swap(scoring.free_ends.query_begin, scoring.free_ends.subject_begin);
  std::swap(scoring.free_ends.query_end, scoring.free_ends.subject_end);
  return scoring;
}

CigarRun mirrored(CigarRun run) {
  if (run.op() == CigarOp::insertion) return {CigarOp::deletion, run.length()};
  if (run.op() == CigarOp::deletion) return {CigarOp::insertion, run.length()};
  return run;
}

// The results of a stripe take more memory than they may.
struct StripeTooLarge {};

// What a stripe has so far; filled from all threads.
class StripeBuilder {
 public:
  StripeBuilder(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options, Range rows,
                std::span<const std::int32_t> lowest, std::uint64_t most_bytes)
      : pairs_(pairs),
        scoring_(scoring),
        options_(options),
        lowest_(lowest),
        lowest_of_all_(*std::ranges::min_element(lowest)),
        most_bytes_(rows.size() > 1 ? most_bytes : UINT64_MAX) {
    stripe_.rows = rows;
    for (Index row = rows.begin; row < rows.end; ++row) stripe_.pairs += pairs.columns_of(row);
    stripe_.columns = pairs.one_set() ? rows.end : pairs.columns().size();
    if (options.value) stripe_.values.resize(rows.size() * stripe_.columns);
  }

  // The lowest score of interest of a sequence i, and of any.
  std::int32_t lowest(Index i) const {
    return options_.value ? std::numeric_limits<std::int32_t>::min() : lowest_[i];
  }
  std::int32_t lowest() const {
    return options_.value ? std::numeric_limits<std::int32_t>::min() : lowest_of_all_;
  }

  // Results of one tile: keep the pair that a result is of, which says whether it is the mirror image.
  class Part {
   public:
    explicit Part(StripeBuilder& builder)
        : builder_(builder), runs_(std::make_shared<std::vector<std::vector<CigarRun>>>()) {}
    void add(Index i, Index j, bool mirror, const PairResult& result) {
      ListedPair pair{i,
                      j,
                      result.score,
                      result.query_begin,
                      result.query_end,
                      result.subject_begin,
                      result.subject_end,
                      result.counts,
                      {}};
      if (mirror) {
        std::swap(pair.i_begin, pair.j_begin);
        std::swap(pair.i_end, pair.j_end);
      }
      if (!builder_.keep(pair)) return;
      if (!result.cigar.empty() && builder_.options_.cigars) {
        pair.cigar = copy(result.cigar, mirror);
        bytes_ += pair.cigar.size_bytes();
      }
      listed_.push_back(pair);
    }
    void finish() {
      bytes_ += listed_.size() * sizeof(ListedPair);
      builder_.take(std::move(listed_), std::move(runs_), bytes_);
    }

   private:
    std::span<const CigarRun> copy(std::span<const CigarRun> cigar, bool mirror) {
      constexpr std::size_t kRuns = 1 << 16;  // of a block, which does not move
      if (runs_->empty() || runs_->back().capacity() - runs_->back().size() < cigar.size())
        runs_->emplace_back().reserve(std::max(kRuns, cigar.size()));
      std::vector<CigarRun>& block = runs_->back();
      const std::size_t begin = block.size();
      if (mirror)
        for (const CigarRun run : cigar) block.push_back(mirrored(run));
      else
        block.insert(block.end(), cigar.begin(), cigar.end());
      return std::span(block).subspan(begin);
    }

    StripeBuilder& builder_;
    std::vector<ListedPair> listed_;
    std::shared_ptr<std::vector<std::vector<CigarRun>>> runs_;
    std::uint64_t bytes_ = 0;
  };

  Stripe finish() {
    stripe_.empty = empty_;
    sort();
    return std::move(stripe_);
  }

 private:
  Index row_of(const ListedPair& pair) const { return pairs_.one_set() ? pair.j : pair.i; }
  Index column_of(const ListedPair& pair) const { return pairs_.one_set() ? pair.i : pair.j; }
  // Whether the pair is listed. Its value is kept either way.
  bool keep(const ListedPair& pair) {
    const std::size_t length = pairs_.rows().length(pair.i), other = pairs_.columns().length(pair.j);
    if (options_.value)
      stripe_.values[(row_of(pair) - stripe_.rows.begin) * stripe_.columns + column_of(pair)] =
          options_.value->of(scoring_, pair.score, pair.counts, length, other);
    if (!options_.listed || pair.score < lowest_[pair.i]) return false;
    if (scoring_.mode == Mode::local && pair.score == 0) {
      ++empty_;
      return false;
    }
    if (!options_.filter.min_identity) return true;
    const Fraction identity = identity_of(pair.counts, length, other, options_.filter.denominator);
    return 100.0 * static_cast<double>(identity.numerator) >=
           *options_.filter.min_identity * static_cast<double>(identity.denominator);
  }
  void take(std::vector<ListedPair> listed, std::shared_ptr<const void> runs, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
    if (bytes_ > most_bytes_) throw StripeTooLarge{};
    parts_.push_back(std::move(listed));
    stripe_.owners.push_back(std::move(runs));
  }
  // By row, then within each.
  void sort() {
    std::vector<std::size_t> ends(stripe_.rows.size() + std::size_t{1});
    for (const auto& part : parts_)
      for (const ListedPair& pair : part) ++ends[row_of(pair) - stripe_.rows.begin + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    stripe_.listed.resize(ends.back());
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    for (auto& part : parts_) {
      for (const ListedPair& pair : part) stripe_.listed[next[row_of(pair) - stripe_.rows.begin]++] = pair;
      part = {};
    }
    for (std::size_t row = 0; row + 1 < ends.size(); ++row)
      std::ranges::sort(std::span(stripe_.listed).subspan(ends[row], ends[row + 1] - ends[row]), {},
                        [this](const ListedPair& pair) { return column_of(pair); });
  }

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const AllPairsOptions& options_;
  const std::span<const std::int32_t> lowest_;  // by i
  const std::int32_t lowest_of_all_;
  const std::uint64_t most_bytes_;
  Stripe stripe_;
  std::atomic<std::uint64_t> empty_{0};
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  std::vector<std::vector<ListedPair>> parts_;
};

// Which sequences the queries and subjects of a run are: the first of each.
struct Origin {
  Index queries, subjects;
  enum class Query : std::uint8_t { i, j, either } query;  // either: both are of one part of the set
};

class StripeSink : public Sink {
 public:
  // `only_mirrored`: of Query::either, whether to keep only pairs whose query is j, or only those whose is i.
  StripeSink(StripeBuilder& builder, const Resident& queries, Origin origin,
             std::optional<bool> only_mirrored)
      : builder_(builder), queries_(queries), origin_(origin), only_mirrored_(only_mirrored) {}

  // A GPU hands over millions at a time, and waits: they are shared among threads.
  void accept(const Tile& tile, std::span<const PairResult> results) override {
    constexpr std::size_t kShare = 1 << 15;
    const std::size_t shares = std::clamp<std::size_t>(results.size() / kShare, 1, threads_);
    const auto share = [&](std::size_t k) {
      const std::size_t begin = results.size() * k / shares, end = results.size() * (k + 1) / shares;
      take(tile, results.subspan(begin, end - begin));
    };
    std::vector<std::future<void>> others;  // which end before what they use
    for (std::size_t k = 1; k < shares; ++k)
      others.push_back(std::async(std::launch::async, [&share, k] { share(k); }));
    share(0);
    for (std::future<void>& other : others) other.get();
  }
  std::int32_t floor(std::uint32_t row) const override {
    return origin_.query == Origin::Query::i ? builder_.lowest(origin_.queries + queries_.index(row))
                                             : builder_.lowest();
  }

 private:
  void take(const Tile& tile, std::span<const PairResult> results) {
    StripeBuilder::Part part(builder_);
    for (const PairResult& result : results) {
      Index i = origin_.queries + tile.rows->index(result.row);
      Index j = origin_.subjects + tile.columns->index(result.column);
      const bool mirror = origin_.query == Origin::Query::either ? i > j : origin_.query == Origin::Query::j;
      if (only_mirrored_ && mirror != *only_mirrored_) continue;
      if (mirror) std::swap(i, j);
      part.add(i, j, mirror, result);
    }
    part.finish();
  }

  StripeBuilder& builder_;
  const Resident& queries_;
  const Origin origin_;
  const std::optional<bool> only_mirrored_;
  const std::size_t threads_ = std::max(1U, std::thread::hardware_concurrency());
};

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
        lowest_(lowest_scores()) {}

  bool done() const { return state_.next_row == pairs_.rows().size(); }
  const StripeState& state() const { return state_; }

  Stripe next() {
    Range rows{state_.next_row, next_end()};
    for (;;) {
      try {
        Stripe stripe = make(rows);
        if (!options_.identity_ranges.empty()) find_ranges(stripe);
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
                        listed * (sizeof(ListedPair) + runs * sizeof(CigarRun) + ranges));
      if (end > state_.next_row &&
          (cells > options_.stripe_cells || bytes > static_cast<double>(most_bytes())))
        break;
    }
    return end;
  }

  std::vector<std::int32_t> lowest_scores() const {
    const SequenceSet &set = pairs_.rows(), &database = pairs_.columns();
    const auto parameters = stats::published_parameters(scoring_);
    std::vector<std::int32_t> lowest(
        set.size(), options_.filter.min_score.value_or(std::numeric_limits<std::int32_t>::min()));
    for (Index i = 0; i < set.size() && options_.filter.evalue && parameters; ++i) {
      if (set.length(i) == 0 || database.total_residues() == 0) continue;
      const stats::QueryStatistics statistics = stats::query_statistics(
          *parameters, scoring_, set.length(i), database.total_residues(), database.size());
      lowest[i] = std::max(lowest[i], statistics.lowest_score(*options_.filter.evalue));
    }
    return lowest;
  }

  // The rows among themselves, where there is one set; and with the columns before them.
  Stripe make(Range rows) {
    StripeBuilder builder(pairs_, scoring_, options_, rows, lowest_, 2 * most_bytes());
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
  const std::vector<std::int32_t> lowest_;  // score of a listed pair, by i
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
