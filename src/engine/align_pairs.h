// Alignments of given pairs, and of every query with every subject.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "alnus/results.h"
#include "core/sorted_sequences.h"
#include "engine/call.h"
#include "engine/columns_builder.h"
#include "engine/statistics_options.h"

namespace alnus::engine {

struct AlignOptions {
  RowFields fields{};
  StatisticsOptions statistics{};  // there are E-values if it has a search space
  std::uint64_t memory_bytes = 8ULL << 30;
};

// Memory that results take until they are handed over, and that their significance and identity ranges take.
std::uint64_t align_bytes(const AlignOptions& options);

// The rows of the pairs, in their order, to `emit` on this thread. Local alignments of score 0 are among
// them. Throws as the other drivers do (engine/search.h).
using EmitRows = std::function<void(const Columns& rows)>;
using SortedPtr = std::shared_ptr<const SortedSequences>;
void align_pairs(const SortedPtr& queries, const SortedPtr& subjects, std::span<const IndexPair> pairs,
                 const Scoring& scoring, const AlignOptions& options, Call& call, const EmitRows& emit);
// Every query with every subject, query by query.
void align_all(const SortedPtr& queries, const SortedPtr& subjects, const Scoring& scoring,
               const AlignOptions& options, Call& call, const EmitRows& emit);

}  // namespace alnus::engine
