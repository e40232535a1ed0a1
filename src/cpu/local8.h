// Smith-Waterman scores in 8-bit lanes; the lanes are subjects. docs/cpu-kernels.md explains the ideas:
//
//  * Cells with odd i + j hold their value plus `extend`, cells with even i + j just their value. So
//    extending a gap from an even to an odd cell needs no subtraction, and from an odd to an even cell it
//    takes one subtraction of 2 * extend.
//  * No operation saturates. `zero` is so far above -128 that no value wraps below, and a score near 127 is
//    reported as unknown. Intel's 512-bit units have two ports for plain additions and one port for
//    saturating additions.
//  * Every cell is the right or lower neighbour of a cell in an even column. So it suffices to apply the
//    floor, score 0, to the gap openings of even columns.
//  * The best score is tracked on even rows, in W = max(E, F). W is at least H - first (the cost of a
//    gap's first residue) of the left and of the upper neighbour, so that these rows see every cell.
//  * A coarse best score is tracked in E alone, once a block. E is at least H - first of every cell to its
//    left, less the extensions in between.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"
#include "cpu/transpose.h"

namespace alnus::cpu {

template <class V, int kColumns, int kRows>
struct Local8 {
  using Vec = typename V::Vec;
  static_assert(kColumns % 2 == 0 && kRows % 2 == 0 && kRowStep % kRows == 0);

  struct Constants {
    Vec zero, zero_odd;                 // score 0 in even and in odd cells
    Vec open_from_even, open_from_odd;  // cost of a gap's first residue, and the change of parity
    Vec extend_from_odd;
  };
  struct Best {
    Vec even, odd;  // best W in even and in odd cells
  };
  // The border between two blocks of columns: H of the last column, and E as it enters the next column.
  struct Border {
    Vec h, e;
  };

  static constexpr std::uint64_t kProfileBytes = std::uint64_t{kLetters} * kColumns * sizeof(Vec);
  static std::uint64_t workspace_bytes(std::int32_t rows) {
    return kProfileBytes + static_cast<std::uint64_t>(rows) * sizeof(Border);
  }

  // Returns the value of a gap of one residue after a cell in column j, as the next cell holds it.
  static ALNUS_INLINE Vec opened(int j, bool odd, Vec h, const Constants& c) {
    const Vec gap = V::sub(h, odd ? c.open_from_odd : c.open_from_even);
    return j % 2 ? gap : V::max(gap, odd ? c.zero : c.zero_odd);
  }

  enum class Pass { scores, coarse_scores, snapshots };

  // Computes one cell, in row r of the rows under way and column j of the block; both are known at compile
  // time once loops are unrolled. With snapshots E, F and H are those of the recurrence, otherwise only H is.
  template <Pass kPass>
  static ALNUS_INLINE void cell(int r, int j, Vec score, Vec& diagonal, Vec& e, Vec* h, Vec* f, Best& best,
                                const Constants& c) {
    const bool odd = (r + j) & 1;
    const Vec matched = V::add(diagonal, score);
    diagonal = h[j];
    Vec gap;
    if (kPass == Pass::coarse_scores && j == 0) {
      Vec& tracked = odd ? best.odd : best.even;
      tracked = V::max(tracked, e);
    }
    if (kPass != Pass::coarse_scores && r % 2 == 0) {
      const Vec w = V::max(e, f[j]);
      if (odd) {
        best.odd = V::max_by_compare(best.odd, w);
      } else {
        best.even = V::max_by_compare(best.even, w);
      }
      h[j] = V::max(matched, w);
      gap = opened(j, odd, h[j], c);
    } else {
      // Gaps open here from G = max(matched, E), which is H without F. No H changes by that: a gap directly
      // after a gap in the other sequence scores as much as the two gaps in reverse order. The chain of
      // dependent operations is shorter.
      const Vec g = V::max(matched, e);
      h[j] = kPass == Pass::coarse_scores && j % 4 == 0 ? V::max_by_compare(g, f[j]) : V::max(g, f[j]);
      gap = opened(j, odd, kPass == Pass::snapshots ? h[j] : g, c);
    }
    if (odd) {
      e = V::max(V::sub(e, c.extend_from_odd), gap);
      f[j] = V::max(V::sub(f[j], c.extend_from_odd), gap);
    } else {
      e = V::max(e, gap);
      f[j] = V::max(f[j], gap);
    }
  }

  // For tracebacks: fills in the notices, which say where the best score of each lane's subject is first
  // seen.
  class Watch {
   public:
    explicit Watch(const Local8Job& job)
        : notices_(job.notices), extend_(V::set1(job.extend)), zero_(static_cast<std::int8_t>(job.zero)) {
      for (int lane = 0; lane < V::lanes; ++lane) begin(lane);
    }
    // Takes the best W of one strip of rows in a block.
    void see(const Best& best, std::int32_t block, std::int32_t strip) {
      alignas(64) std::int8_t seen[V::lanes];
      V::store(seen, V::max(best.even, V::sub(best.odd, extend_)));
      for (int lane = 0; lane < V::lanes; ++lane) {
        if (seen[lane] < reached_[lane]) continue;
        Notice& notice = notices_[lane];
        if (seen[lane] > reached_[lane]) {
          reached_[lane] = seen[lane];
          notice = {block, strip, strip};
        } else if (block <= notice.block + 1) {
          if (strip < notice.first_strip) notice.first_strip = strip;
          if (strip > notice.last_strip) notice.last_strip = strip;
        }
      }
    }
    // Goes on to the notices of the next stop. In the lanes marked in `restart` they begin empty, in the
    // other lanes as copies of the notices of the last stop.
    void stop(const std::uint8_t* restart) {
      if (restart == nullptr) return;
      notices_ += V::lanes;
      for (int lane = 0; lane < V::lanes; ++lane) {
        notices_[lane] = notices_[lane - V::lanes];
        if (restart[lane]) begin(lane);
      }
    }

   private:
    void begin(int lane) {
      reached_[lane] = zero_;
      notices_[lane] = {};
    }
    Notice* notices_;
    const Vec extend_;
    const std::int8_t zero_;
    std::int8_t reached_[V::lanes];
  };

  // Computes all rows of one block of columns. kRows rows are under way at a time, each one column behind the
  // row above, which gives the processor independent work. `watch` is used with snapshots only.
  template <Pass kPass>
  static __attribute__((noinline)) void block(const std::uint8_t* profile, const std::uint8_t* query,
                                              std::int32_t rows, Border* border, const Constants& c,
                                              Best& best_out, Watch* watch, std::int32_t number) {
    constexpr std::uint64_t kStride = kColumns * sizeof(Vec);
    Vec h[kColumns], f[kColumns];
    const Best none{c.zero, c.zero_odd};
    Best best = kPass == Pass::snapshots ? none : best_out;
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      h[j] = j % 2 ? c.zero : c.zero_odd;  // H above the first row
      f[j] = j % 2 ? c.zero_odd : c.zero;  // F as it enters the first row
    }
    Vec corner = c.zero;
    for (std::int32_t i = 0; i < rows; i += kRows) {
      if (kPass == Pass::snapshots && i % kStripRows == 0 && i > 0) {
        watch->see(best, number, i / kStripRows - 1);
        best_out = max(best_out, best);
        best = none;
      }
      Vec e[kRows], diagonal[kRows];
      diagonal[0] = corner;
      const std::uint8_t* scores[kRows];  // loaded before the border is stored, which might alias `query`
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
          cell<kPass>(r, j, V::load(scores[r] + j * sizeof(Vec)), diagonal[r], e[r], h, f, best, c);
          if (j == kColumns - 1) border[i + r] = {h[j], e[r]};
        }
      }
    }
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {  // F below the last row sees the cells of that row
      Vec& tracked = j % 2 ? best.odd : best.even;
      tracked = V::max(tracked, f[j]);
    }
    if (kPass == Pass::snapshots) {
      watch->see(best, number, (rows - 1) / kStripRows);
      best = max(best_out, best);
    }
    best_out = best;
  }

  static ALNUS_INLINE Best max(const Best& a, const Best& b) {
    return {V::max(a.even, b.even), V::max(a.odd, b.odd)};
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

  // Makes the profile from a table for each lane, as interseq.h does, but for all query letters.
  static void make_lane_profile(const Local8Job& job, const std::uint8_t* letters, std::uint8_t* profile) {
    for (int j = 0; j < kColumns; ++j) {
      const std::int8_t* rows[V::lanes];
      for (int lane = 0; lane < V::lanes; ++lane)
        rows[lane] = job.lane_scores + (lane * kLetters + letters[j * V::lanes + lane]) * kLetters;
      for (int u = 0; u < kLetters; u += kTransposed<V>) {
        Vec columns[kTransposed<V>];
        transpose<V>(rows, u, columns);
        for (int k = 0; k < kTransposed<V>; ++k)
          V::store(profile + ((u + k) * kColumns + j) * static_cast<int>(sizeof(Vec)), columns[k]);
      }
    }
  }

  // Raises `best` to the scores of the last column, by E to the right of its cells: on even rows only, since
  // the cells of odd rows have been seen by F in the row below; on all rows for a coarse best, which F does
  // not track.
  static void see_last_column(const Local8Job& job, const Border* border, const Constants& c, Best& best,
                              Watch* watch, std::int32_t number) {
    for (std::int32_t i = 0; i < job.rows; i += kStripRows) {
      Best strip{c.zero, c.zero_odd};
      for (std::int32_t r = i; r < job.rows && r < i + kStripRows; r += 2) {
        strip.even = V::max(strip.even, border[r].e);
        if (job.coarse) strip.odd = V::max(strip.odd, border[r + 1].e);
      }
      if (watch != nullptr) watch->see(strip, number, i / kStripRows);
      best = max(best, strip);
    }
  }

  // Writes the best score of every lane to `out`, and begins new subjects in the marked lanes.
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

  template <Pass kPass>
  static void run_blocks(const Local8Job& job, Watch* watch) {
    const Constants c{V::set1(job.zero), V::set1(job.zero + job.extend), V::set1(job.first - job.extend),
                      V::set1(job.first + job.extend), V::set1(2 * job.extend)};
    std::uint8_t* profile = job.workspace;
    auto* border = reinterpret_cast<Border*>(job.workspace + kProfileBytes);
    auto* snapshot = reinterpret_cast<Border*>(job.snapshots);
    for (std::int32_t i = 0; i < job.rows; i += 2) {  // column -1, which is odd
      border[i] = {c.zero_odd, c.zero};
      border[i + 1] = {c.zero, c.zero_odd};
    }
    Best best{c.zero, c.zero_odd};
    std::int32_t b = 0;
    for (std::int32_t s = 0; s < job.stop_count; ++s) {
      for (; b < job.stops[s].block; ++b) {
        if (stopped(job.stop_flag)) return;
        const std::uint8_t* letters = job.letters + static_cast<std::int64_t>(b) * kColumns * V::lanes;
        if (job.lane_scores != nullptr) {
          make_lane_profile(job, letters, profile);
        } else {
          make_profile(job, letters, profile);
        }
        if (kPass == Pass::snapshots && b % job.snapshot_blocks == 0) {
          for (std::int32_t i = 0; i < job.rows; ++i) *snapshot++ = border[i];
        }
        block<kPass>(profile, job.query, job.rows, border, c, best, watch, b);
      }
      see_last_column(job, border, c, best, watch, b);
      stop(job, job.stops[s], border, c, best, job.best + static_cast<std::int64_t>(s) * V::lanes);
      if (kPass == Pass::snapshots) watch->stop(job.stops[s].restart);
    }
  }

  static void run(const Local8Job& job) {
    if (job.snapshots != nullptr) {
      Watch watch(job);
      run_blocks<Pass::snapshots>(job, &watch);
    } else if (job.coarse) {
      run_blocks<Pass::coarse_scores>(job, nullptr);
    } else {
      run_blocks<Pass::scores>(job, nullptr);
    }
  }
};

}  // namespace alnus::cpu
