// Alignments of given pairs, and of every query with every subject.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/sorted_sequences.h"
#include "engine/call_state.h"
#include "engine/row_maker.h"

namespace alnus::engine {

// Returns the bytes that the results of all batches that a call holds at a time take until they are handed
// over, with their significance and identity ranges.
std::uint64_t align_bytes(const RowOptions& options);

// Aligns the pairs, and hands batches of rows, in the order of the pairs, to `emit` on this thread. Local
// alignments of score 0 are among the rows. Returns the number of pairs without a row, of which no alignment
// passes. Throws Error(input) for a pair of indices out of range, and as
// the other drivers do (engine/search_driver.h).
using EmitRows = std::function<void(const Columns& rows)>;
std::uint64_t align_pairs(const SortedPtr& queries, const SortedPtr& subjects,
                          std::span<const IndexPair> pairs, const Scoring& scoring, const RowOptions& options,
                          CallState& call, const EmitRows& emit);
// Does the same for every query with every subject, query by query.
std::uint64_t align_all(const SortedPtr& queries, const SortedPtr& subjects, const Scoring& scoring,
                        const RowOptions& options, CallState& call, const EmitRows& emit);

}  // namespace alnus::engine
