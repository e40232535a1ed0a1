// The drivers: a database search, given pairs, all of A with all of B. Each is a PairMatrix planned
// into tiles, run on the devices, collected by a sink.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/device.h"
#include "engine/progress.h"
#include "engine/score_histogram.h"
#include "engine/statistics_options.h"
#include "io/writer.h"

namespace alnus::engine {

struct SearchOptions {
  Detail detail = Detail::alignment;
  std::uint32_t max_target_seqs = 500;      // at least 1
  double evalue = 10;                       // filter where there are E-values
  std::optional<std::int32_t> min_score{};  // in scaled units
  std::uint64_t memory_bytes = 8ULL << 30;
  std::vector<Denominator> identity_ranges{};  // wanted of each hit
  StatisticsOptions statistics{};
  bool histogram = false;  // SearchSummary::histogram is wanted
};

struct SearchSummary {
  std::uint64_t cells = 0, pairs = 0, hits = 0;  // cells of the score pass
  std::uint64_t cut_ties = 0;                    // queries where equal scores were cut at max_target_seqs
  std::uint64_t filtered = 0;   // pairs that are no hits: below the thresholds or beyond max_target_seqs
  std::uint64_t fallbacks = 0;  // queries whose scores did not suffice for a regression
  ScoreHistogram histogram{};
  double seconds = 0;

  SearchSummary& operator+=(const SearchSummary& other);  // leaves the histogram as it is
};

// Queries are taken as one batch; `emit` is called on the caller's thread once per query, in input order,
// hits sorted by score descending, then database order. `statistics` is null where there are none.
// Every pair is scored; the hits are aligned in a second pass if more than the score is wanted. A query's
// hits are the max_target_seqs pairs of highest score, less those whose E-value is too large.
//
// Both drivers throw Error(input) for options out of range, Error(device) when no device can do it,
// Error(memory), Interrupted when progress.stop was set, and whatever `emit` throws.
using EmitQuery = std::function<void(SequenceSet::Index query, std::span<const io::Hit> hits,
                                     const stats::QueryStatistics* statistics)>;
SearchSummary search(const SequenceSet& queries, const SequenceSet& database, const Scoring& scoring,
                     const SearchOptions& options, std::span<Device* const> devices, Progress& progress,
                     const EmitQuery& emit);

struct AlignOptions {
  Detail detail = Detail::alignment;
  std::vector<Denominator> identity_ranges{};  // wanted of each pair
  StatisticsOptions statistics{};              // there are E-values if it has a search space
};

// The pairs (row: index in queries, column: index in subjects), emitted in this order on the caller's
// thread. Local alignments of score 0 are emitted too.
using EmitPair = std::function<void(std::size_t ordinal, const io::Hit& hit)>;
void align_pairs(const SequenceSet& queries, const SequenceSet& subjects, std::span<const PairIndex> pairs,
                 const Scoring& scoring, const AlignOptions& options, std::span<Device* const> devices,
                 Progress& progress, const EmitPair& emit);

// Every query with every subject: pair number `ordinal` is query ordinal / subjects.size() with subject
// ordinal % subjects.size().
void align_all(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
               const AlignOptions& options, std::span<Device* const> devices, Progress& progress,
               const EmitPair& emit);

}  // namespace alnus::engine
