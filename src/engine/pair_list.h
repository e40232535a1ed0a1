// Alignments of pairs in any order, repeated or not.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/scheduler.h"

namespace alnus::engine {

// What the devices found for a pair; as in PairResult, without its place.
struct AlignedPair {
  std::int32_t score = 0;
  std::int32_t query_begin = -1, query_end = -1, subject_begin = -1, subject_end = -1;
  AlignmentCounts counts;           // Detail::alignment
  std::span<const CigarRun> cigar;  // in AlignedList::runs
};

// The same where the query's reverse complement was aligned, with its coordinates on the query as it was
// given, which has `length` residues. What ended at the reverse complement's end begins at the query's begin.
AlignedPair on_minus_strand(AlignedPair aligned, std::size_t length);

struct AlignedList {
  std::vector<AlignedPair> pairs;           // in the order in which they were asked for
  std::vector<std::vector<CigarRun>> runs;  // of all CIGARs, block by block
};

// The alignments of the pairs, in their order.
AlignedList align_list(Scheduler& scheduler, std::span<const PositionPair> pairs, const Problem& problem);

// The position of each sequence of the set, by its index. Throws Interrupted when `stop` is requested.
std::vector<Position> positions_of(const SortedSequences& sequences,
                                   const StopFlag& stop = StopFlag::never());

// About how many bytes a pair takes until its result is handed over.
std::uint64_t result_bytes(std::size_t query_length, std::size_t subject_length, Detail detail);
// Bytes of results that are collected before they are handed over: work enough to occupy all devices. A GPU
// takes some milliseconds for a list, however short it is, so that there should not be many.
inline constexpr std::uint64_t kBatchBytes = 64 << 20;

}  // namespace alnus::engine
