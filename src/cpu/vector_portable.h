// Any processor: loops over 16 bytes that the compiler turns into whatever vectors there are.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cpu/kernel_set.h"

namespace alnus::cpu::portable {

template <class E, int N>
struct Array {
  E at[N];
};

template <class E, class WideE>
struct Lanes {
  using Elem = E;
  static constexpr int lanes = 16 / sizeof(E), trace_bytes = lanes;
  using Vec = Array<E, lanes>;
  using Mask = Array<bool, lanes>;

  template <class F>
  static ALNUS_INLINE auto each(F f) {
    Array<decltype(f(0)), lanes> r;
    for (int k = 0; k < lanes; ++k) r.at[k] = f(k);
    return r;
  }
  static ALNUS_INLINE Vec load(const void* p) { return *static_cast<const Vec*>(p); }
  static ALNUS_INLINE void store(void* p, Vec v) { *static_cast<Vec*>(p) = v; }
  static ALNUS_INLINE Vec set1(int x) {
    return each([&](int) { return static_cast<E>(x); });
  }
  static ALNUS_INLINE Vec add(Vec a, Vec b) {  // wraps, as vector instructions do
    return each(
        [&](int k) { return static_cast<E>(static_cast<WideE>(a.at[k]) + static_cast<WideE>(b.at[k])); });
  }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) {
    return each(
        [&](int k) { return static_cast<E>(static_cast<WideE>(a.at[k]) - static_cast<WideE>(b.at[k])); });
  }
  static ALNUS_INLINE Vec max(Vec a, Vec b) {
    return each([&](int k) { return a.at[k] > b.at[k] ? a.at[k] : b.at[k]; });
  }
  static ALNUS_INLINE Vec max_by_compare(Vec a, Vec b) { return max(a, b); }
  static ALNUS_INLINE Vec select_bytes(Vec mask, Vec a, Vec b) {
    return each([&](int k) { return mask.at[k] ? a.at[k] : b.at[k]; });
  }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) {
    return each([&](int k) { return a.at[k] > b.at[k]; });
  }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) {
    return each([&](int k) { return a.at[k] == b.at[k]; });
  }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) {
    return each([&](int k) { return m.at[k] ? a.at[k] : b.at[k]; });
  }
  static ALNUS_INLINE bool any(Mask m) {
    bool r = false;
    for (int k = 0; k < lanes; ++k) r |= m.at[k];
    return r;
  }
  static ALNUS_INLINE Vec shift_in(Vec v, E first) {
    return each([&](int k) { return k == 0 ? first : v.at[k - 1]; });
  }
  // int8_t rows for 8 bit, int32_t rows for the others.
  template <class Row>
  struct TableOf {
    const Row* row;
  };
  using Row = std::conditional_t<sizeof(E) == 1, std::int8_t, std::int32_t>;
  using Table = TableOf<Row>;
  static ALNUS_INLINE Table table(const Row* row) { return {row}; }
  using Letters = const std::uint8_t*;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) { return p; }
  static ALNUS_INLINE Vec lookup(const Table& t, Letters l) {
    return each([&](int k) { return static_cast<E>(t.row[l[k]]); });
  }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    for (int k = 0; k < lanes; ++k) {
      p[k] = static_cast<std::uint8_t>(diagonal.at[k] | from_e.at[k] << 1 | open_e.at[k] << 2 |
                                       open_f.at[k] << 3);
    }
  }
  static ALNUS_INLINE unsigned trace_at(const std::uint8_t* p, int lane) { return p[lane]; }
};

using I8 = Lanes<std::int8_t, std::uint32_t>;
using I16 = Lanes<std::int16_t, std::uint32_t>;
using I32 = Lanes<std::int32_t, std::uint32_t>;

}  // namespace alnus::cpu::portable
