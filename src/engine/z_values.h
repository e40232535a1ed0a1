// Z-values of given pairs: the sequences are shuffled, and the shuffles aligned on the devices like any
// sequences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/call_state.h"
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

}  // namespace alnus::engine
