// Exact alignment in 16- or 32-bit lanes, one query with subjects one after the other in each lane: every
// mode and detail.
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

  template <bool kLocal, Want kWant>
  struct Kernel {
    const InterseqJob& job;
    Vec zero, open, extend, match_shift;
    // Of the lanes' subjects, which began at different columns:
    Vec column;        // columns done
    Vec column_shift;  // extend * column
    Vec corner;        // H on the border above the last column done
    Vec lengths;
    Best best;

    explicit Kernel(const InterseqJob& j) : job(j) {
      const Rules& r = job.rules;
      zero = V::set1(r.zero);
      open = V::set1(kLocal ? r.open + r.extend : r.open);
      extend = V::set1(r.extend);
      match_shift = V::set1(kLocal ? 0 : 2 * r.extend);
      column = column_shift = lengths = best.score = best.row = best.column = V::set1(0);
      corner = zero;
    }

    // Lane values of H on the borders: of the next column above it, and of a row before the first column.
    ALNUS_INLINE Vec next_row0(Vec before) const {
      if (kLocal) return zero;
      return job.rules.free_subject_begin ? V::add(before, extend) : V::sub(zero, open);
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

    // kTracked: ends may lie in any row of these columns.
    template <bool kTracked>
    void block(const std::uint8_t* profile, Border* border, std::uint8_t* trace) {
      constexpr int kStride = kColumns * static_cast<int>(sizeof(Vec));
      Vec h[kColumns], f[kColumns];
      Vec column_best[kColumns], column_row[kColumns];
      Vec upper = corner;
      for (int j = 0; j < kColumns; ++j) {
        h[j] = corner = next_row0(corner);
        f[j] = V::sub(h[j], open);
        column_best[j] = h[j];
        column_row[j] = V::set1(0);
      }
      Vec row = V::set1(0), row_shift = V::set1(0);
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const std::uint8_t* scores = profile + job.query[i] * kStride;
        Vec diagonal = upper, e = border[i].e;
        upper = border[i].h;
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
      for (int j = 0; j < kColumns; ++j) end_column<kTracked>(h[j], column_best[j], column_row[j]);
    }

    // Offers the ends that lie in the next column: `last` is H in its last row.
    template <bool kTracked>
    ALNUS_INLINE void end_column(Vec last, Vec column_best, Vec column_row) {
      const Rules& r = job.rules;
      column = V::add(column, V::set1(1));
      if (kLocal) {
        best.offer(V::gt(column_best, best.score), column_best, column_row, column);
        return;
      }
      column_shift = V::add(column_shift, extend);
      const Vec at_last_row =
          corner_only() ? last : V::sub(V::sub(last, column_shift), V::set1(r.extend * job.rows));
      const Vec rows = V::set1(job.rows);
      const auto ends_here = V::eq(lengths, column);
      if (kTracked) {
        const Vec candidate = V::sub(column_best, column_shift);
        best.offer(both(ends_here, V::gt(candidate, best.score)), candidate, column_row, column);
      }
      if (r.free_subject_end) {
        const auto inside = V::gt(lengths, V::sub(column, V::set1(1)));
        best.offer(both(inside, V::gt(at_last_row, best.score)), at_last_row, rows, column);
      } else if (!r.free_query_end) {
        best.offer(ends_here, at_last_row, rows, column);
      }
    }
    // Then ends are compared as they are; otherwise candidates hold score + zero.
    bool corner_only() const { return !kLocal && !job.rules.free_query_end && !job.rules.free_subject_end; }
    // Masks have no common type: conjunction by selecting.
    static ALNUS_INLINE typename V::Mask both(typename V::Mask a, typename V::Mask b) {
      return V::gt(V::select(a, V::select(b, V::set1(1), V::set1(0)), V::set1(0)), V::set1(0));
    }

    void run() {
      std::uint8_t* profile = job.workspace;
      auto* border = reinterpret_cast<Border*>(job.workspace + kProfileBytes);
      alignas(64) std::uint8_t every_lane[V::lanes];
      for (std::uint8_t& lane : every_lane) lane = 0xff;
      begin_subjects(every_lane, 0, border);
      std::uint8_t* trace = job.trace;
      std::int32_t b = 0;
      for (std::int32_t s = 0; s < job.stop_count; ++s) {
        for (; b < job.stops[s].block; ++b) {
          make_profile(job.letters + static_cast<std::int64_t>(b) * kColumns * V::lanes, profile);
          if (kLocal || (job.rules.free_query_end && some_end())) {
            block<true>(profile, border, trace);
          } else {
            block<false>(profile, border, trace);
          }
          if (kWant == Want::trace) trace += static_cast<std::int64_t>(job.rows) * kColumns * V::trace_bytes;
        }
        write_out(s);
        if (job.stops[s].restart != nullptr) begin_subjects(job.stops[s].restart, s + 1, border);
      }
    }

    // Whether a subject ends in the next block.
    ALNUS_INLINE bool some_end() const {
      const auto ends_later = V::gt(lengths, V::add(column, V::set1(kColumns)));
      return V::any(V::gt(lengths, V::select(ends_later, lengths, column)));
    }

    // In the lanes marked 0xff; `next` is the number of the stop that comes.
    void begin_subjects(const std::uint8_t* marks, std::int32_t next, Border* border) {
      const Rules& r = job.rules;
      alignas(64) Elem marked[V::lanes], lane_lengths[V::lanes];
      for (int lane = 0; lane < V::lanes; ++lane) {
        marked[lane] = marks[lane] ? 1 : 0;
        lane_lengths[lane] = static_cast<Elem>(job.lengths[next * V::lanes + lane]);
      }
      const Vec none = V::set1(0);
      const auto begins = V::gt(V::load(marked), none);
      lengths = V::load(lane_lengths);
      column = V::select(begins, none, column);
      column_shift = V::select(begins, none, column_shift);
      corner = V::select(begins, zero, corner);
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const Vec h = V::set1(column0(i + 1));
        border[i] = {V::select(begins, h, border[i].h), V::select(begins, V::sub(h, open), border[i].e)};
      }
      if (kLocal) {
        best.offer(begins, zero, none, none);
      } else if (r.free_subject_end) {  // nothing of the subject aligned
        best.offer(begins, V::set1(column0(job.rows) - r.extend * job.rows), V::set1(job.rows), none);
      } else {
        best.offer(begins, V::set1(sizeof(Elem) == 2 ? -32768 : -2147483647 - 1), none, none);
      }
    }

    void write_out(std::int32_t stop) {
      const Rules& r = job.rules;
      alignas(64) Elem score[V::lanes], row[V::lanes], end[V::lanes];
      V::store(score, best.score);
      V::store(row, best.row);
      V::store(end, best.column);
      constexpr std::int64_t kUnsigned = sizeof(Elem) == 2 ? 0xffff : 0xffffffff;
      for (int lane = 0; lane < V::lanes; ++lane) {
        const std::int32_t at = stop * V::lanes + lane;
        const std::int64_t shift = corner_only() ? std::int64_t{r.extend} * (job.rows + job.lengths[at]) : 0;
        job.score[at] = static_cast<std::int32_t>(score[lane] - r.zero - shift);
        if (kWant == Want::score) continue;
        job.query_end[at] = static_cast<std::int32_t>(row[lane] & kUnsigned);
        job.subject_end[at] = static_cast<std::int32_t>(end[lane] & kUnsigned);
      }
    }
  };

  template <Want kWant>
  static void run_want(const InterseqJob& job) {
    if (job.rules.local) {
      Kernel<true, kWant>(job).run();
    } else {
      Kernel<false, kWant>(job).run();
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
