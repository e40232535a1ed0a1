// Results of pairs and runs of their CIGARs in fewer bytes, for the way to the host.
#pragma once

#include <cstdint>
#include <type_traits>

#include "alnus/alignment.h"

namespace alnus::cuda {

// If no sequence is longer, all numbers of a result but its score fit 16 bits, and lengths of runs 14.
inline constexpr std::uint32_t kLongestPacked = (1U << 14) - 1;

// A PairResult without row and column, which follow from its place in the array. A coordinate of -1 is
// kUnknown.
struct alignas(16) PackedPair {
  static constexpr std::uint16_t kUnknown = 0xffff;
  std::int32_t score;
  std::uint16_t query_begin, query_end, subject_begin, subject_end;
  std::uint16_t columns, identical, positive, mismatches, gap_residues, gap_opens;
  std::uint32_t runs;        // of its CIGAR
  std::uint32_t first_four;  // place of its first run among those of its part, divided by kRunsTogether
};
// All of it is written: bytes between its members would go to the host as nobody has set them.
static_assert(sizeof(PackedPair) == 32 && std::has_unique_object_representations_v<PackedPair>);
static_assert(2 * kLongestPacked + 1 < PackedPair::kUnknown && kLongestPacked <= UINT16_MAX >> 2);

// The runs of a CIGAR are filled up to a multiple of four, because a thread writes four at once.
inline constexpr std::uint32_t kRunsTogether = 4;

// A run: its length in the upper 14 bits, and the two lowest bits of its CigarOp, which differ for all four.
using PackedRun = std::uint16_t;
inline CigarRun cigar_run_of(PackedRun run) {
  constexpr std::uint32_t kOps = 0x7218;  // of the bits 0, 1, 2 and 3: X (8), I (1), D (2), = (7)
  return {static_cast<CigarOp>(kOps >> (4 * (run & 3)) & 15), static_cast<std::uint32_t>(run >> 2)};
}

}  // namespace alnus::cuda
