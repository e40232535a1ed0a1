// Results of pairs and runs of their CIGARs in half of their bytes, for the way to the host.
#pragma once

#include <cstdint>

#include "alnus/alignment.h"

namespace alnus::cuda {

// With sequences of no more residues all numbers of a result fit 16 bits, and lengths of runs 14.
inline constexpr std::uint32_t kLongestPacked = (1U << 14) - 1;

// As in PairResult, but for row and column, which its place tells. What is -1 there is kUnknown.
struct alignas(16) PackedPair {
  static constexpr std::uint16_t kUnknown = 0xffff;
  std::int32_t score;
  std::uint16_t query_begin, query_end, subject_begin, subject_end;
  std::uint16_t columns, identical, positive, mismatches, gap_residues, gap_opens;
  std::uint16_t runs;        // of its CIGAR
  std::uint32_t first_runs;  // where they are: the place divided by kRunsTogether
};

// Places of a CIGAR's runs come in fours: a thread writes them together.
inline constexpr std::uint32_t kRunsTogether = 4;

// A run: its length, and in the two lowest bits those of its operation, which tell the four apart.
using PackedRun = std::uint16_t;
inline CigarRun unpack(PackedRun run) {
  constexpr std::uint32_t kOps = 0x7218;  // by their lowest bits
  return {static_cast<CigarOp>(kOps >> (4 * (run & 3)) & 15), static_cast<std::uint32_t>(run >> 2)};
}

}  // namespace alnus::cuda
