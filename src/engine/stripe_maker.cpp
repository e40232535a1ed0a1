#include "engine/stripe_maker.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>

#include "core/pair_value.h"
#include "core/strands.h"
#include "engine/adjusted_scores.h"
#include "engine/identity_range.h"
#include "engine/nearest_pairs.h"
#include "engine/scheduler.h"
#include "engine/strand_scores.h"
#include "engine/z_values.h"

namespace alnus::engine {

using Index = SequenceSet::Index;

namespace {

// A stripe is planned for at least this share of pairs.
constexpr double kLeastPlanned = 1e-4;
// A sample has one of so many pairs, and at most and at least so many pairs.
constexpr std::uint64_t kPairsOfOneSampled = 256, kMostSampledPairs = 1 << 10, kFewestSampledPairs = 1 << 9;

// The most seconds that a tile of the pass that finds pairs is planned for while GPUs find pairs ahead. The
// alignments of the stripe before wait until a tile ends, but shorter tiles leave multiprocessors idle at
// their ends more often: with 0.2 s, 20,000 proteins took 0.3 s longer, with no limit as long as with 1 s or
// longer.
constexpr double kLongestTileSeconds = 1;

// Returns the options of the pass over every pair. If only the nearest are wanted, or scores decide which
// pairs have rows, this pass finds them without CIGARs, and another pass makes their rows.
AllPairsOptions options_to_find(AllPairsOptions options) {
  if (!options.nearest && !options.scores_decide()) return options;
  options.fields = {
      .detail = options.detail_of_every_pair(), .cigars = false, .strands = options.fields.strands};
  return options;
}

}  // namespace

StripeMaker::StripeMaker(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                         StripeState state, CallState& call)
    : pairs_(pairs),
      scoring_(scoring),
      options_(options),
      found_by_(options_to_find(options)),
      finds_ahead_(options.scores_decide() && !call.on_host()),
      call_(call),
      state_(state),
      left_(state.left),
      regions_(pairs, scoring, found_by_, call,
               finds_ahead_ ? kLongestTileSeconds : std::numeric_limits<double>::infinity()),
      blanks_(options.nearest || options.has_score_distances() ? BlankSequences(pairs, stop())
                                                               : BlankSequences()),
      self_scores_(options.has_score_distances() ? regions_.self_scores(state.next_row, blanks_)
                                                 : SelfScores{}),
      statistics_(judges_of(pairs.rows(), options.statistics, scoring, stop())),
      floors_(pair_floors()),
      adjusts_(options.statistics.adjusts() && (options.fields.significance || options.filter.evalue)),
      kept_(sequences_to_keep()),
      next_(call, [this](IndexRange rows) { return collected(rows, found_by_, regions_); }) {}

std::pair<Stripe, StripeState> StripeMaker::next() {
  if (state_.next_row == pairs_.block().rows.begin) state_.left = share_of_sample();
  IndexRange rows{state_.next_row, end_of(state_.next_row, state_.left)};
  for (;;) {
    try {
      Stripe stripe = make(rows);
      state_.next_row = rows.end;
      state_.left = left_;
      return {std::move(stripe), state_};
    } catch (const StripeTooLarge&) {
      // 100 times as many pairs as planned may pass: with eighths of the rows three attempts then suffice,
      // with halves there would be seven.
      constexpr Index kFewer = 8;
      rows.end = rows.begin + std::max<Index>(rows.size() / kFewer, 1);
    } catch (...) {
      next_.abandon();
      throw;
    }
  }
}

Stripe StripeMaker::make(IndexRange rows) {
  RawStripe raw = options_.nearest ? of_nearest(rows) : of_filter(rows);
  left_ = share_left(raw.collected, raw.pairs);
  return {columns_of(raw.listed), std::move(raw.values), std::move(raw.sparse), rows, raw.pairs, raw.empty};
}

std::unique_ptr<StripeBuilder> StripeMaker::collected(IndexRange rows, const AllPairsOptions& options,
                                                      StripeRegions& regions) const {
  auto builder = std::make_unique<StripeBuilder>(pairs_, scoring_, options, rows, floors_, statistics_,
                                                 kept_.get(), self_scores_, blanks_, 2 * most_bytes());
  regions.fill(rows, *builder);
  return builder;
}

void StripeMaker::find_next(IndexRange rows, const StripeBuilder& found) {
  if (!finds_ahead_ || rows.end == pairs_.block().rows.end) return;
  const double left = share_left(found.collected(), found.pairs());
  const IndexRange following{rows.end, end_of(rows.end, left)};
  if (left > regions_.most_listed() || following.size() <= 1) return;
  try {
    next_.begin(following);
  } catch (const Error& error) {  // the system gives no thread: the stripe is found when its turn comes
    if (error.kind() != ErrorKind::other) throw;
  }
}

RawStripe StripeMaker::of_filter(IndexRange rows) {
  // If many pairs pass, a list of them takes longer to align than all pairs at once.
  const double most = regions_.most_listed();
  std::optional<ExtraWork> again;
  if (options_.scores_decide() && state_.left <= most) {
    const std::unique_ptr<StripeBuilder> found = next_.take(rows);
    if (static_cast<double>(found->listed()) <= most * static_cast<double>(found->pairs())) {
      find_next(rows, *found);
      RawStripe raw = found->finish(call_);
      adjust(raw);
      align(rows, raw, 2 * most_bytes());
      return raw;
    }
    again.emplace(call_.progress);
  }
  if (options_.scores_decide() && !aligning_) aligning_.emplace(pairs_, scoring_, options_, call_);
  RawStripe raw = collected(rows, options_, aligning_ ? *aligning_ : regions_)->finish(call_);
  adjust(raw);
  return raw;
}

std::uint64_t StripeMaker::most_bytes() const {
  constexpr std::uint64_t kParts = 8;
  return (bytes_of_results() - (kept_ ? bytes_to_keep() : 0)) / kParts;
}

std::uint64_t StripeMaker::bytes_of_results() const {
  const std::uint64_t of_shuffles =
      options_.fields.significance ? significance_bytes(options_.statistics, options_.memory_bytes) : 0;
  return all_pairs_bytes(options_) - of_shuffles;
}

std::uint64_t StripeMaker::bytes_to_keep() const {
  const Block& block = pairs_.block();
  const bool half = pairs_.is_half();
  return KeptSequences::most_bytes(pairs_.rows(), half ? block.columns : block.rows, pairs_.columns(),
                                   half ? block.rows : block.columns);
}

std::unique_ptr<const KeptSequences> StripeMaker::sequences_to_keep() const {
  constexpr std::uint64_t kParts = 4;  // the sequences may take one of so many parts of the results' memory
  const bool wanted = adjusts_ && KeptSequences::suits(scoring_, options_.statistics) &&
                      options_.fields.strands == Strands::plus;
  if (!wanted || bytes_to_keep() > bytes_of_results() / kParts) return nullptr;
  return std::make_unique<const KeptSequences>(pairs_.rows(), pairs_.columns(), scoring_, options_.statistics,
                                               stop());
}

double StripeMaker::share_of_sample() {
  const Index begin = state_.next_row;
  const IndexRange rows{begin, end_of(begin, 0)};
  if (rows.end == end_of(begin, 1)) return state_.left;
  std::uint64_t all = 0;
  for (Index row = rows.begin; row < rows.end; ++row) all += pairs_.columns_of(row).size();
  const std::uint64_t count = std::min(kMostSampledPairs, all / kPairsOfOneSampled);
  if (count < kFewestSampledPairs) return state_.left;
  AllPairsOptions options = found_by_;
  options.fields.cigars = false;
  options.values.clear();
  StripeBuilder builder(pairs_, scoring_, options, rows, floors_, statistics_, kept_.get(), self_scores_,
                        blanks_, std::numeric_limits<std::uint64_t>::max());
  const ExtraWork besides(call_.progress);
  regions_.align(rows, sample_of(rows, all, count), options.fields, builder);
  // With one more, the result is not 0.
  const double passed = static_cast<double>(builder.finish(call_).collected + 1);
  return std::min(1.0, passed / static_cast<double>(count));
}

std::vector<ListedPair> StripeMaker::sample_of(IndexRange rows, std::uint64_t all,
                                               std::uint64_t count) const {
  std::vector<ListedPair> sample;
  std::uint64_t before = 0, next = 0;  // pairs of the rows before; number of the next pair of the sample
  for (Index row = rows.begin; row < rows.end; ++row) {
    const IndexRange columns = pairs_.columns_of(row);
    for (; next < count && next * all / count < before + columns.size(); ++next) {
      const Index column = columns.begin + static_cast<Index>(next * all / count - before);
      if (!pairs_.has(row, column)) continue;
      ListedPair pair;
      std::tie(pair.i, pair.j) = pairs_.is_half() ? std::pair(column, row) : std::pair(row, column);
      for (const Strand strand : {Strand::plus, Strand::minus}) {
        const bool is_plus = strand == Strand::plus;
        if (options_.fields.strands == (is_plus ? Strands::minus : Strands::plus)) continue;
        pair.strand = strand;
        sample.push_back(pair);
      }
    }
    before += columns.size();
  }
  return sample;
}

double StripeMaker::share_left(std::uint64_t collected, std::uint64_t pairs) const {
  return pairs > 0 ? static_cast<double>(collected) / static_cast<double>(pairs) : left_;
}

Index StripeMaker::end_of(Index begin, double left) const {
  // `expected` is the fraction of pairs that memory is planned for: twice the fraction of the previous
  // stripe, and at least kLeastPlanned. A stripe that takes more than twice the planned bytes is made again.
  const double expected = std::clamp(2 * left, kLeastPlanned, 1.0);
  const bool all_collected = !options_.nearest || options_.filters_adjusted();
  const double sparse = options_.cutoff && all_collected ? expected : 0;
  const double listed = options_.listed_share(expected);
  const RowFields& fields = options_.fields;
  const auto ranges = static_cast<double>(range_bytes(fields.identity_ranges));
  const SequenceSet& rows = pairs_.rows();
  const double columns_length = pairs_.columns_length();
  // A stripe of about kSmallBytes stays in the caches until it is copied, and the next stripe uses its memory
  // again. With kFewRows rows it fills the lanes of the kernels.
  constexpr double kSmallBytes = 4 << 20;
  constexpr Index kFewRows = 128;
  const bool is_small = options_.small_stripes && regions_.writing_is_slower();
  const double at_a_time = options_.scores_decide() && left <= regions_.most_listed()
                               ? kScoredAtATime
                               : regions_.cells_at_a_time();
  double cells = 0, bytes = 0, seconds = 0;
  Index end = begin;
  for (; end < pairs_.block().rows.end; ++end) {
    const auto length = static_cast<double>(rows.length(end));
    const double pairs = pairs_.columns_of(end).size();
    cells += length * pairs * columns_length;
    seconds += row_seconds(pairs_, options_, expected, end);
    const double runs =
        fields.cigars && fields.detail == Detail::alignment ? 2 * std::min(length, columns_length) : 0;
    bytes +=
        pairs * (static_cast<double>(options_.values.size() * sizeof(double)) + sparse * kBytesOfSparseValue +
                 (fields.strands == Strands::both ? kBytesOfStrandScore : 0) +
                 listed * (kBytesOfListedPair + runs * sizeof(CigarRun) + ranges));
    if (options_.nearest) {
      const std::uint32_t count = options_.nearest->count;
      bytes += static_cast<double>(NearestPairs::bytes_of_row(count, pairs_.columns_of(end).size())) +
               std::min<double>(count, pairs) *
                   (kBytesOfSparseValue + kBytesOfListedPair + runs * sizeof(CigarRun) + ranges);
    }
    const bool is_full = cells > at_a_time * options_.stripe_cells || seconds > kStripeSeconds ||
                         bytes > static_cast<double>(most_bytes()) ||
                         (is_small && bytes > kSmallBytes && end >= begin + kFewRows);
    if (end > begin && is_full) break;
  }
  return end;
}

PairFloors StripeMaker::pair_floors() const {
  std::vector<std::int32_t> lowest(pairs_.rows().size(),
                                   options_.min_score.value_or(std::numeric_limits<std::int32_t>::min()));
  if (options_.filter.evalue)
    raise_to_candidates(pairs_.rows(), pairs_.columns(), statistics_, options_.statistics, scoring_,
                        *options_.filter.evalue, stop(), lowest);
  PairFloors floors(std::move(lowest));
  // On the host no device lists pairs by their floors.
  const bool by_length = options_.statistics.composition != Composition::scale;
  if (options_.filter.evalue && by_length && !call_.on_host())
    floors.add_lengths(pairs_.rows(), pairs_.columns(), statistics_,
                       candidate_evalue(options_.statistics, scoring_, *options_.filter.evalue), call_);
  return floors;
}

template <class Take>
void StripeMaker::by_strand(std::span<const ListedPair> listed, const Take& take) const {
  if (options_.fields.strands == Strands::plus) {
    std::vector<std::size_t> numbers(listed.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    return take(pairs_.rows(), pairs_.columns(), numbers);
  }
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

void StripeMaker::for_pieces(std::size_t count, const std::function<void(std::size_t)>& work) const {
  constexpr std::size_t kPiece = 1 << 14;
  call_.threads.for_each((count + kPiece - 1) / kPiece, [&](std::size_t piece) {
    for (std::size_t k = piece * kPiece; k < std::min(count, (piece + 1) * kPiece); ++k) work(k);
  });
}

void StripeMaker::adjust(RawStripe& raw) {
  if (!adjusts_) return;
  const ExtraWork besides(call_.progress);
  const bool filters = options_.filters_adjusted();
  const double limit = filters ? *options_.filter.evalue : std::numeric_limits<double>::infinity();
  const auto judge_of = [&](const ListedPair& pair) {
    return pairs_.columns().length(pair.j) > 0 ? statistics_[pair.i].get() : nullptr;
  };
  const ThreadPool::Permit permit(call_.threads, stop());
  using Tests = AdjustedScores::Tests;
  const Tests tests = kept_ && filters ? Tests::last : Tests::all;  // StripeBuilder has made the others
  std::vector<std::optional<double>> found(raw.listed.size());
  by_strand(raw.listed, [&](const SequenceSet& rows, const SequenceSet& columns,
                            const std::vector<std::size_t>& numbers) {
    std::vector<AdjustedScores::Candidate> candidates(numbers.size());
    for_pieces(numbers.size(), [&](std::size_t n) {
      const ListedPair& pair = raw.listed[numbers[n]];
      candidates[n] = {{pair.i, pair.j}, pair.aligned.score, filters ? judge_of(pair) : nullptr};
    });
    const AdjustedScores adjusted(rows, columns, scoring_, options_.statistics, kept_.get());
    const std::vector<std::optional<double>> of_strand = adjusted.of(candidates, limit, call_, tests);
    for (std::size_t n = 0; n < numbers.size(); ++n) found[numbers[n]] = of_strand[n];
  });
  // Pairs that no test has dropped may still have too large an E-value.
  if (filters)
    for_pieces(found.size(), [&](std::size_t k) {
      if (!found[k]) return;
      const ListedPair& pair = raw.listed[k];
      const stats::ScoreJudge* judge = judge_of(pair);
      if (judge != nullptr && judge->of(*found[k], pairs_.columns().length(pair.j)).evalue > limit)
        found[k].reset();
    });
  std::vector<std::pair<Index, Index>> dropped;  // (row, column), in this order
  std::size_t kept = 0;
  for (std::size_t k = 0; k < raw.listed.size(); ++k) {
    if (found[k] && (options_.listed || options_.nearest || !filters)) {
      raw.listed[kept] = raw.listed[k];
      raw.listed[kept++].adjusted = *found[k];
    } else if (!found[k] && options_.cutoff) {
      const ListedPair& pair = raw.listed[k];
      dropped.push_back(pairs_.is_half() ? std::pair(pair.j, pair.i) : std::pair(pair.i, pair.j));
    }
  }
  raw.listed.resize(kept);
  std::erase_if(raw.sparse, [&](const SparseValue& value) {
    return std::ranges::binary_search(dropped, std::pair(value.row, value.column));
  });
}

Columns StripeMaker::columns_of(std::span<const ListedPair> listed) {
  ColumnsBuilder builder(options_.fields);
  builder.reserve(listed.size());
  for (const ListedPair& pair : listed) builder.add({pair.i, pair.j}, pair.aligned, pair.strand);
  const ExtraWork besides(call_.progress);
  add_significance(listed, builder);
  add_ranges(listed, builder);
  return builder.finish();
}

void StripeMaker::add_significance(std::span<const ListedPair> listed, ColumnsBuilder& builder) {
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
  for (const ListedPair& pair : listed)
    builder.add(significance_of(statistics_[pair.i].get(), pair.aligned.score,
                                adjusts_ ? std::optional(pair.adjusted) : std::nullopt,
                                pairs_.columns().length(pair.j), scoring_));
}

void StripeMaker::add_ranges(std::span<const ListedPair> listed, ColumnsBuilder& builder) {
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

RawStripe StripeMaker::of_nearest(IndexRange rows) {
  const std::unique_ptr<StripeBuilder> builder = collected(rows, found_by_, regions_);
  RawStripe stripe = builder->finish(call_);
  if (options_.filters_adjusted()) {
    adjust(stripe);
    stripe.listed = builder->nearest_of(stripe.listed, call_);
  }
  for (const ListedPair& pair : stripe.listed)
    if (const auto value = builder->sparse_value(pair.i, pair.j, pair.aligned.score, pair.aligned.counts))
      stripe.sparse.push_back(*value);
  std::ranges::sort(stripe.sparse, {}, [](const SparseValue& one) { return std::pair(one.row, one.column); });
  if (!options_.listed)
    stripe.listed = {};
  else if (options_.fields.detail != Detail::score)
    align(rows, stripe, UINT64_MAX);
  if (!options_.filters_adjusted()) adjust(stripe);
  return stripe;
}

void StripeMaker::align(IndexRange rows, RawStripe& stripe, std::uint64_t most_bytes) {
  const std::vector<ListedPair> pairs = std::exchange(stripe.listed, {});
  AllPairsOptions all = options_;
  all.filter = {};
  all.min_score.reset();
  all.values.clear();
  all.cutoff.reset();
  all.nearest.reset();
  StripeBuilder builder(pairs_, scoring_, all, rows, floors_, statistics_, nullptr, self_scores_, blanks_,
                        most_bytes);
  const ExtraWork again(call_.progress);
  regions_.align(rows, pairs, options_.fields, builder);
  RawStripe aligned = builder.finish(call_);
  std::vector<std::size_t> by_column(pairs.size());  // numbers of `pairs`, in the builder's order
  std::iota(by_column.begin(), by_column.end(), 0);
  std::ranges::sort(by_column, {}, [&](std::size_t k) {
    return pairs_.is_half() ? std::pair(pairs[k].j, pairs[k].i) : std::pair(pairs[k].i, pairs[k].j);
  });
  stripe.listed.resize(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    ListedPair& listed = stripe.listed[by_column[k]] = aligned.listed[k];
    listed.adjusted = pairs[by_column[k]].adjusted;
  }
  stripe.runs = std::move(aligned.runs);
}

}  // namespace alnus::engine
