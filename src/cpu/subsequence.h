// Lengths of longest common subsequences, a bit for each cell (Hyyro 2004, "Bit-parallel LCS-length
// computation revisited", AWOCA). In a column of the dynamic programming matrix, a value is either equal to
// the one above, or larger by 1. V has a bit for each row: 0 where the value is larger. With M, the rows
// whose letter matches the next column's letter, that column has
//
//   V' = (V + (V & M)) | (V & ~M),
//
// where V is all ones at first. Each lane has a query of its own, and each of its words 64 rows of it; the
// carry of the addition goes from a word to the next. All lanes have the same subject, so that M of all lanes
// is one load.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V>
struct Subsequence {
  using Words = typename V::Words;
  static constexpr int kVec = sizeof(Words), kLanes = kVec / 8;

  static std::uint64_t workspace_bytes(std::int32_t strips) {
    return (static_cast<std::uint64_t>(strips) * kStripWords + kChunkColumns) * kVec;
  }

  // Computes a strip of kWords words in the columns of a chunk. `v`: the strip's V, [kWords]. `carries`: by
  // column, the carry into the strip, which is replaced by the carry out of it; null: the strip is the only
  // one.
  template <int kWords>
  static void strip(const SubsequenceJob& job, std::int32_t number, const std::uint8_t* subject,
                    std::int32_t columns, Words* v, Words* carries) {
    Words words[kWords];
    for (int w = 0; w < kWords; ++w) words[w] = v[w];
    const auto* profile =
        reinterpret_cast<const Words*>(job.profile) + static_cast<std::int64_t>(number) * kLetters * kWords;
    for (std::int32_t j = 0; j < columns; ++j) {
      const Words* matches = profile + (subject[j] & (kLetters - 1)) * kWords;
      Words carry = carries != nullptr ? carries[j] : Words{};
#pragma GCC unroll 8
      for (int w = 0; w < kWords; ++w) {
        const Words m = matches[w], old = words[w], both = old & m;
        const Words sum = old + both + carry;
        carry = (both | (old & ~sum)) >> 63;
        words[w] = sum | (old & ~m);
      }
      if (carries != nullptr) carries[j] = carry;
    }
    for (int w = 0; w < kWords; ++w) v[w] = words[w];
  }

  using Strip = void (*)(const SubsequenceJob&, std::int32_t, const std::uint8_t*, std::int32_t, Words*,
                         Words*);
  static constexpr Strip kStrips[kStripWords] = {strip<1>, strip<2>, strip<3>, strip<4>,
                                                 strip<5>, strip<6>, strip<7>, strip<8>};

  static void run(const SubsequenceJob& job) {
    const Strip strip = kStrips[job.strip_words - 1];
    auto* const v = reinterpret_cast<Words*>(job.workspace);
    const std::int32_t words = job.strips * job.strip_words;
    Words* const carries = v + words;
    for (std::int32_t w = 0; w < words; ++w) v[w] = ~Words{};
    for (std::int32_t first = 0; first < job.columns; first += kChunkColumns) {
      if (stopped(job.stop_flag)) return;
      const std::int32_t columns = job.columns - first < kChunkColumns ? job.columns - first : kChunkColumns;
      if (job.strips > 1)
        for (std::int32_t j = 0; j < columns; ++j) carries[j] = Words{};
      for (std::int32_t s = 0; s < job.strips; ++s)
        strip(job, s, job.subject + first, columns, v + s * job.strip_words,
              job.strips > 1 ? carries : nullptr);
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      std::int32_t length = 0;  // rows beyond the query's end match nothing, so that their bits stay 1
      for (std::int32_t w = 0; w < words; ++w) length += __builtin_popcountll(~v[w][lane]);
      job.length[lane] = length;
    }
  }
};

}  // namespace alnus::cpu
