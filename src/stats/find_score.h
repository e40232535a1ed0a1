// Finds the lowest score for which a condition holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace alnus::stats {

// Returns the lowest score s >= 0 with suffices(s). If a score suffices, every higher score must suffice,
// too. The search begins at `near` and doubles its steps. Returns 2^30 - 1 if no lower score suffices.
template <typename Suffices>
std::int32_t find_lowest_score(Suffices suffices, std::int32_t near = 0) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max() / 2;
  // `low` and `high` are bounds of the score when the steps end.
  std::int32_t low = 0, high = std::clamp(near, 0, kMost), step = 1;
  if (suffices(high)) {
    while (high > 0) {
      const std::int32_t lower = std::max(high - step, 0);
      if (!suffices(lower)) {
        low = lower + 1;
        break;
      }
      high = lower;
      step *= 2;
    }
  } else {
    while (high < kMost) {
      low = high + 1;
      high = step < kMost - high ? high + step : kMost;
      if (suffices(high)) break;
      step *= 2;
    }
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
