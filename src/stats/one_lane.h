// The type `Lanes` of PortableMath (stats/portable_math.h) that computes one value at a time.
#pragma once

#include <bit>
#include <cstdint>

#include "stats/portable_math.h"

namespace alnus::stats {

// Comparisons return masks: all bits set if true, no bit if false.
struct OneLane {
  using Vec = double;
  using Bits = std::int64_t;

  ALNUS_PORTABLE static Vec set1(double x) { return x; }
  ALNUS_PORTABLE static Bits bits(Vec x) { return std::bit_cast<Bits>(x); }
  ALNUS_PORTABLE static Vec from_bits(Bits x) { return std::bit_cast<Vec>(x); }
  ALNUS_PORTABLE static Bits above(Vec a, Vec b) { return a > b ? -1 : 0; }
  ALNUS_PORTABLE static Bits equal(Vec a, Vec b) { return a == b ? -1 : 0; }
  ALNUS_PORTABLE static bool any(Bits mask) { return mask != 0; }
};

using ScalarMath = PortableMath<OneLane>;

}  // namespace alnus::stats
