#pragma once

#include <cstdint>
#include <limits>

namespace alnus::stats {

// The lowest score, from 0 on, that suffices, where every higher one does, too.
template <typename Suffices>
std::int32_t find_lowest_score(Suffices suffices) {
  std::int32_t low = 0, high = 1;
  while (high < std::numeric_limits<std::int32_t>::max() / 2 && !suffices(high)) {
    low = high;
    high *= 2;
  }
  while (low < high) {
    const std::int32_t middle = low + (high - low) / 2;
    if (suffices(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace alnus::stats
