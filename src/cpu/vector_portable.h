// For any processor: vectors of 16 bytes in the vector extensions of GCC and Clang.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cpu/kernel_set.h"

namespace alnus::cpu::portable {

template <class E>
struct Lanes {
  using Elem = E;
  using Unsigned = std::make_unsigned_t<E>;
  static constexpr int lanes = 16 / sizeof(E), trace_bytes = lanes;
  typedef E Vec __attribute__((vector_size(16)));
  typedef std::uint64_t Words __attribute__((vector_size(16)));
  typedef Unsigned Wrapping __attribute__((vector_size(16)));  // wraps; signed overflow is undefined
  using Mask = Vec;                                            // a lane has all bits set, or none

  static ALNUS_INLINE Vec load(const void* p) { return *static_cast<const Vec*>(p); }
  static ALNUS_INLINE void store(void* p, Vec v) { *static_cast<Vec*>(p) = v; }
  static ALNUS_INLINE Vec load_unaligned(const void* p) {
    Vec r;
    __builtin_memcpy(&r, p, sizeof r);
    return r;
  }
  // True if all lanes are -1.
  static ALNUS_INLINE bool all_ones(Vec v) {
    std::uint64_t halves[2];
    __builtin_memcpy(halves, &v, sizeof halves);
    return (halves[0] & halves[1]) == ~std::uint64_t{0};
  }
  static ALNUS_INLINE Vec set1(int x) { return static_cast<E>(x) - Vec{}; }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return (Vec)((Wrapping)a + (Wrapping)b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return (Vec)((Wrapping)a - (Wrapping)b); }
  static ALNUS_INLINE bool any(Mask m) {
    bool some = false;
    for (int k = 0; k < lanes; ++k) some |= m[k] != 0;
    return some;
  }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return (m & a) | (~m & b); }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) { return (Mask)(a > b); }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return (Mask)(a == b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return select(gt(a, b), a, b); }
  static ALNUS_INLINE Vec max_by_compare(Vec a, Vec b) { return max(a, b); }
  static ALNUS_INLINE Vec select_bytes(Vec mask, Vec a, Vec b) { return select(mask, a, b); }
  // Lane 0 takes `first`, lane l takes lane l - 1.
  static ALNUS_INLINE Vec shift_in(Vec v, E first) {
    Vec r = shift_lanes<1>(v, v);
    r[0] = first;
    return r;
  }
  // Lane l takes lane l - kDistance, or `fill` where there is none.
  template <int kDistance>
  static ALNUS_INLINE Vec shift_lanes(Vec v, Vec fill) {
    for (int k = kDistance; k < lanes; ++k) fill[k] = v[k - kDistance];
    return fill;
  }
  // For transpose(): load_rows() loads 16 bytes of row 0, interleave_low() and interleave_high() interleave
  // the halves of two vectors.
  static ALNUS_INLINE Vec load_rows(const E* const* rows, std::int32_t first) {
    Vec r;
    __builtin_memcpy(&r, rows[0] + first, sizeof r);
    return r;
  }
  static ALNUS_INLINE Vec interleave_low(Vec a, Vec b) {
    Vec r;
    for (int k = 0; k < lanes; ++k) r[k] = k % 2 ? b[k / 2] : a[k / 2];
    return r;
  }
  static ALNUS_INLINE Vec interleave_high(Vec a, Vec b) {
    Vec r;
    for (int k = 0; k < lanes; ++k) r[k] = k % 2 ? b[(lanes + k) / 2] : a[(lanes + k) / 2];
    return r;
  }
  static ALNUS_INLINE Vec add_saturating(Vec a, Vec b) {
    if constexpr (sizeof(E) > 2) return add(a, b);
    const Vec wrapped = add(a, b);
    return select(gt(b, set1(0)) & gt(a, wrapped), set1(32767), wrapped);  // no sum is below the lowest value
  }
  static ALNUS_INLINE Vec sub_saturating(Vec a, Vec b) {
    const Vec wrapped = sub(a, b), lowest = set1(sizeof(E) == 2 ? -32768 : -2147483647 - 1);
    return select(gt(wrapped, a), lowest, wrapped);  // b >= 0: a difference above a has wrapped
  }
  using Row = std::conditional_t<sizeof(E) == 1, std::int8_t, std::int32_t>;
  struct Table {
    const Row* row;
  };
  static ALNUS_INLINE Table table(const Row* row) { return {row}; }
  using Letters = const std::uint8_t*;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) { return p; }
  static ALNUS_INLINE Vec lookup(const Table& t, Letters l) {
    Vec r;
    for (int k = 0; k < lanes; ++k) r[k] = static_cast<E>(t.row[l[k]]);
    return r;
  }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    const Vec bits = (diagonal & set1(1)) | (from_e & set1(2)) | (open_e & set1(4)) | (open_f & set1(8));
    for (int k = 0; k < lanes; ++k) p[k] = static_cast<std::uint8_t>(bits[k]);
  }
};

using I8 = Lanes<std::int8_t>;
using I16 = Lanes<std::int16_t>;
using I32 = Lanes<std::int32_t>;

}  // namespace alnus::cpu::portable
