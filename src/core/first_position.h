// Bisection over numbers such as positions, for which there are no iterators.
#pragma once

#include "core/index_spaces.h"

namespace alnus {

// The first number of a range for which `is_true` holds, or the range's end if there is none. `is_true` must
// hold for all numbers after that one, too.
template <class Number, class IsTrue>
Number first_position(RangeOf<Number> range, IsTrue is_true) {
  // Often `is_true` holds for the whole range. This test saves the steps of a bisection, which take long
  // because they lie far apart in memory.
  if (range.begin < range.end && is_true(range.begin)) return range.begin;
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
