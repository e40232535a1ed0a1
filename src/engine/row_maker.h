// The steps that make rows of aligned pairs: for a search, which chooses its pairs itself, and for given
// pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alnus/option_table.h"
#include "alnus/row_filter.h"
#include "engine/adjusted_scores.h"
#include "engine/columns_builder.h"
#include "engine/pair_rows.h"
#include "engine/resolved_statistics.h"
#include "engine/scheduler.h"

namespace alnus::engine {

// A limit of significance, and the value that was given for it.
struct GivenLimit {
  StatisticsLimit limit;
  double value = 0;
};

// Returns the limits of significance that are set in a table of options.
template <class Options>
std::vector<GivenLimit> given_limits(const Options& options) {
  std::vector<GivenLimit> limits;
  for_each_statistics_limit(options, [&](const auto& /*name*/, const StatisticsLimit& limit, double value) {
    limits.push_back({limit, value});
  });
  return limits;
}

// Which rows are wanted of a pair, and what they say.
struct RowOptions {
  RowFields fields{};
  ResolvedStatistics statistics{};  // without a search space there are no E-values
  std::uint64_t memory_bytes = 8ULL << 30;
  std::uint32_t max_hsps = 1;  // as SearchOptions::max_hsps; fields.hsps tells whether it is above 1
  // Rows that do not pass are left out. `min_score` is in units of 1/scale.
  std::optional<std::int32_t> min_score{};
  std::optional<double> evalue{};
  std::vector<GivenLimit> limits{};
  RowFilter filter{};

  // About how many bytes of rows are in a batch (engine/align_list.h).
  std::uint64_t batch_bytes() const { return engine::batch_bytes(memory_bytes, max_hsps); }
  // Returns the bytes that so many batches take at a time, and the shuffles and further alignments of one.
  std::uint64_t bytes_of_batches(std::uint64_t batches) const;
  // True if a row of this significance is within the limits. What has no E-value passes.
  bool passes(const Significance& significance) const;
};

// The steps, in the order in which a driver takes them: align_list() with problem(), first_rows() or a choice
// of its own among adjusted and judged scores, rows_of(), columns_of().
class RowMaker {
 public:
  // The rows of the scheduler are the strands. All arguments must outlive the object.
  RowMaker(Scheduler& scheduler, const StrandedSet& strands, const Scoring& scoring,
           const RowOptions& options, const QueryJudges& judges);

  // How pairs must be aligned.
  Problem problem() const;
  // Null if scores are not adjusted.
  const AdjustedScores* adjusted() const { return adjusted_ ? &*adjusted_ : nullptr; }
  // About how many bytes the rows of a pair take until they are handed over.
  std::uint64_t bytes_of(std::size_t query_length, std::size_t subject_length) const;
  // Returns the significance of a first alignment. Z-values come from shuffled() instead.
  Significance significance(SequenceSet::Index query, SequenceSet::Index subject, std::int32_t score,
                            const std::optional<double>& adjusted) const;
  // Returns the significance of each pair by shuffling.
  std::vector<Significance> shuffled(std::span<const IndexPair> pairs,
                                     std::span<const std::int32_t> scores) const;
  // Returns the first alignment of each pair, adjusted and judged whatever its E-value. `aligned` must
  // outlive what is returned.
  std::vector<FirstRow> first_rows(std::span<const PositionPair> placed,
                                   std::span<const AlignedPair> aligned) const;
  // Returns those rows of the pairs that pass: first rows as they are given, and further ones, which it finds
  // on the CPU and judges as the first ones (but not by Z-values).
  PairRows rows_of(std::vector<FirstRow> pairs) const;
  // Returns the rows as columns. `pairs`: those of rows_of(). `first_query`: the number of the first given
  // query among all queries.
  Columns columns_of(std::span<const PairRow> rows, std::span<const FirstRow> pairs,
                     SequenceSet::Index first_query) const;

 private:
  const SequenceSet& subjects() const { return scheduler_.columns().set(); }
  CallState& call() const { return scheduler_.call(); }
  // Sets FirstRow::lowest of each pair. An alignment with a lower score is below the lowest score of a row,
  // or, if there is a limit of E-values, fails the first test of a candidate on every strand, or the second
  // one on every strand (engine/adjusted_scores.h).
  void limit_further(std::vector<FirstRow>& pairs) const;
  // Appends the identity ranges of rows. Those beyond the first of their pair have none.
  void add_identity_ranges(std::span<const PairRow> rows, std::span<const FirstRow> pairs,
                           ColumnsBuilder& builder) const;

  Scheduler& scheduler_;
  const StrandedSet& strands_;
  const Scoring& scoring_;
  const RowOptions& options_;
  const QueryJudges& judges_;
  std::optional<AdjustedScores> adjusted_;
};

}  // namespace alnus::engine
