// Bisection over positions, which no iterator leads to.
#pragma once

#include <cstdint>

#include "core/device.h"

namespace alnus {

// The first position of a range for which `is_true`, and its end if there is none. It is true for all that
// follow it, too.
template <class IsTrue>
std::uint32_t first_position(Range range, IsTrue is_true) {
  while (range.begin < range.end) {
    const std::uint32_t middle = range.begin + range.size() / 2;
    if (is_true(middle))
      range.end = middle;
    else
      range.begin = middle + 1;
  }
  return range.begin;
}

}  // namespace alnus
