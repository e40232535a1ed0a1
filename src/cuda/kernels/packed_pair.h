// Results of pairs, and runs of their CIGARs, in fewer bytes, so that less is copied to the host.
#pragma once

#include <cstdint>
#include <type_traits>

#include "alnus/alignment.h"

namespace alnus::cuda {

// Residues of the longest sequences whose results can be packed: all numbers of a result but its score fit 16
// bits, and lengths of runs fit 14 bits.
inline constexpr std::uint32_t kLongestPacked = (1U << 14) - 1;

// A PairResult without row and column, which follow from its place in the array. A coordinate of -1 is stored
// as kUnknown.
struct alignas(16) PackedPair {
  static constexpr std::uint16_t kUnknown = 0xffff;
  std::int32_t score;
  std::uint16_t query_begin, query_end, subject_begin, subject_end;
  std::uint16_t columns, identical, positive, mismatches, gap_residues, gap_opens;
  std::uint32_t runs;        // runs of the CIGAR
  std::uint32_t first_four;  // place of the first run in the pair's part, divided by kRunsTogether
};
// There is no padding between members: padding would be copied to the host uninitialized.
static_assert(sizeof(PackedPair) == 32 && std::has_unique_object_representations_v<PackedPair>);
static_assert(2 * kLongestPacked + 1 < PackedPair::kUnknown && kLongestPacked <= UINT16_MAX >> 2);

// The runs of a CIGAR are filled up to a multiple of four, because a thread writes four at once.
inline constexpr std::uint32_t kRunsTogether = 4;

// A run of a CIGAR: its length in the upper 14 bits, and in the lower two the lowest two bits of its CigarOp,
// which differ for all four operations.
using PackedRun = std::uint16_t;
inline CigarRun cigar_run_of(PackedRun run) {
  // Bits 1, 2 and 3 are I (1), D (2) and = (7); bits 0 are X (8). The sum of comparisons can be computed by
  // vector instructions, for many runs at once.
  const std::uint32_t bits = run & 3U, op = bits + (bits == 0 ? 8U : 0U) + (bits == 3 ? 4U : 0U);
  return {static_cast<CigarOp>(op), static_cast<std::uint32_t>(run >> 2)};
}

}  // namespace alnus::cuda
