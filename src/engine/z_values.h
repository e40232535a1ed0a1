// Z-values of given pairs, and significance by them: the sequences are shuffled, and the shuffles aligned on
// the devices like any sequences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/call_state.h"
#include "engine/resolved_statistics.h"
#include "stats/shuffle_fit.h"

namespace alnus::engine {

// Returns the Z-value of each pair. `scores`: the pairs' scores, in units of 1/scale. `memory_bytes` bounds
// the memory of shuffles. A Z-value depends on the pair's residues, the scoring and the options, not on the
// other pairs, their order or the devices. The devices must be idle: no `emit` of another driver may call
// this function.
//
// Throws Error(input) for options or pairs out of range, and what Scheduler throws.
std::vector<ZValue> z_values(const SequenceSet& queries, const SequenceSet& subjects,
                             std::span<const IndexPair> pairs, std::span<const std::int32_t> scores,
                             const Scoring& scoring, const ShuffleOptions& options,
                             std::uint64_t memory_bytes, CallState& call);

// Returns the bytes that shuffles take beside those of the devices.
std::uint64_t shuffle_bytes(std::uint64_t memory_bytes);

// Returns the significance of each pair by its Z-value. If the options have a search space, the E-value is
// the number of its sequences, each counted once for each strand that is aligned, that are expected to score
// as high; otherwise there is no E-value. The other arguments and errors are those of z_values().
std::vector<Significance> shuffled_significance(const SequenceSet& queries, const SequenceSet& subjects,
                                                std::span<const IndexPair> pairs,
                                                std::span<const std::int32_t> scores, const Scoring& scoring,
                                                const ResolvedStatistics& options, CallState& call);

// Returns the bytes that shuffled_significance() takes beside those of the devices; 0 if no sequences are
// shuffled.
std::uint64_t significance_bytes(const ResolvedStatistics& options, std::uint64_t memory_bytes);

}  // namespace alnus::engine
