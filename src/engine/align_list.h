// Alignments of a list of pairs, in any order, repeated or not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/scheduler.h"

namespace alnus::engine {

// The result of a pair: as PairResult, but without row, column and slack.
struct AlignedPair {
  std::int32_t score = 0;
  std::int32_t query_begin = -1, query_end = -1, subject_begin = -1, subject_end = -1;
  std::int32_t hsp = 1;             // number among the alignments of the pair
  AlignmentCounts counts;           // with Detail::alignment only
  std::span<const CigarRun> cigar;  // memory: AlignedList::runs, RawStripe::runs
};

// The result of a pair without its CIGAR, whose memory is the device's.
inline AlignedPair without_cigar(const PairResult& pair) {
  return {.score = pair.score,
          .query_begin = pair.query_begin,
          .query_end = pair.query_end,
          .subject_begin = pair.subject_begin,
          .subject_end = pair.subject_end,
          .counts = pair.counts,
          .cigar = {}};
}

// Converts the result of a query's reverse complement: the query's coordinates then count in the query as it
// was given, which has `length` residues, and begin and end change places.
AlignedPair on_minus_strand(AlignedPair aligned, std::size_t length);

struct AlignedList {
  std::vector<AlignedPair> pairs;           // in the order of the given pairs
  std::vector<std::vector<CigarRun>> runs;  // memory of all CIGARs
};

// Aligns the pairs. A repeated pair is aligned once and has its result in each of its places. Throws as
// Scheduler::run does.
AlignedList align_list(Scheduler& scheduler, std::span<const PositionPair> pairs, const Problem& problem);

// The position of each sequence of the set, by its index. Throws Interrupted when `stop` is requested.
std::vector<Position> positions_of(const SortedSequences& sequences,
                                   const StopFlag& stop = StopFlag::never());

// How many rows a pair is expected to have if up to `max_hsps` are wanted, for estimates of memory. Few pairs
// have many alignments; where all have, batches take more memory than planned.
constexpr std::uint64_t expected_rows(std::uint32_t max_hsps) {
  constexpr std::uint64_t kMost = 16;
  return std::min<std::uint64_t>(max_hsps, kMost);
}

// Approximate bytes that a row of a pair takes until it is handed over.
std::uint64_t result_bytes(std::size_t query_length, std::size_t subject_length, Detail detail);
// About how many bytes of results are in a batch of a call that may take this memory, with so many rows of a
// pair: enough work to occupy all devices. A GPU takes some milliseconds for a list, however short, so that
// lists should be few.
constexpr std::uint64_t batch_bytes(std::uint64_t memory_bytes, std::uint32_t max_hsps = 1) {
  constexpr std::uint64_t kMostOfOneRow = 64 << 20;
  return std::min(kMostOfOneRow * expected_rows(max_hsps), memory_bytes / 16);
}

}  // namespace alnus::engine
