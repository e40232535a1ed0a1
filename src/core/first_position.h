// Bisection over positions, which no iterator leads to.
#pragma once

#include "core/index_spaces.h"

namespace alnus {

// The first number of a range for which `is_true`, and its end if there is none. It is true for all that
// follow it, too.
template <class Number, class IsTrue>
Number first_position(RangeOf<Number> range, IsTrue is_true) {
  while (range.begin < range.end) {
    const Number middle = range.begin + range.size() / 2;
    if (is_true(middle))
      range.end = middle;
    else
      range.begin = middle + 1;
  }
  return range.begin;
}

}  // namespace alnus
