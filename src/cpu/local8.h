// Smith-Waterman scores in 8-bit lanes, one subject a lane. docs/cpu-kernels.md explains the ideas:
//
//  * Cells with odd i + j hold their value plus `extend`, cells with even i + j just their value. So
//    extending a gap from an even to an odd cell needs no subtraction, from odd to even one of 2*extend.
//  * No operation saturates: `zero` is so far above -128 that nothing wraps below, and a score near the
//    top is reported as unknown. Plain additions run on two of Intel's 512-bit ports, saturating ones
//    on one.
//  * Every cell is the right or lower neighbour of a cell in an even column, so the floor of 0 is put
//    under the gap openings of even columns, and nowhere else.
//  * The best is tracked on even rows, in W = max(E, F): W holds H - first of the left and of the upper
//    neighbour, so these rows see every cell.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V, int kColumns, int kRows>
struct Local8 {
  using Vec = typename V::Vec;
  static_assert(kColumns % 2 == 0 && kRows % 2 == 0 && kRowStep % kRows == 0);

  struct Constants {
    Vec zero, zero_odd;                 // score 0 in even and in odd cells
    Vec open_from_even, open_from_odd;  // first residue of a gap, with the change of parity
    Vec extend_from_odd;
  };
  struct Best {
    Vec even, odd;  // of W, by the parity of the cell
  };
  // The border between two blocks of columns: H of the last column, E as it enters the next.
  struct Border {
    Vec h, e;
  };

  static constexpr std::uint64_t kProfileBytes = std::uint64_t{kLetters} * kColumns * sizeof(Vec);
  static std::uint64_t workspace_bytes(std::int32_t rows) {
    return kProfileBytes + static_cast<std::uint64_t>(rows) * sizeof(Border);
  }

  // One cell: row parity r and column j within the block are known at compile time once unrolled.
  // kExactGaps: E and F are those of the formula, not only H.
  template <bool kExactGaps>
  static ALNUS_INLINE void cell(int r, int j, Vec score, Vec& diagonal, Vec& e, Vec* h, Vec* f, Best& best,
                                const Constants& c) {
    const bool odd = (r + j) & 1;
    const Vec matched = V::add(diagonal, score);
    diagonal = h[j];
    Vec opened;
    if (r % 2 == 0) {
      const Vec w = V::max(e, f[j]);
      if (odd) {
        best.odd = V::max_by_compare(best.odd, w);
      } else {
        best.even = V::max_by_compare(best.even, w);
      }
      h[j] = V::max(matched, w);
      opened = V::sub(h[j], odd ? c.open_from_odd : c.open_from_even);
    } else {
      // H is the same when gaps open from H without F here: a gap after a gap in the other sequence scores
      // as much as before it. The chain of dependent operations is shorter.
      const Vec g = V::max(matched, e);
      h[j] = V::max(g, f[j]);
      opened = V::sub(kExactGaps ? h[j] : g, odd ? c.open_from_odd : c.open_from_even);
    }
    if (j % 2 == 0) opened = V::max(opened, odd ? c.zero : c.zero_odd);
    if (odd) {
      e = V::max(V::sub(e, c.extend_from_odd), opened);
      f[j] = V::max(V::sub(f[j], c.extend_from_odd), opened);
    } else {
      e = V::max(e, opened);
      f[j] = V::max(f[j], opened);
    }
  }

  // All rows of one block of columns; kRows rows are under way at a time, each a column behind the one
  // above, which gives the processor independent work.
  template <bool kExactGaps>
  static __attribute__((noinline)) void block(const std::uint8_t* profile, const std::uint8_t* query,
                                              std::int32_t rows, Border* border, const Constants& c,
                                              Best& best_out) {
    constexpr std::uint64_t kStride = kColumns * sizeof(Vec);
    Vec h[kColumns], f[kColumns];
    Best best = best_out;
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      h[j] = j % 2 ? c.zero : c.zero_odd;  // row -1
      f[j] = j % 2 ? c.zero_odd : c.zero;  // as it enters row 0
    }
    Vec corner = c.zero;
    for (std::int32_t i = 0; i < rows; i += kRows) {
      Vec e[kRows], diagonal[kRows];
      diagonal[0] = corner;
      const std::uint8_t* scores[kRows];  // read before the border is written, which may alias anything
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) scores[r] = profile + std::uint64_t{query[i + r]} * kStride;
#pragma GCC unroll 32
      for (int step = 0; step < kColumns + kRows - 1; ++step) {
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
          const int j = step - r;
          if (j < 0 || j >= kColumns) continue;
          if (j == 0) {
            e[r] = border[i + r].e;
            (r + 1 < kRows ? diagonal[r + 1] : corner) = border[i + r].h;
          }
          cell<kExactGaps>(r, j, V::load(scores[r] + j * sizeof(Vec)), diagonal[r], e[r], h, f, best, c);
          if (j == kColumns - 1) border[i + r] = {h[j], e[r]};
        }
      }
    }
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {  // the last row's cells are seen by F below them
      Vec& tracked = j % 2 ? best.odd : best.even;
      tracked = V::max(tracked, f[j]);
    }
    best_out = best;
  }

  static ALNUS_INLINE void make_profile(const Local8Job& job, const std::uint8_t* letters,
                                        std::uint8_t* profile) {
    typename V::Letters columns[kColumns];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) columns[j] = V::letters(letters + j * V::lanes);
    for (std::int32_t u = 0; u < job.used_count; ++u) {
      const auto table = V::table(job.scores + job.used[u] * kLetters);
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) {
        V::store(profile + (u * kColumns + j) * static_cast<int>(sizeof(Vec)), V::lookup(table, columns[j]));
      }
    }
  }

  // By E to their right.
  static void see_last_column(const Local8Job& job, const Border* border, Best& best) {
    for (std::int32_t i = 0; i < job.rows; i += 2) best.even = V::max(best.even, border[i].e);
  }

  // Writes the bests out and starts the marked lanes anew.
  static void stop(const Local8Job& job, const Stop& stop, Border* border, const Constants& c, Best& best,
                   std::int16_t* out) {
    alignas(64) std::int8_t even[V::lanes], odd[V::lanes];
    V::store(even, best.even);
    V::store(odd, best.odd);
    for (int lane = 0; lane < V::lanes; ++lane) {
      const int of_even = even[lane] - job.zero + job.first;
      const int of_odd = odd[lane] - job.zero - job.extend + job.first;
      out[lane] = static_cast<std::int16_t>(of_even > of_odd ? of_even : of_odd);
    }
    if (stop.restart == nullptr) return;
    const Vec mask = V::load(stop.restart);
    best.even = V::select_bytes(mask, c.zero, best.even);
    best.odd = V::select_bytes(mask, c.zero_odd, best.odd);
    for (std::int32_t i = 0; i < job.rows; i += 2) {
      border[i].h = V::select_bytes(mask, c.zero_odd, border[i].h);
      border[i].e = V::select_bytes(mask, c.zero, border[i].e);
      border[i + 1].h = V::select_bytes(mask, c.zero, border[i + 1].h);
      border[i + 1].e = V::select_bytes(mask, c.zero_odd, border[i + 1].e);
    }
  }

  template <bool kSnapshots>
  static void run_blocks(const Local8Job& job) {
    const Constants c{V::set1(job.zero), V::set1(job.zero + job.extend), V::set1(job.first - job.extend),
                      V::set1(job.first + job.extend), V::set1(2 * job.extend)};
    std::uint8_t* profile = job.workspace;
    auto* border = reinterpret_cast<Border*>(job.workspace + kProfileBytes);
    auto* snapshot = reinterpret_cast<Border*>(job.snapshots);
    for (std::int32_t i = 0; i < job.rows; i += 2) {  // the column before the first is odd
      border[i] = {c.zero_odd, c.zero};
      border[i + 1] = {c.zero, c.zero_odd};
    }
    Best best{c.zero, c.zero_odd};
    std::int32_t b = 0;
    for (std::int32_t s = 0; s < job.stop_count; ++s) {
      for (; b < job.stops[s].block; ++b) {
        make_profile(job, job.letters + static_cast<std::int64_t>(b) * kColumns * V::lanes, profile);
        if (kSnapshots && b % job.snapshot_blocks == 0) {
          for (std::int32_t i = 0; i < job.rows; ++i) *snapshot++ = border[i];
        }
        const Best before = best;
        block<kSnapshots>(profile, job.query, job.rows, border, c, best);
        if (kSnapshots) note_rises(before, best, c, b, job.best_block);
      }
      const Best before = best;
      see_last_column(job, border, best);
      if (kSnapshots) note_rises(before, best, c, b, job.best_block);
      stop(job, job.stops[s], border, c, best, job.best + static_cast<std::int64_t>(s) * V::lanes);
    }
  }

  static void note_rises(const Best& before, const Best& after, const Constants& c, std::int32_t b,
                         std::int32_t* best_block) {
    const Vec extend = V::sub(c.zero_odd, c.zero);
    alignas(64) std::int8_t was[V::lanes], is[V::lanes];
    V::store(was, V::max(before.even, V::sub(before.odd, extend)));
    V::store(is, V::max(after.even, V::sub(after.odd, extend)));
    for (int lane = 0; lane < V::lanes; ++lane) {
      if (is[lane] > was[lane]) best_block[lane] = b;
    }
  }

  static void run(const Local8Job& job) {
    if (job.snapshots == nullptr) {
      run_blocks<false>(job);
    } else {
      run_blocks<true>(job);
    }
  }
};

}  // namespace alnus::cpu
