// A profile whose lanes have tables of their own: rows of tables become vectors of lanes.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Lanes of 16 bytes, and so many letters of a table are transposed at a time.
template <class V>
inline constexpr int kTransposed = 16 / static_cast<int>(sizeof(typename V::Elem));

// columns[k] gets rows[lane][first + k] in each lane. Within each 16 bytes of a vector that is a square,
// which is transposed by interleaving its upper half of rows with its lower half, once for each power of two.
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
