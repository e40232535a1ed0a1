// Z-values of given pairs: their sequences shuffled, and aligned on the devices like any others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "engine/progress.h"
#include "stats/shuffle_fit.h"

namespace alnus::engine {

struct ShuffleOptions {
  enum class Sides : std::uint8_t { query, subject, both };
  std::uint32_t shuffles = 1000;  // of each side; at least 10
  Sides sides = Sides::both;
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = 8ULL << 30;
};

// Of each pair (row: index in queries, column: index in subjects), whose score is given. What a pair gets
// depends on its residues, the scoring and the seed, and not on the other pairs, their order or the devices.
// These must be idle: no `emit` of another driver may call it.
//
// Throws Error(input) for options or pairs out of range, and what Scheduler throws.
std::vector<stats::ZValue> z_values(const SequenceSet& queries, const SequenceSet& subjects,
                                    std::span<const PairIndex> pairs, std::span<const std::int32_t> scores,
                                    const Scoring& scoring, const ShuffleOptions& options,
                                    std::span<Device* const> devices, Progress& progress);

}  // namespace alnus::engine
