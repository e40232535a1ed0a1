// Vectors of AVX-512 (F, BW, VL, DQ, VBMI): 64 lanes of 8 bits, 32 lanes of 16 bits or 16 lanes of 32 bits.
#pragma once

#include <cstdint>
#include <immintrin.h>

#include "cpu/kernel_set.h"

namespace alnus::cpu::avx512 {

struct Bits512 {
  using Vec = __m512i;
  typedef std::uint64_t Words __attribute__((vector_size(64)));
  static ALNUS_INLINE Vec load(const void* p) { return _mm512_load_si512(p); }
  static ALNUS_INLINE void store(void* p, Vec v) { _mm512_store_si512(p, v); }
  static ALNUS_INLINE Vec load_unaligned(const void* p) { return _mm512_loadu_si512(p); }
  // True if all lanes are -1.
  static ALNUS_INLINE bool all_ones(Vec v) { return _mm512_cmpneq_epi64_mask(v, _mm512_set1_epi64(-1)) == 0; }
  // Loads 16 bytes from each of four addresses.
  template <class Elem>
  static ALNUS_INLINE Vec load16(const Elem* a, const Elem* b, const Elem* c, const Elem* d) {
    const auto load = [](const Elem* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(load(a)), load(b), 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(load(c)), load(d), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  template <class Mask>
  static ALNUS_INLINE void store_trace(std::uint8_t* p, Mask diagonal, Mask from_e, Mask open_e,
                                       Mask open_f) {
    auto* masks = reinterpret_cast<Mask*>(p);
    masks[0] = diagonal;
    masks[1] = from_e;
    masks[2] = open_e;
    masks[3] = open_f;
  }
};

// Loads of 8-bit lanes from scattered addresses, for vectors of kLanes lanes.
template <int kLanes>
struct Gathered8 {
  static constexpr int gathered = 16;  // lanes of one gather()
  // Copies 16 lanes of `count` vectors. A lane's bytes begin at its offset from `from` and are kLanes bytes
  // apart. The three bytes behind each byte are read, too.
  static ALNUS_INLINE void gather(const std::uint8_t* from, const std::int32_t* offsets, std::int32_t count,
                                  std::uint8_t* to) {
    const __m512i at = _mm512_load_si512(offsets);
    for (std::int32_t k = 0; k < count; ++k, from += kLanes, to += kLanes)
      _mm_store_si128(reinterpret_cast<__m128i*>(to),
                      _mm512_cvtepi32_epi8(_mm512_i32gather_epi32(at, from, 1)));
  }
};

struct I8 : Bits512, Gathered8<64> {
  using Elem = std::int8_t;
  static constexpr int lanes = 64;
  static ALNUS_INLINE Vec set1(int x) { return _mm512_set1_epi8(static_cast<char>(x)); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm512_add_epi8(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm512_sub_epi8(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm512_max_epi8(a, b); }
  // The maximum by a compare and a masked move. Intel's cores have one port for 512-bit maxima and two ports
  // for these operations: a few of them among the maxima balance the ports.
  static ALNUS_INLINE Vec max_by_compare(Vec a, Vec b) {
    return _mm512_mask_mov_epi8(a, _mm512_cmpgt_epi8_mask(b, a), b);
  }
  static ALNUS_INLINE Vec select_bytes(Vec mask, Vec a, Vec b) {
    return _mm512_mask_mov_epi8(b, _mm512_movepi8_mask(mask), a);
  }
  using Mask = __mmask64;
  static constexpr int trace_bytes = 32;
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm512_cmpeq_epi8_mask(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm512_mask_mov_epi8(b, m, a); }
  // For transpose(): load_rows() loads 16 bytes of rows 0, 16, 32 and 48, interleave_low() and
  // interleave_high() interleave the halves of each 16 bytes.
  static ALNUS_INLINE Vec load_rows(const Elem* const* rows, std::int32_t first) {
    return load16(rows[0] + first, rows[16] + first, rows[32] + first, rows[48] + first);
  }
  static ALNUS_INLINE Vec interleave_low(Vec a, Vec b) { return _mm512_unpacklo_epi8(a, b); }
  static ALNUS_INLINE Vec interleave_high(Vec a, Vec b) { return _mm512_unpackhi_epi8(a, b); }
  struct Table {
    Vec row;
  };
  static ALNUS_INLINE Table table(const std::int8_t* row) {
    return {_mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)))};
  }
  using Letters = Vec;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) { return load(p); }
  static ALNUS_INLINE Vec lookup(const Table& t, Letters l) { return _mm512_permutexvar_epi8(l, t.row); }
};

struct I16 : Bits512 {
  using Elem = std::int16_t;
  using Mask = __mmask32;
  static constexpr int lanes = 32, trace_bytes = 16;
  static ALNUS_INLINE Vec set1(int x) { return _mm512_set1_epi16(static_cast<short>(x)); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm512_add_epi16(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm512_sub_epi16(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm512_max_epi16(a, b); }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) { return _mm512_cmpgt_epi16_mask(a, b); }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm512_cmpeq_epi16_mask(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm512_mask_mov_epi16(b, m, a); }
  static ALNUS_INLINE bool any(Mask m) { return m != 0; }
  // Lane 0 takes `first`, lane l takes lane l - 1.
  static ALNUS_INLINE Vec shift_in(Vec v, Elem first) {
    const Vec up = _mm512_set_epi16(30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13,
                                    12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0);
    return _mm512_mask_set1_epi16(_mm512_permutexvar_epi16(up, v), 1, first);
  }
  // Lane l takes lane l - kDistance, or `fill` where there is none.
  template <int kDistance>
  static ALNUS_INLINE Vec shift_lanes(Vec v, Vec fill) {
    const Vec numbers = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
                                         14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_mask_permutexvar_epi16(fill, ~0u << kDistance, sub(numbers, set1(kDistance)), v);
  }
  // For transpose(): load_rows() loads 16 bytes of rows 0, 8, 16 and 24, interleave_low() and
  // interleave_high() interleave the halves of each 16 bytes.
  static ALNUS_INLINE Vec load_rows(const Elem* const* rows, std::int32_t first) {
    return load16(rows[0] + first, rows[8] + first, rows[16] + first, rows[24] + first);
  }
  static ALNUS_INLINE Vec interleave_low(Vec a, Vec b) { return _mm512_unpacklo_epi16(a, b); }
  static ALNUS_INLINE Vec interleave_high(Vec a, Vec b) { return _mm512_unpackhi_epi16(a, b); }
  static ALNUS_INLINE Vec add_saturating(Vec a, Vec b) { return _mm512_adds_epi16(a, b); }
  static ALNUS_INLINE Vec sub_saturating(Vec a, Vec b) { return _mm512_subs_epi16(a, b); }
  struct Table {
    Vec row;
  };
  static ALNUS_INLINE Table table(const std::int32_t* row) {
    const __m256i low = _mm512_cvtepi32_epi16(_mm512_loadu_si512(row));
    const __m256i high = _mm512_cvtepi32_epi16(_mm512_loadu_si512(row + 16));
    return {_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)};
  }
  using Letters = Vec;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) {
    return _mm512_cvtepu8_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static ALNUS_INLINE Vec lookup(const Table& t, Letters l) { return _mm512_permutexvar_epi16(l, t.row); }
};

struct I32 : Bits512 {
  using Elem = std::int32_t;
  using Mask = __mmask16;
  static constexpr int lanes = 16, trace_bytes = 8;
  static ALNUS_INLINE Vec set1(int x) { return _mm512_set1_epi32(x); }
  static ALNUS_INLINE Vec add(Vec a, Vec b) { return _mm512_add_epi32(a, b); }
  static ALNUS_INLINE Vec sub(Vec a, Vec b) { return _mm512_sub_epi32(a, b); }
  static ALNUS_INLINE Vec max(Vec a, Vec b) { return _mm512_max_epi32(a, b); }
  static ALNUS_INLINE Mask gt(Vec a, Vec b) { return _mm512_cmpgt_epi32_mask(a, b); }
  static ALNUS_INLINE Mask eq(Vec a, Vec b) { return _mm512_cmpeq_epi32_mask(a, b); }
  static ALNUS_INLINE Vec select(Mask m, Vec a, Vec b) { return _mm512_mask_mov_epi32(b, m, a); }
  static ALNUS_INLINE bool any(Mask m) { return m != 0; }
  // Lane 0 takes `first`, lane l takes lane l - 1.
  static ALNUS_INLINE Vec shift_in(Vec v, Elem first) {
    return _mm512_mask_set1_epi32(_mm512_alignr_epi32(v, v, 15), 1, first);
  }
  // Lane l takes lane l - kDistance, or `fill` where there is none.
  template <int kDistance>
  static ALNUS_INLINE Vec shift_lanes(Vec v, Vec fill) {
    return _mm512_alignr_epi32(v, fill, 16 - kDistance);
  }
  // No 32-bit lane saturates: scores stay below 2^30, and at most 2^30 is subtracted from values far above
  // the lowest one.
  static ALNUS_INLINE Vec add_saturating(Vec a, Vec b) { return add(a, b); }
  static ALNUS_INLINE Vec sub_saturating(Vec a, Vec b) { return sub(a, b); }
  struct Table {
    Vec low, high;
  };
  static ALNUS_INLINE Table table(const std::int32_t* row) {
    return {_mm512_loadu_si512(row), _mm512_loadu_si512(row + 16)};
  }
  using Letters = Vec;
  static ALNUS_INLINE Letters letters(const std::uint8_t* p) {
    return _mm512_cvtepu8_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static ALNUS_INLINE Vec lookup(const Table& t, Letters l) {
    return _mm512_permutex2var_epi32(t.low, l, t.high);
  }
};

}  // namespace alnus::cpu::avx512
