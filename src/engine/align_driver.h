// Alignments of given pairs, and of every query with every subject.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "alnus/results.h"
#include "alnus/row_filter.h"
#include "core/sorted_sequences.h"
#include "engine/call_state.h"
#include "engine/columns_builder.h"
#include "engine/resolved_statistics.h"

namespace alnus::engine {

struct AlignOptions {
  RowFields fields{};
  ResolvedStatistics statistics{};  // without a search space there are no E-values; none judges no scores
  std::uint64_t memory_bytes = 8ULL << 30;
  std::uint32_t max_hsps = 1;  // as SearchOptions::max_hsps; fields.hsps tells whether it is above 1
  // Rows that do not pass are left out. `min_score` is in units of 1/scale.
  std::optional<std::int32_t> min_score{};
  std::optional<double> evalue{};
  RowFilter filter{};
};

// Returns the bytes that the results of all batches that a call holds at a time take until they are handed
// over, with their significance and identity ranges.
std::uint64_t align_bytes(const AlignOptions& options);

// Aligns the pairs, and hands batches of rows, in the order of the pairs, to `emit` on this thread. Local
// alignments of score 0 are among the rows. Returns the number of pairs without a row, of which no alignment
// passes. Throws Error(input) for a pair of indices out of range, and as
// the other drivers do (engine/search_driver.h).
using EmitRows = std::function<void(const Columns& rows)>;
using SortedPtr = std::shared_ptr<const SortedSequences>;
std::uint64_t align_pairs(const SortedPtr& queries, const SortedPtr& subjects,
                          std::span<const IndexPair> pairs, const Scoring& scoring,
                          const AlignOptions& options, CallState& call, const EmitRows& emit);
// Does the same for every query with every subject, query by query.
std::uint64_t align_all(const SortedPtr& queries, const SortedPtr& subjects, const Scoring& scoring,
                        const AlignOptions& options, CallState& call, const EmitRows& emit);

}  // namespace alnus::engine
