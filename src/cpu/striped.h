// Exact alignment of one pair in 16- or 32-bit lanes, for long sequences and for few of them. The query is
// cut into as many equal segments as there are lanes, and lane l holds segment l (Farrar 2007). Each column
// is computed in two passes, so that no F is guessed and corrected later:
//
//   1. G = max(diagonal, E) in every row, and in each lane the F that leaves its segment;
//   2. a prefix maximum over the lanes gives the F that enters each segment (a scan as in
//      docs/papers/prefix-max-scan-2011.md, over lanes); from this F, the F and H of all rows follow from
//      top to bottom.
//
// Both passes open F from G instead of H. No F changes by that: where H is F itself, extending F is no worse
// than opening a gap from H. The chain of operations from one row's F to the next row's F is shorter.
//
// Lanes hold values in the frame of Rules (kernel_set.h), as in interseq.h.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V>
struct Striped {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;
  static constexpr int W = V::lanes;

  static std::int32_t segment(std::int32_t rows) { return (rows + W - 1) / W; }
  // Returns the bytes for the profile, and for three vectors for each row of a segment: G, the score by the
  // diagonal, and which cells of a column are barred.
  static std::uint64_t workspace_bytes(std::int32_t rows) {
    return static_cast<std::uint64_t>(segment(rows)) * sizeof(Vec) * (kLetters + 3);
  }
  // Returns the bytes for two vectors for each row of a segment: H and E of a column.
  static std::uint64_t state_bytes(std::int32_t rows) {
    return static_cast<std::uint64_t>(segment(rows)) * sizeof(Vec) * 2;
  }

  template <bool kLocal, Want kWant>
  struct Kernel {
    StripedJob& job;
    const std::int32_t length;  // rows of a segment
    Vec *profile, *g, *matched, *barred, *h, *e;
    Vec zero, open, extend, low;
    Vec best, best_row, best_column;
    std::int32_t score_before;  // StripedJob::score before the run, at least 0; mode local only

    explicit Kernel(StripedJob& j) : job(j), length(segment(j.rows)) {
      const Rules& r = job.rules;
      profile = reinterpret_cast<Vec*>(job.workspace);
      g = profile + static_cast<std::int64_t>(length) * kLetters;
      matched = g + length;
      barred = matched + length;
      h = reinterpret_cast<Vec*>(job.state);
      e = h + length;
      zero = V::set1(r.zero);
      open = V::set1(kLocal ? r.open + r.extend : r.open);
      extend = V::set1(r.extend);
      // A lower bound of every F that matters, which stands for no gap. In mode local a value of `low` is
      // extended once more before it is compared; QueryBounds has room for that.
      low = V::set1(kLocal ? r.zero - r.open - r.extend : r.zero - 3 * r.open);
    }

    std::int32_t row0(std::int32_t column) const {
      const Rules& r = job.rules;
      if (kLocal || column == 0) return r.zero;
      return r.free_subject_begin ? r.zero + r.extend * column : r.zero - r.open;
    }
    std::int32_t column0(std::int32_t row) const {
      const Rules& r = job.rules;
      if (kLocal || row == 0) return r.zero;
      return r.free_query_begin ? r.zero + r.extend * row : r.zero - r.open;
    }
    std::int32_t row_of(std::int32_t k, std::int32_t lane) const { return lane * length + k + 1; }  // from 1

    std::uint32_t letters_of_columns() const {
      std::uint32_t letters = 0;
      for (std::int32_t j = job.column_begin; j < job.column_end; ++j) letters |= 1U << job.subject[j];
      return letters;
    }

    void make_profile() const {
      const std::int32_t shift = kLocal ? 0 : 2 * job.rules.extend;
      auto* codes =
          reinterpret_cast<std::uint8_t*>(g);  // the query in striped order, a byte each; G overwrites it
      for (int lane = 0; lane < W; ++lane) {
        for (std::int32_t k = 0; k < length; ++k) {
          const std::int32_t row = row_of(k, lane);
          codes[k * W + lane] = row <= job.rows ? job.query[row - 1] : kPadLetter;
        }
      }
      const std::uint32_t letters = job.letters != 0 ? job.letters : letters_of_columns();
      for (int letter = 0; letter < kLetters; ++letter) {
        if ((letters >> letter & 1) == 0) continue;
        std::int32_t scores[kLetters];
        for (int q = 0; q < kLetters; ++q) scores[q] = job.scores[q * kLetters + letter] + shift;
        const auto table = V::table(scores);
        Vec* out = profile + static_cast<std::int64_t>(letter) * length;
        for (std::int32_t k = 0; k < length; ++k) out[k] = V::lookup(table, V::letters(codes + k * W));
      }
    }

    void first_column() {
      for (std::int32_t k = 0; k < length; ++k) {
        alignas(64) Elem border[W];
        for (int lane = 0; lane < W; ++lane) {
          const std::int32_t row = row_of(k, lane);
          border[lane] = static_cast<Elem>(column0(row <= job.rows ? row : job.rows));
        }
        h[k] = V::load(border);
        e[k] = V::sub(h[k], open);
      }
    }

    // Returns the F that enters each segment, from the F that leaves each segment and from the F that enters
    // the first row (`border`). Each lane takes the maximum over all lanes before it, found in log2(W) steps.
    // In mode local, the F of a lane before it is first lowered by the cost of extending it from there; in
    // the frame of the other modes this costs nothing.
    ALNUS_INLINE Vec entering(Vec leaving, std::int32_t border) const {
      Vec f = V::shift_in(leaving, static_cast<Elem>(border));  // lane l: from segment l - 1
      f = carry<1>(f);
      f = carry<2>(f);
      if constexpr (W > 4) f = carry<4>(f);
      if constexpr (W > 8) f = carry<8>(f);
      if constexpr (W > 16) f = carry<16>(f);
      return f;
    }
    // Returns the maximum of f and the f of `kDistance` lanes before, extended over as many segments. Lanes
    // without such a lane take `low`.
    template <int kDistance>
    ALNUS_INLINE Vec carry(Vec f) const {
      const Vec from = V::template shift_lanes<kDistance>(f, low);
      if (!kLocal) return V::max(f, from);
      const std::int64_t cost = std::int64_t{kDistance} * length * job.rules.extend;
      constexpr std::int64_t kMost = sizeof(Elem) == 2 ? 32767 : 1 << 30;
      return V::max(f, V::sub_saturating(from, V::set1(static_cast<int>(cost < kMost ? cost : kMost))));
    }

    // Writes `mark` into the barred cells of a column, those from `from` up to before `to`.
    void mark(const BarredCell* from, const BarredCell* to, Elem mark) const {
      auto* const elements = reinterpret_cast<Elem*>(barred);
      for (; from < to; ++from)
        if (from->row <= job.rows) elements[(from->row - 1) % length * W + (from->row - 1) / length] = mark;
    }

    // Computes column j. kBarred: the cells with 1 in `barred` cannot be entered by the diagonal, and get a
    // score by the diagonal that is below every H. The members are copied to local variables, because the
    // compiler must assume that storing a vector changes any member.
    template <bool kBarred>
    void column(std::int32_t j, std::uint8_t* trace) {
      const Vec zero = this->zero, open = this->open, extend = this->extend;
      const std::int32_t length = this->length;
      Vec *const h = this->h, *const e = this->e, *const g = this->g, *const matched = this->matched;
      const Vec *const barred = this->barred, low = this->low, one = V::set1(1);
      const Vec* scores = profile + static_cast<std::int64_t>(job.subject[j - 1]) * length;
      Vec diagonal = V::shift_in(h[length - 1], static_cast<Elem>(row0(j - 1)));
      Vec leaving = low;
      for (std::int32_t k = 0; k < length; ++k) {
        // Sums saturate where only scores are wanted: the highest value tells MatrixScorer that a score does
        // not fit.
        Vec m = kLocal && kWant == Want::score ? V::add_saturating(diagonal, scores[k])
                                               : V::add(diagonal, scores[k]);
        if (kBarred) m = V::select(V::eq(barred[k], one), V::sub(kLocal ? zero : low, one), m);
        diagonal = h[k];
        Vec value = V::max(m, e[k]);
        if (kLocal) value = V::max(value, zero);
        g[k] = value;
        if (kWant == Want::trace) matched[k] = m;
        leaving = V::max(kLocal ? V::sub(leaving, extend) : leaving, V::sub(value, open));
      }
      Vec f = entering(leaving, row0(j) - job.rules.open - (kLocal ? job.rules.extend : 0));
      Vec column_best = best;
      for (std::int32_t k = 0; k < length; ++k) {
        const Vec value = V::max(g[k], f);
        const Vec opened = V::sub(value, open);
        const Vec old_e = e[k];
        const Vec next_e = V::max(kLocal ? V::sub(old_e, extend) : old_e, opened);
        const Vec next_f = V::max(kLocal ? V::sub(f, extend) : f, V::sub(g[k], open));
        if (kWant == Want::trace) {
          V::store_trace(trace, V::eq(value, matched[k]), V::eq(value, old_e), V::eq(next_e, opened),
                         V::eq(next_f, opened));
          trace += V::trace_bytes;
        }
        h[k] = value;
        e[k] = next_e;
        f = next_f;
        if (kLocal) column_best = V::max(column_best, value);
      }
      if (kLocal && kWant == Want::score) best = column_best;
      if (kLocal && kWant != Want::score && V::any(V::gt(column_best, best))) note_ends(j);
    }

    // Notes the best ends of column j, the column just computed. This needs a second pass over its rows,
    // which is made only for the few columns that raise the best score.
    void note_ends(std::int32_t j) {
      const Vec number = V::set1(j);
      Vec row = V::set1(0);
      for (std::int32_t k = 0; k < length; ++k) {
        const auto better = V::gt(h[k], best);
        best = V::max(best, h[k]);
        best_column = V::select(better, number, best_column);
        best_row = V::select(better, row, best_row);
        row = V::add(row, V::set1(1));
      }
    }

    // Takes an end if its score is higher, or equal with a smaller subject end, or with the same subject end
    // and a smaller query end.
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
    std::int64_t h_of_row(std::int32_t row) const {  // row: 1 to rows
      return reinterpret_cast<const Elem*>(h + (row - 1) % length)[(row - 1) / length];
    }

    // Inlined, so that the compiler knows all uses of the object and keeps its vectors in registers.
    ALNUS_INLINE void run() {
      const Rules& r = job.rules;
      if (!job.has_profile) make_profile();
      if (job.column_begin == 0) {
        first_column();
        if (!kLocal && r.free_subject_end) offer(column0(job.rows), job.rows, 0);
      }
      score_before = job.score > 0 ? job.score : 0;
      best = V::set1(kLocal ? r.zero + score_before : r.zero);
      best_row = best_column = V::set1(0);
      const BarredCell *cell = job.barred, *const cells_end = job.barred + job.barred_count;
      if (job.barred_count > 0)
        for (std::int32_t k = 0; k < length; ++k) barred[k] = V::set1(0);
      std::uint8_t* trace = job.trace;
      for (std::int32_t j = job.column_begin + 1; j <= job.column_end; ++j) {
        if (stopped(job.stop_flag)) return;
        const BarredCell* const first = cell;
        while (cell < cells_end && cell->column == j) ++cell;
        if (first == cell) {
          column<false>(j, trace);
        } else {
          mark(first, cell, 1);
          column<true>(j, trace);
          mark(first, cell, 0);
        }
        if (kWant == Want::trace) trace += static_cast<std::int64_t>(length) * V::trace_bytes;
        if (!kLocal && r.free_subject_end && j < job.columns) offer(h_of_row(job.rows), job.rows, j);
      }
      if (kLocal) {
        offer_local();
      } else if (job.column_end == job.columns) {
        if (r.free_query_end) {
          offer(row0(job.columns), 0, job.columns);
          for (std::int32_t row = 1; row < job.rows; ++row) offer(h_of_row(row), row, job.columns);
        }
        offer(h_of_row(job.rows), job.rows, job.columns);
      }
    }

    void offer_local() {
      constexpr std::int64_t kUnsigned = sizeof(Elem) == 2 ? 0xffff : 0xffffffff;
      alignas(64) Elem value[W], row[W], column[W];
      V::store(value, best);
      V::store(row, best_row);
      V::store(column, best_column);
      for (int lane = 0; lane < W; ++lane) {
        if (value[lane] <= job.rules.zero + score_before) continue;
        offer(value[lane], row_of(static_cast<std::int32_t>(row[lane] & kUnsigned), lane),
              static_cast<std::int32_t>(column[lane] & kUnsigned));
      }
    }
  };

  template <Want kWant>
  static void run_want(StripedJob& job) {
    if (job.rules.local) {
      Kernel<true, kWant>(job).run();
    } else {
      Kernel<false, kWant>(job).run();
    }
  }
  static void run(StripedJob& job) {
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
