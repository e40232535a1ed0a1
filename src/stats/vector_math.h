// The type `Lanes` of PortableMath (stats/portable_math.h) that computes kLanes values at a time. Translation
// units compile it for different instruction sets. Comparisons return masks as in stats/one_lane.h.
#pragma once

#include <cstdint>

#include "stats/portable_math.h"

namespace alnus::stats {

template <int kLanes>
struct VectorLanes {
  typedef double Vec __attribute__((vector_size(8 * kLanes)));
  typedef std::int64_t Bits __attribute__((vector_size(8 * kLanes)));

  ALNUS_PORTABLE static Vec set1(double x) { return x - Vec{}; }
  ALNUS_PORTABLE static Bits bits(Vec x) { return (Bits)x; }
  ALNUS_PORTABLE static Vec from_bits(Bits x) { return (Vec)x; }
  ALNUS_PORTABLE static Bits above(Vec a, Vec b) { return (Bits)(a > b); }
  ALNUS_PORTABLE static Bits equal(Vec a, Vec b) { return (Bits)(a == b); }
  ALNUS_PORTABLE static bool any(Bits mask) {
    std::int64_t lanes[kLanes], all = 0;
    __builtin_memcpy(lanes, &mask, sizeof mask);
    for (const std::int64_t lane : lanes) all |= lane;
    return all != 0;
  }
};

template <int kLanes>
using VectorMath = PortableMath<VectorLanes<kLanes>>;

}  // namespace alnus::stats
