// A query without gaps at every place of a subject. Lanes are neighbouring windows of the subject, and hold
// what a window may still lose of the query's best possible score: first `may_lose`, and -1 once the window
// has lost more. The profile has a row for each letter of the query, with what the letter loses beside each
// residue of the subject. So a row of the query takes one load for a vector of windows, from an address that
// is not aligned, and two operations.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V>
struct Gapless {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;
  static constexpr int W = V::lanes, kVec = sizeof(Vec);
  static constexpr int kVectors = 4;  // vectors of windows that registers hold at a time
  static constexpr int kGroup = kVectors * W;
  static constexpr std::int32_t kRowsBetweenLooks = 16;  // rows until a look whether any window is left
  // -1 less the largest loss, kMost + 1, is the lowest value of a lane.
  static constexpr std::int32_t kMost = sizeof(Elem) == 1 ? 126 : 32766;
  static_assert(kGaplessStep % kGroup == 0 && kGaplessLanes % W == 0);

  // Writes the rows of the profile, and to `profile` where those of the letters begin.
  static void make_profile(const GaplessJob& job, const std::uint8_t* (&profile)[kLetters]) {
    using Row = std::conditional_t<sizeof(Elem) == 1, std::int8_t, std::int32_t>;
    std::uint8_t* to = job.workspace;
    for (int letter = 0; letter < kLetters; ++letter) {
      if ((job.used >> letter & 1) == 0) continue;
      profile[letter] = to;
      alignas(64) Row losses[kLetters];
      for (int s = 0; s < kLetters; ++s) losses[s] = static_cast<Row>(job.losses[letter * kLetters + s]);
      const auto table = V::table(losses);
      for (std::int32_t j = 0; j < job.columns; j += W, to += kVec)
        V::store(to, V::lookup(table, V::letters(job.subject + j)));
    }
  }

  // Computes the windows [first, first + kGroup).
  static ALNUS_INLINE void group(GaplessJob& job, const std::uint8_t* const (&profile)[kLetters],
                                 std::int32_t first) {
    const Vec none = V::set1(-1);
    Vec left[kVectors];
    for (int v = 0; v < kVectors; ++v) left[v] = V::set1(job.may_lose);
    for (std::int32_t i = 0; i < job.rows;) {
      const std::int32_t end = job.rows - i < kRowsBetweenLooks ? job.rows : i + kRowsBetweenLooks;
      for (; i < end; ++i) {
        const std::uint8_t* const losses =
            profile[job.query[i] & (kLetters - 1)] + (std::int64_t{first} + i) * std::int64_t{sizeof(Elem)};
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
          left[v] = V::max(V::sub(left[v], V::load_unaligned(losses + v * kVec)), none);
      }
      if (V::all_ones(V::max(V::max(left[0], left[1]), V::max(left[2], left[3])))) return;
    }
    alignas(64) Elem of_window[kGroup];
    for (int v = 0; v < kVectors; ++v) V::store(of_window + v * W, left[v]);
    for (int k = 0; k < kGroup; ++k)
      if (of_window[k] >= 0) job.hits[job.hit_count++] = {first + k, of_window[k]};
  }

  static void run(GaplessJob& job) {
    const std::uint8_t* profile[kLetters] = {};
    make_profile(job, profile);
    job.hit_count = 0;
    for (std::int32_t first = 0; first < job.windows && !stopped(job.stop_flag); first += kGroup)
      group(job, profile, first);
  }
};

}  // namespace alnus::cpu
