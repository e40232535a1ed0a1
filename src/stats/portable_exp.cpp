#include "stats/portable_exp.h"

#include "stats/vector_math.h"

namespace alnus::stats {

double portable_exp(double x) {
  using Math = VectorMath<2>;
  return Math::exp(Math::set1(x))[0];
}

}  // namespace alnus::stats
