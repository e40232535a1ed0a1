// Vectors of SSE4.1: 16 lanes of 8 bits, 8 lanes of 16 bits or 4 lanes of 32 bits.
#pragma once

#include <cstdint>
#include <smmintrin.h>

#include "cpu/kernel_set.h"

namespace alnus::cpu::sse41 {

struct Bits128 {
  using Vec = __m128i;
  typedef std::uint64_t Words __attribute__((vector_size(16)));
  static ALNUS_INLINE Vec load(const void* p) { return _mm_load_si128(static_cast<const __m128i*>(p)); }
  static ALNUS_INLINE void store(void* p, Vec v) { _mm_store_si128(static_cast<__m128i*>(p), v); }
  static ALNUS_INLINE Vec load_unaligned(const void* p) {
    return _mm_loadu_si128(static_cast<const __m128i*>(p));
  }
  // True if all lanes are -1.
  static ALNUS_INLINE bool all_ones(Vec v) { return _mm_test_all_ones(v); }
  template <class Elem>
  static ALNUS_INLINE Vec load16(const Elem* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  }
};

// Indices for two shuffles of 16 letters each. A shuffle gives 0 where bit 7 of the index is set: in `low`
// for letters from 16 on, in `high` for letters below 16.
struct SplitLetters {
  __m128i low, high;
  static ALNUS_INLINE SplitLetters of(__m128i l) {
    return {_mm_add_epi8(l, _mm_set1_epi8(0x70)), _mm_sub_epi8(l, _mm_set1_epi8(16))};
  }
  ALNUS_INLINE __m128i lookup(__m128i letters_0_15, __m128i letters_16_31) const {
    return _mm_or_si128(_mm_shuffle_epi8(letters_0_15, low), _mm_shuffle_epi8(letters_16_31, high));
  }
};

struct I8 : Bits128 {
  using Elem = std::int8_t;
  static constexpr int lanes = 16;
  static ALNUS_INLINE Vec set1(int x) { return _mm_set1_epi8(static_cast<char>(x)); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm_add_epi8(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm_sub_epi8(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm_max_epi8(a, b); }
  static ALNUS_INLINE Vec max_by_compare(Vec a, Vec b) { return max(a, b); }
  static ALNUS_INLINE Vec select_bytes(Vec mask, Vec a, Vec b) { return _mm_blendv_epi8(b, a, mask); }
  using Mask = Vec;
  static constexpr int trace_bytes = 8;
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm_cmpeq_epi8(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm_blendv_epi8(b, a, m); }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    auto* words = reinterpret_cast<std::int16_t*>(p);
    words[0] = static_cast<std::int16_t>(_mm_movemask_epi8(diagonal));
    words[1] = static_cast<std::int16_t>(_mm_movemask_epi8(from_e));
    words[2] = static_cast<std::int16_t>(_mm_movemask_epi8(open_e));
    words[3] = static_cast<std::int16_t>(_mm_movemask_epi8(open_f));
  }
  // For transpose(): load_rows() loads 16 bytes of row 0, interleave_low() and interleave_high() interleave
  // the halves of two vectors.
  static ALNUS_INLINE Vec load_rows(const Elem* const* rows, std::int32_t first) {
    return load16(rows[0] + first);
  }
  static ALNUS_INLINE Vec interleave_low(Vec a, Vec b) { return _mm_unpacklo_epi8(a, b); }
  static ALNUS_INLINE Vec interleave_high(Vec a, Vec b) { return _mm_unpackhi_epi8(a, b); }
  struct Table {
    Vec low, high;
  };
  static ALNUS_INLINE Table table(const std::int8_t* row) {
    const auto* halves = reinterpret_cast<const __m128i*>(row);
    return {_mm_loadu_si128(halves), _mm_loadu_si128(halves + 1)};
  }
  using Letters = SplitLetters;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) { return SplitLetters::of(load(p)); }
  static ALNUS_INLINE Vec lookup(const Table& t, const Letters& l) { return l.lookup(t.low, t.high); }
};

struct I16 : Bits128 {
  using Elem = std::int16_t;
  using Mask = __m128i;
  static constexpr int lanes = 8, trace_bytes = 8;
  static ALNUS_INLINE Vec set1(int x) { return _mm_set1_epi16(static_cast<short>(x)); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm_add_epi16(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm_sub_epi16(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm_max_epi16(a, b); }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) { return _mm_cmpgt_epi16(a, b); }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm_cmpeq_epi16(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm_blendv_epi8(b, a, m); }
  static ALNUS_INLINE bool any(Mask m) { return !_mm_testz_si128(m, m); }
  // Lane 0 takes `first`, lane l takes lane l - 1.
  static ALNUS_INLINE Vec shift_in(Vec v, Elem first) {
    return _mm_insert_epi16(_mm_slli_si128(v, 2), first, 0);
  }
  // Lane l takes lane l - kDistance, or `fill` where there is none.
  template <int kDistance>
  static ALNUS_INLINE Vec shift_lanes(Vec v, Vec fill) {
    return _mm_alignr_epi8(v, fill, 16 - 2 * kDistance);
  }
  // For transpose(), as in I8.
  static ALNUS_INLINE Vec load_rows(const Elem* const* rows, std::int32_t first) {
    return load16(rows[0] + first);
  }
  static ALNUS_INLINE Vec interleave_low(Vec a, Vec b) { return _mm_unpacklo_epi16(a, b); }
  static ALNUS_INLINE Vec interleave_high(Vec a, Vec b) { return _mm_unpackhi_epi16(a, b); }
  static ALNUS_INLINE Vec add_saturating(Vec a, Vec b) { return _mm_adds_epi16(a, b); }
  static ALNUS_INLINE Vec sub_saturating(Vec a, Vec b) { return _mm_subs_epi16(a, b); }
  // The low and the high bytes of scores are looked up apart, and then interleaved.
  struct Table {
    __m128i byte[2][2];  // [low, high byte][letters 0-15, 16-31]
  };
  static ALNUS_INLINE Table table(const std::int32_t* row) {
    alignas(16) std::uint8_t bytes[2][2][16];
    for (int k = 0; k < 32; ++k) {
      bytes[0][k / 16][k % 16] = static_cast<std::uint8_t>(row[k]);
      bytes[1][k / 16][k % 16] = static_cast<std::uint8_t>(row[k] >> 8);
    }
    Table t;
    for (int b = 0; b < 2; ++b) {
      for (int h = 0; h < 2; ++h) t.byte[b][h] = load(bytes[b][h]);
    }
    return t;
  }
  using Letters = SplitLetters;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) {
    return SplitLetters::of(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  }
  static ALNUS_INLINE Vec lookup(const Table& t, const Letters& l) {
    return _mm_unpacklo_epi8(l.lookup(t.byte[0][0], t.byte[0][1]), l.lookup(t.byte[1][0], t.byte[1][1]));
  }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    const Vec bits =
        _mm_or_si128(_mm_or_si128(_mm_and_si128(diagonal, set1(1)), _mm_and_si128(from_e, set1(2))),
                     _mm_or_si128(_mm_and_si128(open_e, set1(4)), _mm_and_si128(open_f, set1(8))));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(bits, bits));
  }
};

struct I32 : Bits128 {
  using Elem = std::int32_t;
  using Mask = __m128i;
  static constexpr int lanes = 4, trace_bytes = 4;
  static ALNUS_INLINE Vec set1(int x) { return _mm_set1_epi32(x); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm_add_epi32(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm_sub_epi32(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm_max_epi32(a, b); }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) { return _mm_cmpgt_epi32(a, b); }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm_cmpeq_epi32(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm_blendv_epi8(b, a, m); }
  static ALNUS_INLINE bool any(Mask m) { return !_mm_testz_si128(m, m); }
  // Lane 0 takes `first`, lane l takes lane l - 1.
  static ALNUS_INLINE Vec shift_in(Vec v, Elem first) {
    return _mm_insert_epi32(_mm_slli_si128(v, 4), first, 0);
  }
  // Lane l takes lane l - kDistance, or `fill` where there is none.
  template <int kDistance>
  static ALNUS_INLINE Vec shift_lanes(Vec v, Vec fill) {
    return _mm_alignr_epi8(v, fill, 16 - 4 * kDistance);
  }
  // No 32-bit lane saturates: scores stay below 2^30, and at most 2^30 is subtracted from values far above
  // the lowest one.
  static ALNUS_INLINE Vec add_saturating(Vec a, Vec b) { return add(a, b); }
  static ALNUS_INLINE Vec sub_saturating(Vec a, Vec b) { return sub(a, b); }
  struct Table {
    const std::int32_t* row;
  };
  static ALNUS_INLINE Table table(const std::int32_t* row) { return {row}; }
  using Letters = const std::uint8_t*;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) { return p; }
  static ALNUS_INLINE Vec lookup(const Table& t, Letters l) {
    return _mm_setr_epi32(t.row[l[0]], t.row[l[1]], t.row[l[2]], t.row[l[3]]);
  }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    const Vec bits =
        _mm_or_si128(_mm_or_si128(_mm_and_si128(diagonal, set1(1)), _mm_and_si128(from_e, set1(2))),
                     _mm_or_si128(_mm_and_si128(open_e, set1(4)), _mm_and_si128(open_f, set1(8))));
    const __m128i words = _mm_packus_epi32(bits, bits);
    *reinterpret_cast<std::int32_t*>(p) = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
  }
};

}  // namespace alnus::cpu::sse41
