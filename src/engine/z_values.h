// Z-values of given pairs: their sequences shuffled, and aligned on the devices like any others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/call.h"
#include "stats/shuffle_fit.h"

namespace alnus::engine {

// The Z-value of each pair, whose score is given. What a pair gets depends on its residues, the scoring and
// the seed, and not on the other pairs, their order or the devices. These must be idle: no `emit` of another
// driver may call it.
//
// Throws Error(input) for options or pairs out of range, and what Scheduler throws.
std::vector<ZValue> z_values(const SequenceSet& queries, const SequenceSet& subjects,
                             std::span<const IndexPair> pairs, std::span<const std::int32_t> scores,
                             const Scoring& scoring, const ShuffleOptions& options,
                             std::uint64_t memory_bytes, Call& call);

// Memory that shuffles take beside what the devices take.
std::uint64_t shuffle_bytes(std::uint64_t memory_bytes);

}  // namespace alnus::engine
