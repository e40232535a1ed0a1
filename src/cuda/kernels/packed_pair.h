// Results of pairs, and runs of their CIGARs, in fewer bytes, so that less is copied to the host.
#pragma once

#include <cstdint>
#include <type_traits>

#include "alnus/alignment.h"

namespace alnus::cuda {

// Residues of the longest sequences whose results can be packed: all numbers of a result but its score fit 16
// bits, and lengths of runs fit the 12 bits that a PackedRun has for them.
inline constexpr std::uint32_t kLongestPacked = (1U << 12) - 1;

// A PairResult without row and column, which follow from its place in the array. Coordinates that were not
// computed are -1.
struct alignas(16) PackedPair {
  std::int32_t score;
  std::int16_t query_begin, query_end, subject_begin, subject_end;
  std::int16_t columns, identical, positive, mismatches, gap_residues, gap_opens;
  std::uint32_t runs;        // runs of the CIGAR
  std::uint32_t first_four;  // index of the first run, divided by kRunsTogether
};
// There is no padding between members: padding would be copied to the host uninitialized.
static_assert(sizeof(PackedPair) == 32 && std::has_unique_object_representations_v<PackedPair>);
static_assert(2 * kLongestPacked <= INT16_MAX);  // columns

// The runs of a CIGAR are filled up to a multiple of four, because a thread writes four at once.
inline constexpr std::uint32_t kRunsTogether = 4;

// The lower 16 bits of a CigarRun::packed. The upper bits are 0.
using PackedRun = std::uint16_t;
static_assert(CigarRun(CigarOp::mismatch, kLongestPacked).packed <= UINT16_MAX);

}  // namespace alnus::cuda
