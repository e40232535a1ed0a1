// Alignments of pairs in any order, repeated or not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/scheduler.h"

namespace alnus::engine {

// The alignments of the pairs (positions in the scheduler's residents), in their order.
std::vector<Alignment> align_list(Scheduler& scheduler, std::span<const PairIndex> pairs,
                                  const Problem& problem);

// By index in the SequenceSet, the position in the Resident.
std::vector<std::uint32_t> positions(const Resident& resident);

// About how many bytes a pair takes until its result is handed over.
std::uint64_t result_bytes(std::size_t query_length, std::size_t subject_length, Detail detail);
// Bytes of results that are collected before they are handed over: work enough to occupy all devices.
inline constexpr std::uint64_t kBatchBytes = 32 << 20;

}  // namespace alnus::engine
