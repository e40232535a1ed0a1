// Exact alignment in 16- or 32-bit lanes, one query with one subject a lane: every mode and detail.
// The recurrence is that of src/core/reference.cpp; in modes other than local lanes hold values to
// which extend * (i + j) was added (Rules in kernel_set.h), so E and F are plain running maxima.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V, int kColumns>
struct Interseq {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;

  struct Border {
    Vec h, e;  // H of the block's last column, E as it enters the next
  };
  static constexpr std::uint64_t kProfileBytes = std::uint64_t{kLetters} * kColumns * sizeof(Vec);
  static std::uint64_t workspace_bytes(std::int32_t rows) {
    return kProfileBytes + static_cast<std::uint64_t>(rows) * sizeof(Border);
  }

  // The best end cell of each lane so far.
  struct Best {
    Vec score, row, column;
    ALNUS_INLINE void offer(typename V::Mask where, Vec new_score, Vec new_row, Vec new_column) {
      score = V::select(where, new_score, score);
      row = V::select(where, new_row, row);
      column = V::select(where, new_column, column);
    }
  };

  // kTracked: ends may lie in any row of a column (local, or the query's end is free).
  template <bool kLocal, bool kTracked, Want kWant>
  struct Kernel {
    const InterseqJob& job;
    Vec zero, open, extend, match_shift, border_open;
    Best best;
    Vec lengths;

    explicit Kernel(const InterseqJob& j) : job(j) {
      const Rules& r = job.rules;
      zero = V::set1(r.zero);
      open = V::set1(kLocal ? r.open + r.extend : r.open);
      extend = V::set1(r.extend);
      match_shift = V::set1(kLocal ? 0 : 2 * r.extend);
      alignas(64) Elem lane_lengths[V::lanes];
      for (int lane = 0; lane < V::lanes; ++lane) lane_lengths[lane] = static_cast<Elem>(job.lengths[lane]);
      lengths = V::load(lane_lengths);
    }

    // Lane values of H on the borders.
    int row0(std::int32_t column) const {
      const Rules& r = job.rules;
      if (kLocal || column == 0) return r.zero;
      return r.free_subject_begin ? r.zero + r.extend * column : r.zero - r.open;
    }
    int column0(std::int32_t row) const {
      const Rules& r = job.rules;
      if (kLocal || row == 0) return r.zero;
      return r.free_query_begin ? r.zero + r.extend * row : r.zero - r.open;
    }

    void make_profile(const std::uint8_t* letters, std::uint8_t* profile) const {
      typename V::Letters columns[kColumns];
      for (int j = 0; j < kColumns; ++j) columns[j] = V::letters(letters + j * V::lanes);
      for (std::int32_t u = 0; u < job.used_count; ++u) {
        const auto table = V::table(job.scores + job.used[u] * kLetters);
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) {
          V::store(profile + (u * kColumns + j) * static_cast<int>(sizeof(Vec)),
                   V::add(V::lookup(table, columns[j]), match_shift));
        }
      }
    }

    void block(const std::uint8_t* profile, Border* border, std::int32_t first_column, std::uint8_t* trace) {
      constexpr int kStride = kColumns * static_cast<int>(sizeof(Vec));
      Vec h[kColumns], f[kColumns];
      Vec column_best[kColumns], column_row[kColumns];
      for (int j = 0; j < kColumns; ++j) {
        h[j] = V::set1(row0(first_column + j));
        f[j] = V::sub(h[j], open);
        column_best[j] = h[j];
        column_row[j] = V::set1(0);
      }
      Vec corner = V::set1(row0(first_column - 1));
      Vec row = V::set1(0), row_shift = V::set1(0);
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const std::uint8_t* scores = profile + job.query[i] * kStride;
        Vec diagonal = corner, e = border[i].e;
        corner = border[i].h;
        if (kTracked) row = V::add(row, V::set1(1));
        if (kTracked && !kLocal) row_shift = V::add(row_shift, extend);
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) {
          const Vec matched = V::add(diagonal, V::load(scores + j * static_cast<int>(sizeof(Vec))));
          diagonal = h[j];
          Vec value = V::max(matched, V::max(e, f[j]));
          if (kLocal) value = V::max(value, zero);
          const Vec opened = V::sub(value, open);
          const Vec next_e = V::max(kLocal ? V::sub(e, extend) : e, opened);
          const Vec next_f = V::max(kLocal ? V::sub(f[j], extend) : f[j], opened);
          if (kWant == Want::trace) {
            V::store_trace(trace, V::eq(value, matched), V::eq(value, e), V::eq(next_e, opened),
                           V::eq(next_f, opened));
            trace += V::trace_bytes;
          }
          if (kTracked) {
            const Vec candidate = kLocal ? value : V::sub(value, row_shift);
            if (kWant == Want::score) {
              column_best[j] = V::max(column_best[j], candidate);
            } else {
              const auto better = V::gt(candidate, column_best[j]);
              column_best[j] = V::max(column_best[j], candidate);
              column_row[j] = V::select(better, row, column_row[j]);
            }
          }
          h[j] = value;
          e = next_e;
          f[j] = next_f;
        }
        border[i] = {h[kColumns - 1], e};
      }
      for (int j = 0; j < kColumns; ++j) end_column(first_column + j, h[j], column_best[j], column_row[j]);
    }

    // Offers the ends that lie in this column: `last` is H in the last row.
    ALNUS_INLINE void end_column(std::int32_t column, Vec last, Vec column_best, Vec column_row) {
      const Rules& r = job.rules;
      const Vec number = V::set1(column);
      if (kLocal) {
        best.offer(V::gt(column_best, best.score), column_best, column_row, number);
        return;
      }
      // Candidates hold score + zero, but for the one corner of mode global.
      const bool corner_only = !kTracked && !r.free_subject_end;
      const Vec column_shift = V::set1(corner_only ? 0 : r.extend * column);
      const Vec at_last_row =
          V::sub(last, corner_only ? V::set1(0) : V::set1(r.extend * (column + job.rows)));
      const Vec rows = V::set1(job.rows);
      const auto ends_here = V::eq(lengths, number);
      if (kTracked) {
        const Vec candidate = V::sub(column_best, column_shift);
        best.offer(both(ends_here, V::gt(candidate, best.score)), candidate, column_row, number);
      }
      if (r.free_subject_end) {
        const auto inside = V::gt(lengths, V::set1(column - 1));
        best.offer(both(inside, V::gt(at_last_row, best.score)), at_last_row, rows, number);
      } else if (!kTracked) {
        best.offer(ends_here, at_last_row, rows, number);
      }
    }
    // Masks have no common type: conjunction by selecting.
    static ALNUS_INLINE typename V::Mask both(typename V::Mask a, typename V::Mask b) {
      return V::gt(V::select(a, V::select(b, V::set1(1), V::set1(0)), V::set1(0)), V::set1(0));
    }

    void run() {
      const Rules& r = job.rules;
      std::uint8_t* profile = job.workspace;
      auto* border = reinterpret_cast<Border*>(job.workspace + kProfileBytes);
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const Vec h = V::set1(column0(i + 1));
        border[i] = {h, V::sub(h, open)};
      }
      best.row = best.column = V::set1(0);
      if (kLocal) {
        best.score = zero;
      } else if (r.free_subject_end) {  // nothing of the subject aligned
        best.score = V::set1(column0(job.rows) - r.extend * job.rows);
        best.row = V::set1(job.rows);
      } else {
        best.score = V::set1(sizeof(Elem) == 2 ? -32768 : -2147483647 - 1);
      }
      std::uint8_t* trace = job.trace;
      for (std::int32_t column = 0; column < job.columns; column += kColumns) {
        make_profile(job.letters + static_cast<std::int64_t>(column) * V::lanes, profile);
        block(profile, border, column + 1, trace);
        if (kWant == Want::trace) trace += static_cast<std::int64_t>(job.rows) * kColumns * V::trace_bytes;
      }
      write_out();
    }

    void write_out() {
      const Rules& r = job.rules;
      const bool corner_only = !kLocal && !kTracked && !r.free_subject_end;
      alignas(64) Elem score[V::lanes], row[V::lanes], column[V::lanes];
      V::store(score, best.score);
      V::store(row, best.row);
      V::store(column, best.column);
      constexpr std::int64_t kUnsigned = sizeof(Elem) == 2 ? 0xffff : 0xffffffff;
      for (int lane = 0; lane < V::lanes; ++lane) {
        const std::int64_t shift = corner_only ? std::int64_t{r.extend} * (job.rows + job.lengths[lane]) : 0;
        job.score[lane] = static_cast<std::int32_t>(score[lane] - r.zero - shift);
        if (kWant == Want::score) continue;
        job.query_end[lane] = static_cast<std::int32_t>(row[lane] & kUnsigned);
        job.subject_end[lane] = static_cast<std::int32_t>(column[lane] & kUnsigned);
      }
    }
  };

  template <Want kWant>
  static void run_want(const InterseqJob& job) {
    if (job.rules.local) {
      Kernel<true, true, kWant>(job).run();
    } else if (job.rules.free_query_end) {
      Kernel<false, true, kWant>(job).run();
    } else {
      Kernel<false, false, kWant>(job).run();
    }
  }
  static void run(const InterseqJob& job) {
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
