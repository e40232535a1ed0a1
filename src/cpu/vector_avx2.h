// Vectors of AVX2: 32 lanes of 8 bits, 16 lanes of 16 bits or 8 lanes of 32 bits.
#pragma once

#include <cstdint>
#include <immintrin.h>

#include "cpu/kernel_set.h"

namespace alnus::cpu::avx2 {

struct Bits256 {
  using Vec = __m256i;
  typedef std::uint64_t Words __attribute__((vector_size(32)));
  static ALNUS_INLINE Vec load(const void* p) { return _mm256_load_si256(static_cast<const __m256i*>(p)); }
  static ALNUS_INLINE void store(void* p, Vec v) { _mm256_store_si256(static_cast<__m256i*>(p), v); }
  static ALNUS_INLINE Vec load_unaligned(const void* p) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
  // True if all lanes are -1.
  static ALNUS_INLINE bool all_ones(Vec v) { return _mm256_testc_si256(v, _mm256_set1_epi8(-1)); }
  // Loads 16 bytes from each of two addresses.
  template <class Elem>
  static ALNUS_INLINE Vec load16(const Elem* low, const Elem* high) {
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
  }
};

struct I8 : Bits256 {
  using Elem = std::int8_t;
  static constexpr int lanes = 32;
  static ALNUS_INLINE Vec set1(int x) { return _mm256_set1_epi8(static_cast<char>(x)); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm256_add_epi8(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm256_sub_epi8(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm256_max_epi8(a, b); }
  static ALNUS_INLINE Vec max_by_compare(Vec a, Vec b) { return max(a, b); }
  static ALNUS_INLINE Vec select_bytes(Vec mask, Vec a, Vec b) { return _mm256_blendv_epi8(b, a, mask); }
  using Mask = Vec;
  static constexpr int trace_bytes = 16;
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm256_cmpeq_epi8(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm256_blendv_epi8(b, a, m); }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    auto* words = reinterpret_cast<std::int32_t*>(p);
    words[0] = _mm256_movemask_epi8(diagonal);
    words[1] = _mm256_movemask_epi8(from_e);
    words[2] = _mm256_movemask_epi8(open_e);
    words[3] = _mm256_movemask_epi8(open_f);
  }
  // For transpose(): load_rows() loads 16 bytes of rows 0 and 16, interleave_low() and interleave_high()
  // interleave the halves of each 16 bytes.
  static ALNUS_INLINE Vec load_rows(const Elem* const* rows, std::int32_t first) {
    return load16(rows[0] + first, rows[16] + first);
  }
  static ALNUS_INLINE Vec interleave_low(Vec a, Vec b) { return _mm256_unpacklo_epi8(a, b); }
  static ALNUS_INLINE Vec interleave_high(Vec a, Vec b) { return _mm256_unpackhi_epi8(a, b); }
  struct Table {
    Vec low, high;
  };
  static ALNUS_INLINE Table table(const std::int8_t* row) {
    const auto* halves = reinterpret_cast<const __m128i*>(row);
    return {_mm256_broadcastsi128_si256(_mm_loadu_si128(halves)),
            _mm256_broadcastsi128_si256(_mm_loadu_si128(halves + 1))};
  }
  // Indices for two shuffles of 16 letters each. A shuffle gives 0 where bit 7 of the index is set: in `low`
  // for letters from 16 on, in `high` for letters below 16.
  struct Letters {
    Vec low, high;
  };
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) {
    const Vec l = load(p);
    return {_mm256_add_epi8(l, set1(0x70)), _mm256_sub_epi8(l, set1(16))};
  }
  static ALNUS_INLINE Vec lookup(const Table& t, const Letters& l) {
    return _mm256_or_si256(_mm256_shuffle_epi8(t.low, l.low), _mm256_shuffle_epi8(t.high, l.high));
  }
};

struct I16 : Bits256 {
  using Elem = std::int16_t;
  using Mask = __m256i;
  static constexpr int lanes = 16, trace_bytes = 16;
  static ALNUS_INLINE Vec set1(int x) { return _mm256_set1_epi16(static_cast<short>(x)); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm256_add_epi16(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm256_sub_epi16(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm256_max_epi16(a, b); }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) { return _mm256_cmpgt_epi16(a, b); }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm256_cmpeq_epi16(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm256_blendv_epi8(b, a, m); }
  static ALNUS_INLINE bool any(Mask m) { return !_mm256_testz_si256(m, m); }
  // Lane 0 takes `first`, lane l takes lane l - 1.
  static ALNUS_INLINE Vec shift_in(Vec v, Elem first) {
    const Vec carried = _mm256_permute2x128_si256(v, v, 0x08);  // low half: zeros; high half: v's low half
    // Each half: its last carried lane, then its first seven lanes of v.
    return _mm256_insert_epi16(_mm256_alignr_epi8(v, carried, 14), first, 0);
  }
  // Lane l takes lane l - kDistance, or `fill` where there is none.
  template <int kDistance>
  static ALNUS_INLINE Vec shift_lanes(Vec v, Vec fill) {
    const Vec carried = _mm256_permute2x128_si256(v, fill, 0x02);  // low half: fill; high half: v's low half
    if constexpr (kDistance == 8) {
      return carried;
    } else {
      // Each half: its last kDistance carried lanes, then its first lanes of v.
      return _mm256_alignr_epi8(v, carried, 16 - 2 * kDistance);
    }
  }
  // For transpose(): load_rows() loads 16 bytes of rows 0 and 8, interleave_low() and interleave_high()
  // interleave the halves of each 16 bytes.
  static ALNUS_INLINE Vec load_rows(const Elem* const* rows, std::int32_t first) {
    return load16(rows[0] + first, rows[8] + first);
  }
  static ALNUS_INLINE Vec interleave_low(Vec a, Vec b) { return _mm256_unpacklo_epi16(a, b); }
  static ALNUS_INLINE Vec interleave_high(Vec a, Vec b) { return _mm256_unpackhi_epi16(a, b); }
  static ALNUS_INLINE Vec add_saturating(Vec a, Vec b) { return _mm256_adds_epi16(a, b); }
  static ALNUS_INLINE Vec sub_saturating(Vec a, Vec b) { return _mm256_subs_epi16(a, b); }
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
      for (int h = 0; h < 2; ++h)
        t.byte[b][h] = _mm_load_si128(reinterpret_cast<const __m128i*>(bytes[b][h]));
    }
    return t;
  }
  struct Letters {
    __m128i low, high;
  };
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) {
    const __m128i l = _mm_load_si128(reinterpret_cast<const __m128i*>(p));
    return {_mm_add_epi8(l, _mm_set1_epi8(0x70)), _mm_sub_epi8(l, _mm_set1_epi8(16))};
  }
  static ALNUS_INLINE Vec lookup(const Table& t, const Letters& l) {
    const __m128i low =
        _mm_or_si128(_mm_shuffle_epi8(t.byte[0][0], l.low), _mm_shuffle_epi8(t.byte[0][1], l.high));
    const __m128i high =
        _mm_or_si128(_mm_shuffle_epi8(t.byte[1][0], l.low), _mm_shuffle_epi8(t.byte[1][1], l.high));
    return _mm256_set_m128i(_mm_unpackhi_epi8(low, high), _mm_unpacklo_epi8(low, high));
  }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    const Vec bits = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(diagonal, set1(1)), _mm256_and_si256(from_e, set1(2))),
        _mm256_or_si256(_mm256_and_si256(open_e, set1(4)), _mm256_and_si256(open_f, set1(8))));
    const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
    _mm_store_si128(reinterpret_cast<__m128i*>(p), bytes);
  }
};

struct I32 : Bits256 {
  using Elem = std::int32_t;
  using Mask = __m256i;
  static constexpr int lanes = 8, trace_bytes = 8;
  static ALNUS_INLINE Vec set1(int x) { return _mm256_set1_epi32(x); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm256_add_epi32(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm256_sub_epi32(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm256_max_epi32(a, b); }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) { return _mm256_cmpgt_epi32(a, b); }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm256_cmpeq_epi32(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm256_blendv_epi8(b, a, m); }
  static ALNUS_INLINE bool any(Mask m) { return !_mm256_testz_si256(m, m); }
  // Lane 0 takes `first`, lane l takes lane l - 1.
  static ALNUS_INLINE Vec shift_in(Vec v, Elem first) {
    const Vec up = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6));
    return _mm256_blend_epi32(up, set1(first), 1);
  }
  // Lane l takes lane l - kDistance, or `fill` where there is none.
  template <int kDistance>
  static ALNUS_INLINE Vec shift_lanes(Vec v, Vec fill) {
    const Vec carried = _mm256_permute2x128_si256(v, fill, 0x02);  // low half: fill; high half: v's low half
    if constexpr (kDistance == 4) {
      return carried;
    } else {
      return _mm256_alignr_epi8(v, carried, 16 - 4 * kDistance);
    }
  }
  // No 32-bit lane saturates: scores stay below 2^30, and at most 2^30 is subtracted from values far above
  // the lowest one.
  static ALNUS_INLINE Vec add_saturating(Vec a, Vec b) { return add(a, b); }
  static ALNUS_INLINE Vec sub_saturating(Vec a, Vec b) { return sub(a, b); }
  struct Table {
    const std::int32_t* row;
  };
  static ALNUS_INLINE Table table(const std::int32_t* row) { return {row}; }
  using Letters = Vec;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  }
  static ALNUS_INLINE Vec lookup(const Table& t, Letters l) { return _mm256_i32gather_epi32(t.row, l, 4); }
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    const Vec bits = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(diagonal, set1(1)), _mm256_and_si256(from_e, set1(2))),
        _mm256_or_si256(_mm256_and_si256(open_e, set1(4)), _mm256_and_si256(open_f, set1(8))));
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
  }
};

}  // namespace alnus::cpu::avx2
