// Transposes rows of score tables, one for each lane, to vectors of a profile, one for each query letter.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// The number of lanes in 16 bytes, which is also the number of letters of a table that transpose() takes.
template <class V>
inline constexpr int kTransposed = 16 / static_cast<int>(sizeof(typename V::Elem));

// Writes rows[lane][first + k] into each lane of columns[k]. Each 16 bytes of the vectors form a square,
// which is transposed in log2(kSide) steps: each step interleaves the upper half of the rows with the lower
// half.
template <class V>
ALNUS_INLINE void transpose(const typename V::Elem* const* rows, std::int32_t first,
                            typename V::Vec* columns) {
  constexpr int kSide = kTransposed<V>;
  typename V::Vec square[kSide];
#pragma GCC unroll 16
  for (int k = 0; k < kSide; ++k) square[k] = V::load_rows(rows + k, first);
#pragma GCC unroll 4
  for (int done = 1; done < kSide; done *= 2) {
#pragma GCC unroll 8
    for (int k = 0; k < kSide / 2; ++k) {
      columns[2 * k] = V::interleave_low(square[k], square[k + kSide / 2]);
      columns[2 * k + 1] = V::interleave_high(square[k], square[k + kSide / 2]);
    }
#pragma GCC unroll 16
    for (int k = 0; k < kSide; ++k) square[k] = columns[k];
  }
}

}  // namespace alnus::cpu
