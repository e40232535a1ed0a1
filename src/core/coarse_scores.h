// Scores and costs in a coarse unit, so that 8-bit lanes hold most local scores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace alnus {

// The unit is 2^shift of the scores' units. The shift depends on the gap costs alone, so that a coarse score
// does not depend on the pairs that are scored with it, nor on the device.
struct CoarseScores {
  // A gap of n residues costs open + n * extend.
  CoarseScores(std::int32_t open, std::int32_t exact_extend) {
    while ((std::int64_t{open} + 3 * std::int64_t{exact_extend}) >> shift > kLowest) ++shift;
    first = (open + exact_extend) >> shift;
    extend = exact_extend >> shift;
    highest_known = 127 - zero - extend - kHighest;
  }
  std::int32_t rounded(std::int32_t score) const { return (score + ((1 << shift) >> 1)) >> shift; }
  // True if the rounded scores of a matrix are all from -kLowest to kHighest.
  bool fit(std::span<const std::int32_t> scores) const {
    const auto [lowest, highest] = std::ranges::minmax(scores);
    return rounded(lowest) >= -kLowest && rounded(highest) <= kHighest;
  }

  // In coarse units. kLowest is the room that 8-bit lanes have below `zero`, the byte that stands for score
  // 0: for the cost open + 3 * extend, and for the lowest score of two letters. kHighest is the room above
  // the highest known score, for the highest score of two letters.
  static constexpr std::int32_t kLowest = 40, kHighest = 48;
  static constexpr std::int32_t zero = -128 + kLowest;
  int shift = 0;
  std::int32_t first = 0, extend = 0;  // coarse costs of a gap's first residue, and of each further one
  std::int32_t highest_known = 0;      // coarse scores above it may have overflowed
};

}  // namespace alnus
