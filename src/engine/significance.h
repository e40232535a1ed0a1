// Significance that takes alignments of its own: Z-values of given pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/call.h"
#include "engine/statistics_options.h"

namespace alnus::engine {

// The significance of each pair by shuffling, as z_values has it. There are E-values if the options have a
// search space: so many of its sequences are expected to score as high.
std::vector<Significance> shuffled_significance(const SequenceSet& queries, const SequenceSet& subjects,
                                                std::span<const IndexPair> pairs,
                                                std::span<const std::int32_t> scores, const Scoring& scoring,
                                                const StatisticsOptions& options, Call& call);

// Memory that it takes beside what the devices take; 0 where significance needs no shuffles.
std::uint64_t significance_bytes(const StatisticsOptions& options, std::uint64_t memory_bytes);

}  // namespace alnus::engine
