#include "engine/stripe_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/pair_value.h"
#include "engine/adjusted_scores.h"
#include "engine/row_filter.h"
#include "engine/sparse_values.h"

namespace alnus::engine {
namespace {

CigarRun mirrored(CigarRun run) {
  if (run.op() == CigarOp::insertion) return {CigarOp::deletion, run.length()};
  if (run.op() == CigarOp::deletion) return {CigarOp::insertion, run.length()};
  return run;
}

// Returns the lowest of the self scores in `range`, without those of blank sequences; the highest int32 if
// all sequences in it are blank.
std::int32_t lowest_of(std::span<const std::int32_t> self_scores, IndexRange range) {
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t score : self_scores.subspan(range.begin, range.size()))
    if (score != kNoSelfScore) lowest = std::min(lowest, score);
  return lowest;
}

template <class T>
std::uint64_t elements_of(const std::vector<std::vector<T>>& parts) {
  std::uint64_t elements = 0;
  for (const std::vector<T>& part : parts) elements += part.size();
  return elements;
}

// Returns the elements of all parts, ordered by row(element), which is below `rows`, and then by
// column(element). Empties the parts. The threads sort and copy the elements of rows.
template <class T, class Row, class Column>
std::vector<T> in_order(std::vector<std::vector<T>>& parts, std::size_t rows, const Row& row,
                        const Column& column, ThreadPool& threads) {
  std::vector<std::size_t> ends(rows + 1);
  for (const std::vector<T>& part : parts)
    for (const T& one : part) ++ends[row(one) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<const T*> of_rows(ends.back());
  std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
  for (const std::vector<T>& part : parts)
    for (const T& one : part) of_rows[next[row(one)]++] = &one;
  std::vector<T> all(ends.back());
  threads.for_each(rows, [&](std::size_t k) {
    const std::span<const T*> of_row = std::span(of_rows).subspan(ends[k], ends[k + 1] - ends[k]);
    std::ranges::sort(of_row, {}, [&](const T* one) { return column(*one); });
    std::ranges::transform(of_row, all.begin() + static_cast<std::ptrdiff_t>(ends[k]),
                           [](const T* one) { return *one; });
  });
  parts.clear();
  return all;
}

}  // namespace

StripeBuilder::StripeBuilder(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                             IndexRange rows, const PairFloors& floors,
                             std::span<const stats::ScoreJudgePtr> statistics, const KeptSequences* kept,
                             const SelfScores& self_scores, const BlankSequences& blanks,
                             std::uint64_t most_bytes)
    : pairs_(pairs),
      scoring_(scoring),
      options_(options),
      floors_(floors),
      statistics_(statistics),
      kept_(kept),
      self_scores_(self_scores),
      blanks_(blanks),
      most_bytes_(rows.size() > 1 ? most_bytes : UINT64_MAX),
      rows_(rows),
      lowest_of_cutoff_(lowest_of_cutoff()) {
  if (options.nearest && !self_scores.columns.empty())
    lowest_of_columns_ = lowest_of(self_scores.columns, pairs.block().columns);
  for (Index row = rows.begin; row < rows.end; ++row) stripe_.pairs += pairs.pairs_of(row);
  if (options.nearest && !options.filters_adjusted()) nearest_.emplace(rows, options.nearest->count);
  if (options.values.empty()) return;
  // With is_half() a row has values up to its own column, so that the last row has the most.
  const Block& block = pairs.block();
  columns_ = {block.columns.begin,
              pairs.is_half() ? std::min(block.columns.end, rows.end) : block.columns.end};
  columns_.end = std::max(columns_.begin, columns_.end);
  const std::uint64_t count = std::uint64_t{rows.size()} * columns_.size();
  for (std::size_t k = 0; k < options.values.size(); ++k) {
    values_.push_back(std::make_shared_for_overwrite<double[]>(count));
    stripe_.values.push_back({rows, columns_, {values_[k].get(), count}, values_[k]});
  }
}

std::int32_t StripeBuilder::lowest(Index i) const {
  const std::int32_t lowest = lowest_wanted(floors_.of_row(i));
  if (!nearest_ || !is_of_scores(options_.nearest->value.kind)) return lowest;
  const double least = nearest_->least(i);  // score, or score minus lower self score
  if (!std::isfinite(least)) return lowest;
  double score = least;
  if (options_.nearest->value.kind == PairValue::score_distance)
    score += std::min(self_scores_.rows[i], lowest_of_columns_);
  return std::max(lowest, static_cast<std::int32_t>(std::max<double>(score, lowest)));
}

std::int32_t StripeBuilder::lowest_of_lengths(std::size_t length, std::size_t other) const {
  constexpr std::int32_t kAny = std::numeric_limits<std::int32_t>::min();
  // If pairs of score 0 may be counted as empty, all pairs are wanted.
  const bool counts_empty = options_.listed && floors_.lowest() <= 0;
  return options_.values.empty() && !counts_empty ? floors_.of_lengths(length, other) : kAny;
}

std::int32_t StripeBuilder::lowest() const { return lowest_wanted(floors_.lowest()); }

// Devices know no filter but lowest(i). Under any other filter the pairs of highest score may not pass, so
// that all pairs are needed.
std::uint32_t StripeBuilder::most_of_row() const {
  const bool by_score = nearest_ && options_.nearest->value.kind == PairValue::score &&
                        options_.fields.detail == Detail::score && options_.fields.strands == Strands::plus &&
                        !options_.filter.evalue;
  if (!by_score) return 0;
  // The sequence itself and blank ones may be among those of highest score, and are not among the nearest.
  const std::uint64_t most = std::uint64_t{options_.nearest->count} + 1 + blanks_.columns();
  return most > std::numeric_limits<std::uint32_t>::max() ? 0 : static_cast<std::uint32_t>(most);
}

std::int32_t StripeBuilder::lowest_wanted(std::int32_t passing) const {
  if (!options_.values.empty()) return std::numeric_limits<std::int32_t>::min();
  return options_.listed ? passing : std::max(passing, lowest_of_cutoff_);
}

std::int32_t StripeBuilder::lowest_of_cutoff() const {
  if (!options_.cutoff || !is_of_scores(options_.cutoff->value.kind))
    return std::numeric_limits<std::int32_t>::min();
  std::int32_t self_score = 0;
  if (options_.cutoff->value.kind == PairValue::score_distance) {
    if (alnus::passes(PairValue::score_distance, kLargestScoreDistance, options_.cutoff->threshold))
      return std::numeric_limits<std::int32_t>::min();
    self_score = std::min(lowest_of(self_scores_.rows, rows_),
                          lowest_of(self_scores_.columns.empty() ? self_scores_.rows : self_scores_.columns,
                                    pairs_.columns_of(rows_.end - 1)));
  }
  return lowest_passing(*options_.cutoff, scoring_, self_score);
}

void StripeBuilder::keep_values(Index query, std::span<const Index> subjects,
                                std::span<const std::int32_t> scores, Origin origin) {
  // Offsets of the query's values: in a row of the pair matrix the values are neighbours, in a column they
  // are `width` apart.
  const std::uint64_t width = columns_.size();
  const std::uint64_t row = (query - rows_.begin) * width - columns_.begin,
                      column = query - columns_.begin - rows_.begin * width;
  for (std::size_t k = 0; k < options_.values.size(); ++k) {
    double* const values = values_[k].get();
    // Calls value(i, j, score) for each pair.
    const auto keep = [&](const auto& value) {
      for (std::size_t n = 0; n < subjects.size(); ++n) {
        const Index subject = subjects[n];
        const bool mirror = origin.mirrors(query, subject);
        if (!origin.keeps(mirror)) continue;
        const bool is_row = mirror == pairs_.is_half();
        values[is_row ? row + subject : column + subject * width] =
            mirror ? value(subject, query, scores[n]) : value(query, subject, scores[n]);
      }
    };
    if (options_.values[k].kind == PairValue::score)
      keep([&](Index, Index, std::int32_t score) {
        return value_of_score(PairValue::score, scoring_, score, 0);
      });
    else
      keep([&](Index i, Index j, std::int32_t score) {
        return value_of_score(PairValue::score_distance, scoring_, score, self_scores_.lower(i, j));
      });
  }
}

// A pair of score 0 gets no adjusted score, so that the filter's E-value itself decides.
bool StripeBuilder::may_pass_evalue(Index i, Index j, std::int32_t score) const {
  const double limit = *options_.filter.evalue;
  const double most = score == 0 ? limit : candidate_evalue(options_.statistics, scoring_, limit);
  return evalue_may_pass(*statistics_[i], score, pairs_.columns().length(j), most);
}

bool StripeBuilder::may_pass_prediction(Index i, Index j, std::int32_t score) const {
  return !kept_ || score == 0 || kept_->may_be_hit({i, j}, score, *statistics_[i], *options_.filter.evalue);
}

bool StripeBuilder::passes(Index i, Index j, bool mirror, const PairResult& result) const {
  const PairFilter& filter = options_.filter;
  const std::size_t other = pairs_.columns().length(j);
  const bool is_judged = filter.evalue && statistics_[i] && other > 0;
  if (is_judged && !may_pass_evalue(i, j, result.score)) return false;
  std::int32_t span = result.query_end - result.query_begin,
               of_other = result.subject_end - result.subject_begin;
  if (mirror) std::swap(span, of_other);
  return engine::passes(filter, result.counts, {span, pairs_.rows().length(i)}, {of_other, other}) &&
         (!is_judged || may_pass_prediction(i, j, result.score));
}

void StripeBuilder::Collected::add(Index i, Index j, bool mirror, Strand strand, const PairResult& result) {
  if (!keep(i, j, mirror, result)) return;
  ListedPair pair{i, j, without_cigar(result), strand, mirror};
  if (strand == Strand::minus)
    pair.aligned = on_minus_strand(
        pair.aligned, mirror ? builder_.pairs_.columns().length(j) : builder_.pairs_.rows().length(i));
  if (mirror) {
    std::swap(pair.aligned.query_begin, pair.aligned.subject_begin);
    std::swap(pair.aligned.query_end, pair.aligned.subject_end);
  }
  if (!result.cigar.empty() && builder_.options_.fields.cigars) {
    pair.aligned.cigar = copy(result.cigar, mirror, strand);
    bytes_ += 2 * pair.aligned.cigar.size_bytes();
  }
  listed_.push_back(pair);
  constexpr std::size_t kMostNear = 1 << 14;  // handed over early, so that least() rises
  if (builder_.nearest_ && listed_.size() == kMostNear)
    builder_.take_near(std::exchange(listed_, {}), *builder_.nearest_);
}

bool StripeBuilder::Collected::keep(Index i, Index j, bool mirror, const PairResult& result) {
  StripeBuilder& all = builder_;
  const AllPairsOptions& options = all.options_;
  const std::size_t length = all.pairs_.rows().length(i), other = all.pairs_.columns().length(j);
  const std::int32_t self_score = all.self_score(i, j);
  for (std::size_t k = 0; k < options.values.size(); ++k)
    all.values_[k][all.place_of(i, j)] =
        value_of(options.values[k], all.scoring_, result.score, self_score, result.counts, length, other);
  if (result.score < all.floors_.of_row(i)) return false;
  const bool is_empty = all.scoring_.mode == Mode::local && result.score == 0;
  if (options.nearest) return !is_empty && keep_near(i, j, mirror, result);
  if (options.listed && is_empty) ++empty_;
  const std::optional<SparseValue> sparse = all.sparse_value(i, j, result.score, result.counts);
  const bool is_listed = !is_empty && (options.listed || (sparse && options.collects()));
  if ((!is_listed && !sparse) || !all.passes(i, j, mirror, result)) return false;
  if (sparse) sparse_.push_back(*sparse);
  constexpr std::size_t kMostSparse = 1 << 16;  // handed over early: a tile may have many more
  if (sparse_.size() == kMostSparse) all.take(std::exchange(sparse_, {}));
  return is_listed;
}

bool StripeBuilder::Collected::keep_near(Index i, Index j, bool mirror, const PairResult& result) const {
  const StripeBuilder& all = builder_;
  if (!all.pairs_.has(i, j) || all.blanks_.either(i, j)) return false;
  if (all.nearest_ && all.nearness_of(i, j, result.score, result.counts) < all.nearest_->least(i))
    return false;
  if (!all.options_.listed && !all.sparse_value(i, j, result.score, result.counts)) return false;
  return all.passes(i, j, mirror, result);
}

void StripeBuilder::Collected::finish() {
  builder_.take(std::move(sparse_));
  if (builder_.nearest_) return builder_.take_near(listed_, *builder_.nearest_);
  const std::lock_guard lock(builder_.mutex_);
  builder_.grow(bytes_ + listed_.size() * kBytesOfListedPair);
  builder_.parts_.push_back(std::move(listed_));
  builder_.stripe_.empty += empty_;
  builder_.stripe_.runs.push_back(std::move(runs_));
}

std::optional<SparseValue> StripeBuilder::sparse_value(Index i, Index j, std::int32_t score,
                                                       const AlignmentCounts& counts) const {
  if (!options_.cutoff) return std::nullopt;
  const auto& [kind, threshold] = *options_.cutoff;
  const double value = value_of(kind, scoring_, score, self_score(i, j), counts, pairs_.rows().length(i),
                                pairs_.columns().length(j));
  if (!alnus::passes(kind.kind, value, threshold)) return std::nullopt;
  return pairs_.is_half() ? SparseValue{j, i, value} : SparseValue{i, j, value};
}

double StripeBuilder::nearness_of(Index i, Index j, std::int32_t score, const AlignmentCounts& counts) const {
  return nearness(options_.nearest->value, scoring_, score, self_score(i, j), counts, pairs_.rows().length(i),
                  pairs_.columns().length(j));
}

// Copies the CIGAR into runs_, with i as the query and in the direction of j. If j was reverse-complemented,
// the device's CIGAR runs along i and is reversed.
std::span<const CigarRun> StripeBuilder::Collected::copy(std::span<const CigarRun> cigar, bool mirror,
                                                         Strand strand) {
  constexpr std::size_t kRuns = 1 << 16;  // runs of a memory block, which does not move
  if (runs_->empty() || runs_->back().capacity() - runs_->back().size() < cigar.size())
    runs_->emplace_back().reserve(std::max(kRuns, cigar.size()));
  std::vector<CigarRun>& block = runs_->back();
  const std::size_t begin = block.size();
  if (mirror)
    for (const CigarRun run : cigar) block.push_back(mirrored(run));
  else
    block.insert(block.end(), cigar.begin(), cigar.end());
  if (mirror && strand == Strand::minus)
    std::reverse(block.begin() + static_cast<std::ptrdiff_t>(begin), block.end());
  return std::span(block).subspan(begin);
}

std::uint64_t StripeBuilder::listed() const { return elements_of(parts_); }

std::uint64_t StripeBuilder::collected() const { return std::max(listed(), elements_of(sparse_parts_)); }

RawStripe StripeBuilder::finish(CallState& call) {
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  stripe_.listed =
      nearest_ ? nearest_->finish(call)
               : in_order(
                     parts_, rows_.size(), [this](const ListedPair& pair) { return row_of(pair.i, pair.j); },
                     [this](const ListedPair& pair) { return column_of(pair.i, pair.j); }, call.threads);
  stripe_.sparse = in_order(
      sparse_parts_, rows_.size(), [this](const SparseValue& value) { return value.row - rows_.begin; },
      [](const SparseValue& value) { return value.column; }, call.threads);
  stripe_.collected = std::max(stripe_.listed.size(), stripe_.sparse.size());
  return std::move(stripe_);
}

// Memory for the nearest of each row is planned for (NearestPairs::bytes_of_row), so that a stripe cannot be
// too large.
void StripeBuilder::take_near(std::span<const ListedPair> listed, NearestPairs& nearest) const {
  std::vector<NearPair> pairs;
  pairs.reserve(listed.size());
  for (const ListedPair& pair : listed)
    pairs.push_back({nearness_of(pair.i, pair.j, pair.aligned.score, pair.aligned.counts), pair});
  nearest.take(pairs);
}

std::vector<ListedPair> StripeBuilder::nearest_of(std::span<const ListedPair> pairs, CallState& call) const {
  constexpr std::size_t kPiece = 1 << 14;  // pairs that are copied at a time
  NearestPairs nearest(rows_, options_.nearest->count);
  for (std::size_t begin = 0; begin < pairs.size(); begin += kPiece)
    take_near(pairs.subspan(begin, std::min(kPiece, pairs.size() - begin)), nearest);
  return nearest.finish(call);
}

void StripeBuilder::take(std::vector<SparseValue> sparse) {
  if (sparse.empty()) return;
  const std::lock_guard lock(mutex_);
  grow(sparse.size() * kBytesOfSparseValue);
  sparse_parts_.push_back(std::move(sparse));
}

void StripeBuilder::grow(std::uint64_t bytes) {
  bytes_ += bytes;
  if (bytes_ > most_bytes_) throw StripeTooLarge{};
}

}  // namespace alnus::engine
