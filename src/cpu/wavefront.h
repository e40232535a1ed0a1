// Exact alignment of one pair in 16- or 32-bit lanes: for long sequences and for few of them. Lane l of
// a strip is row l of its rows; at step t it does column t - l, so that its left neighbour is itself a
// step ago, and its upper and diagonal neighbours are lane l - 1 one and two steps ago.
// The frame that values are held in is that of interseq.h (Rules in kernel_set.h).
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V>
struct Wavefront {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;
  static constexpr int W = V::lanes;

  struct Workspace {
    Elem profile[kLetters][W];  // scores of the strip's rows with each letter
    Vec skewed[5][2 * 16];      // rings of the skewing network's stages
  };
  static std::uint64_t workspace_bytes() { return sizeof(Workspace); }

  // Turns score columns into wavefronts: lane l of the output at step t is lane l of the column that went
  // in at step t - l. Stage b delays the lanes whose number has bit b by 2^b steps.
  struct Skew {
    Workspace& space;
    typename V::Mask delayed[5];
    static constexpr int kStages = W == 32 ? 5 : W == 16 ? 4 : W == 8 ? 3 : 2;

    explicit Skew(Workspace& s) : space(s) {
      for (int b = 0; b < kStages; ++b) {
        alignas(64) Elem bit[W];
        for (int l = 0; l < W; ++l) bit[l] = static_cast<Elem>(l >> b & 1);
        delayed[b] = V::gt(V::load(bit), V::set1(0));
        for (int k = 0; k < 1 << b; ++k) V::store(&space.skewed[b][k], V::set1(0));
      }
    }
    ALNUS_INLINE Vec step(Vec column, std::int32_t t) {
#pragma GCC unroll 5
      for (int b = 0; b < kStages; ++b) {
        void* slot = &space.skewed[b][t & ((1 << b) - 1)];  // holds what went in 2^b steps ago
        const Vec old = V::load(slot);
        V::store(slot, column);
        column = V::select(delayed[b], old, column);
      }
      return column;
    }
  };

  template <bool kLocal, Want kWant>
  struct Kernel {
    WavefrontJob& job;
    Workspace& space;
    Vec zero, open, extend;

    explicit Kernel(WavefrontJob& j) : job(j), space(*reinterpret_cast<Workspace*>(j.workspace)) {
      const Rules& r = job.rules;
      zero = V::set1(r.zero);
      open = V::set1(kLocal ? r.open + r.extend : r.open);
      extend = V::set1(r.extend);
    }

    std::int32_t column0(std::int32_t row) const {
      const Rules& r = job.rules;
      if (kLocal || row == 0) return r.zero;
      return r.free_query_begin ? r.zero + r.extend * row : r.zero - r.open;
    }

    void first_border() {
      const Rules& r = job.rules;
      const std::int32_t first = kLocal ? r.open + r.extend : r.open;
      for (std::int32_t j = 0; j <= job.columns; ++j) {
        const bool no_cost = kLocal || j == 0 || r.free_subject_begin;
        job.border_h[j] = no_cost ? r.zero + (kLocal ? 0 : r.extend * j) : r.zero - r.open;
        job.border_f[j] = job.border_h[j] - first;
      }
    }

    // Keeps the better: of equals the smaller subject end, then the smaller query end.
    void offer(std::int64_t lane_value, std::int32_t row, std::int32_t column) {
      const Rules& r = job.rules;
      const auto score = static_cast<std::int32_t>(lane_value - r.zero -
                                                   (kLocal ? 0 : std::int64_t{r.extend} * (row + column)));
      const bool earlier = column < job.subject_end || (column == job.subject_end && row < job.query_end);
      if (score > job.score || (score == job.score && earlier)) {
        job.score = score;
        job.query_end = row;
        job.subject_end = column;
      }
    }

    struct State {
      Vec h, h_before, e, f_out;  // of the step before; f_out is F as it enters the row below
      Vec best, best_step, step;
      std::int32_t corner;  // the border's H in the column before
    };

    // kEdge: lanes whose column is not yet 1 keep the border values that they hold.
    template <bool kEdge>
    ALNUS_INLINE void step(State& s, Skew& skew, std::int32_t t, Vec lane_numbers, std::uint8_t* trace) {
      const std::uint8_t letter = t < job.columns ? job.subject[t] : kPadLetter;
      const Vec score = skew.step(V::load(space.profile[letter]), t);
      const std::int32_t above = t < job.columns ? t + 1 : job.columns;
      const Vec diagonal = V::shift_in(s.h_before, static_cast<Elem>(s.corner));
      s.corner = job.border_h[above];
      const Vec f = V::shift_in(s.f_out, static_cast<Elem>(job.border_f[above]));
      const Vec matched = V::add(diagonal, score);
      Vec h = V::max(matched, V::max(s.e, f));
      if (kLocal) h = V::max(h, zero);
      const Vec opened = V::sub(h, open);
      Vec e = V::max(kLocal ? V::sub(s.e, extend) : s.e, opened);
      const Vec f_out = V::max(kLocal ? V::sub(f, extend) : f, opened);
      if (kWant == Want::trace) {
        V::store_trace(trace, V::eq(h, matched), V::eq(h, s.e), V::eq(e, opened), V::eq(f_out, opened));
      }
      if (kEdge) {
        const auto waiting = V::gt(lane_numbers, V::set1(t));
        h = V::select(waiting, s.h, h);
        e = V::select(waiting, s.e, e);
      }
      s.h_before = s.h;
      s.h = h;
      s.e = e;
      s.f_out = f_out;
      if (kLocal) {
        if (kWant == Want::score) {
          s.best = V::max(s.best, h);
        } else {
          const auto better = V::gt(h, s.best);
          s.best = V::max(s.best, h);
          s.best_step = V::select(better, s.step, s.best_step);
          s.step = V::add(s.step, V::set1(1));
        }
      }
    }

    // Rows first_row + 1 .. first_row + height (1-based), height <= W.
    void strip(std::int32_t first_row, std::int32_t height, std::uint8_t* trace) {
      const Rules& r = job.rules;
      const std::int32_t n = job.columns, shift = kLocal ? 0 : 2 * r.extend;
      alignas(64) Elem lanes[W];
      for (int l = 0; l < W; ++l) {
        const std::int32_t* row =
            job.scores + (l < height ? job.query[first_row + l] : kPadLetter) * kLetters;
        for (int letter = 0; letter < kLetters; ++letter) {
          space.profile[letter][l] = static_cast<Elem>(row[letter] + shift);
        }
        lanes[l] = static_cast<Elem>(l);
      }
      const Vec lane_numbers = V::load(lanes);
      for (int l = 0; l < W; ++l) lanes[l] = static_cast<Elem>(column0(first_row + l + 1));
      State s;
      s.h = s.h_before = V::load(lanes);
      s.e = V::sub(s.h, open);
      s.f_out = s.e;
      s.best = V::set1(r.zero);
      s.corner = job.border_h[0];
      s.best_step = s.step = V::set1(0);
      Skew skew(space);

      alignas(64) Elem h[W], f[W];
      const std::int32_t last = height - 1, steps = n + W - 1;
      const bool last_strip = first_row + height == job.rows;
      const bool needs_column_n = !kLocal && r.free_query_end;
      const std::int32_t h_of_row = column0(first_row + height);
      for (std::int32_t t = 0; t < steps; ++t) {
        if (t < W) {
          step<true>(s, skew, t, lane_numbers, trace);
        } else {
          step<false>(s, skew, t, lane_numbers, trace);
        }
        if (kWant == Want::trace) trace += V::trace_bytes;
        const std::int32_t column = t - last + 1;  // of the strip's last row
        const bool border = column >= 1 && column <= n;
        const bool column_n = needs_column_n && t >= n - 1 && t - (n - 1) < height;
        if (!border && !column_n) continue;
        V::store(h, s.h);
        V::store(f, s.f_out);
        if (border) {
          job.border_h[column] = h[last];
          job.border_f[column] = f[last];
        }
        if (column_n) offer(h[t - (n - 1)], first_row + t - (n - 1) + 1, n);
      }
      job.border_h[0] = h_of_row;

      if (kLocal) {
        alignas(64) Elem best[W], at[W];
        V::store(best, s.best);
        V::store(at, s.best_step);
        for (int l = 0; l < height; ++l) {
          const std::int32_t column = static_cast<std::int32_t>(at[l] & kUnsigned) - l + 1;
          if (best[l] > r.zero) offer(best[l], first_row + l + 1, column);
        }
      } else if (last_strip) {
        for (std::int32_t j = r.free_subject_end ? 0 : n; j <= n; ++j) offer(job.border_h[j], job.rows, j);
      }
    }
    static constexpr std::int64_t kUnsigned = sizeof(Elem) == 2 ? 0xffff : 0xffffffff;

    void run() {
      if (job.row_begin == 0) {
        first_border();
        if (kLocal) job.score = job.query_end = job.subject_end = 0;
        if (!kLocal && job.rules.free_query_end) offer(job.border_h[job.columns], 0, job.columns);
      }
      std::uint8_t* trace = job.trace;
      for (std::int32_t row = job.row_begin; row < job.row_end; row += W) {
        strip(row, job.row_end - row < W ? job.row_end - row : W, trace);
        if (kWant == Want::trace) trace += static_cast<std::int64_t>(job.columns + W - 1) * V::trace_bytes;
      }
    }
  };

  template <Want kWant>
  static void run_want(WavefrontJob& job) {
    if (job.rules.local) {
      Kernel<true, kWant>(job).run();
    } else {
      Kernel<false, kWant>(job).run();
    }
  }
  static void run(WavefrontJob& job) {
    switch (job.want) {
      case Want::score:
        return run_want<Want::score>(job);
      case Want::ends:
        return run_want<Want::ends>(job);
      case Want::trace:
        return run_want<Want::trace>(job);
    }
  }
};

}  // namespace alnus::cpu
