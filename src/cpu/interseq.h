// Exact alignment in 16- or 32-bit lanes, in every mode and detail: one query with subjects that follow each
// other in each lane.
//
// The recurrence is that of src/core/reference.cpp. In all modes but local, lanes hold values plus
// extend * (i + j) (Rules in kernel_set.h), so that E and F are plain running maxima.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"
#include "cpu/transpose.h"

namespace alnus::cpu {

template <class V, int kColumns>
struct Interseq {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;
  static constexpr int W = V::lanes;

  struct Border {
    Vec h, e;  // H of the block's last column, and E as it enters the next column
  };
  static constexpr std::uint64_t kProfileBytes = std::uint64_t{kLetters} * kColumns * sizeof(Vec);
  // Returns the bytes for the profile, the border, and H of all rows of a block.
  static std::uint64_t workspace_bytes(std::int32_t rows) {
    return kProfileBytes + static_cast<std::uint64_t>(rows) * (sizeof(Border) + kColumns * sizeof(Vec));
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

  // kLaneScores: each lane has a score table of its own (InterseqJob::lane_scores).
  template <bool kLocal, Want kWant, bool kLaneScores = false>
  struct Kernel {
    const InterseqJob& job;
    Vec zero, open, extend, match_shift;
    // About the subject in each lane; the lanes' subjects began at different columns:
    Vec column;        // columns done
    Vec column_shift;  // extend * column
    Vec corner;        // H in row 0 of the last column done
    Vec lengths;
    Best best;
    alignas(64) Elem last_row[kColumns * W];  // H of the last row, in the columns of the block just done

    explicit Kernel(const InterseqJob& j) : job(j) {
      const Rules& r = job.rules;
      zero = V::set1(r.zero);
      open = V::set1(kLocal ? r.open + r.extend : r.open);
      extend = V::set1(r.extend);
      match_shift = V::set1(kLocal ? 0 : 2 * r.extend);
      column = column_shift = lengths = best.score = best.row = best.column = V::set1(0);
      corner = zero;
    }

    // Lane values of H on the borders: next_row0() in row 0 of the next column, where `before` is the value
    // of the column before; column0() in column 0 of a row.
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
      for (int j = 0; j < kColumns; ++j) columns[j] = V::letters(letters + j * W);
      for (std::int32_t u = 0; u < job.used_count; ++u) {
        const auto table = V::table(job.scores + job.used[u] * kLetters);
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) {
          V::store(profile + (u * kColumns + j) * static_cast<int>(sizeof(Vec)),
                   V::add(V::lookup(table, columns[j]), match_shift));
        }
      }
    }

    // Makes the profile from a table for each lane. The letter of a lane in a column chooses a row of its
    // table; these rows, one for each lane, are transposed to vectors, one for each query letter.
    void make_lane_profile(const std::uint8_t* letters, std::uint8_t* profile) const {
      for (int j = 0; j < kColumns; ++j) {
        const Elem* rows[W];
        for (int lane = 0; lane < W; ++lane)
          rows[lane] = job.lane_scores + (lane * kLetters + letters[j * W + lane]) * kLetters;
        for (std::int32_t u = 0; u < job.used_count; u += kTransposed<V>) {
          Vec columns[kTransposed<V>];
          transpose<V>(rows, u, columns);
          for (int k = 0; k < kTransposed<V>; ++k)
            V::store(profile + ((u + k) * kColumns + j) * static_cast<int>(sizeof(Vec)), columns[k]);
        }
      }
    }

    // Computes all rows of a block. kKeep: stores H of all rows in `down`, because alignments may end in any
    // row.
    template <bool kKeep>
    void block(const std::uint8_t* profile, Border* border, std::uint8_t* trace) {
      constexpr int kStride = kColumns * static_cast<int>(sizeof(Vec));
      Vec h[kColumns], f[kColumns];
      Vec column_best[kColumns], column_row[kColumns];  // in mode local: each column's best H, and its row
      Vec upper = corner;
      for (int j = 0; j < kColumns; ++j) {
        h[j] = corner = next_row0(corner);
        f[j] = V::sub(h[j], open);
        column_best[j] = h[j];
        column_row[j] = V::set1(0);
      }
      Vec row = V::set1(0);
      Vec* down = kept(border);
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const std::uint8_t* scores = profile + job.query[i] * kStride;
        Vec diagonal = upper, e = border[i].e;
        upper = border[i].h;
        if (kLocal) row = V::add(row, V::set1(1));
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) {
          const Vec score = V::load(scores + j * static_cast<int>(sizeof(Vec)));
          const Vec matched = kLaneScores ? V::add_saturating(diagonal, score) : V::add(diagonal, score);
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
          if (kLocal && kWant == Want::score) {
            column_best[j] = V::max(column_best[j], value);
          } else if (kLocal) {
            const auto better = V::gt(value, column_best[j]);
            column_best[j] = V::max(column_best[j], value);
            column_row[j] = V::select(better, row, column_row[j]);
          }
          if (kKeep) V::store(down + static_cast<std::int64_t>(j) * job.rows + i, value);
          h[j] = value;
          e = next_e;
          f[j] = next_f;
        }
        border[i] = {h[kColumns - 1], e};
      }
      for (int j = 0; j < kColumns; ++j) {
        if (kLocal) {
          column = V::add(column, V::set1(1));
          best.offer(V::gt(column_best[j], best.score), column_best[j], column_row[j], column);
        } else {
          end_column(h[j]);
          V::store(last_row + j * W, h[j]);
        }
      }
    }
    Vec* kept(Border* border) const { return reinterpret_cast<Vec*>(border + job.rows); }

    // Counts one more column. If the subject's end is free, offers the column's cell in the last row as an
    // end, unless the subject ends in this column: offer_ends() offers the ends of a subject's last column.
    ALNUS_INLINE void end_column(Vec last) {
      const Rules& r = job.rules;
      column = V::add(column, V::set1(1));
      column_shift = V::add(column_shift, extend);
      if (!r.free_subject_end) return;
      const Vec score = V::sub(V::sub(last, column_shift), V::set1(r.extend * job.rows));
      const auto inside = V::gt(lengths, column);
      best.offer(both(inside, V::gt(score, best.score)), score, V::set1(job.rows), column);
    }
    // Returns the conjunction of two masks, made by selecting: mask types have no operator in common.
    static ALNUS_INLINE typename V::Mask both(typename V::Mask a, typename V::Mask b) {
      return V::gt(V::select(a, V::select(b, V::set1(1), V::set1(0)), V::set1(0)), V::set1(0));
    }

    // True if a lane's subject ends in the next block.
    ALNUS_INLINE bool some_end() const {
      const auto ends_later = V::gt(lengths, V::add(column, V::set1(kColumns)));
      return V::any(V::gt(lengths, V::select(ends_later, lengths, column)));
    }

    // Offers the ends in the last column of every subject that ends in the block just done.
    void offer_ends(const Vec* down) {
      const Rules& r = job.rules;
      alignas(64) Elem score[W], row[W], end[W], done[W], length[W];
      V::store(score, best.score);
      V::store(row, best.row);
      V::store(end, best.column);
      V::store(done, column);
      V::store(length, lengths);
      for (int lane = 0; lane < W; ++lane) {
        const std::int32_t n = length[lane], j = n - (done[lane] - kColumns) - 1;
        if (n == 0 || j < 0 || j >= kColumns) continue;
        const auto offer = [&](std::int64_t h, std::int32_t i) {  // h: H, as a lane value
          const std::int64_t value = h - (ends_at_corner() ? 0 : std::int64_t{r.extend} * (i + n));
          if (value <= score[lane] && !ends_at_corner()) return;
          score[lane] = static_cast<Elem>(value);
          row[lane] = static_cast<Elem>(i);
          end[lane] = static_cast<Elem>(n);
        };
        if (r.free_query_end) {
          const auto* h =
              reinterpret_cast<const Elem*>(down + static_cast<std::int64_t>(j) * job.rows) + lane;
          offer(r.free_subject_begin ? r.zero + std::int64_t{r.extend} * n : r.zero - r.open, 0);
          for (std::int32_t i = 1; i < job.rows; ++i) offer(h[static_cast<std::int64_t>(i - 1) * W], i);
        }
        offer(last_row[j * W + lane], job.rows);
      }
      best.score = V::load(score);
      best.row = V::load(row);
      best.column = V::load(end);
    }
    // True if alignments can only end in the last row of the last column. `best` then holds H there as a lane
    // value, in the frame of Rules; otherwise it holds score + zero.
    bool ends_at_corner() const {
      return !kLocal && !job.rules.free_query_end && !job.rules.free_subject_end;
    }

    void run() {
      std::uint8_t* profile = job.workspace;
      auto* border = reinterpret_cast<Border*>(job.workspace + kProfileBytes);
      alignas(64) std::uint8_t every_lane[W];
      for (std::uint8_t& lane : every_lane) lane = 0xff;
      begin_subjects(every_lane, 0, border);
      std::uint8_t* trace = job.trace;
      std::int32_t b = 0;
      for (std::int32_t s = 0; s < job.stop_count; ++s) {
        for (; b < job.stops[s].block; ++b) {
          if (stopped(job.stop_flag)) return;
          const std::uint8_t* letters = job.letters + static_cast<std::int64_t>(b) * kColumns * W;
          if constexpr (kLaneScores) {
            make_lane_profile(letters, profile);
          } else {
            make_profile(letters, profile);
          }
          const bool ends = !kLocal && some_end();
          if (ends && job.rules.free_query_end) {
            block<true>(profile, border, trace);
          } else {
            block<false>(profile, border, trace);
          }
          if (ends) offer_ends(kept(border));
          if (kWant == Want::trace) trace += static_cast<std::int64_t>(job.rows) * kColumns * V::trace_bytes;
        }
        write_out(s);
        if (job.stops[s].restart != nullptr) begin_subjects(job.stops[s].restart, s + 1, border);
      }
    }

    // Begins new subjects in the lanes marked 0xff. `next`: the number of the stop that comes next, which
    // chooses the entries of InterseqJob::lengths.
    void begin_subjects(const std::uint8_t* marks, std::int32_t next, Border* border) {
      const Rules& r = job.rules;
      alignas(64) Elem marked[W], lane_lengths[W];
      for (int lane = 0; lane < W; ++lane) {
        marked[lane] = marks[lane] ? 1 : 0;
        lane_lengths[lane] = static_cast<Elem>(job.lengths[next * W + lane]);
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
      } else if (r.free_subject_end) {  // the end in column 0: the subject is unaligned
        best.offer(begins, V::set1(column0(job.rows) - r.extend * job.rows), V::set1(job.rows), none);
      } else {
        best.offer(begins, V::set1(sizeof(Elem) == 2 ? -32768 : -2147483647 - 1), none, none);
      }
    }

    void write_out(std::int32_t stop) {
      const Rules& r = job.rules;
      alignas(64) Elem score[W], row[W], end[W];
      V::store(score, best.score);
      V::store(row, best.row);
      V::store(end, best.column);
      constexpr std::int64_t kUnsigned = sizeof(Elem) == 2 ? 0xffff : 0xffffffff;
      for (int lane = 0; lane < W; ++lane) {
        const std::int32_t at = stop * W + lane;
        const std::int64_t shift =
            ends_at_corner() ? std::int64_t{r.extend} * (job.rows + job.lengths[at]) : 0;
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
    if constexpr (sizeof(Elem) == 2)
      if (job.lane_scores != nullptr) return Kernel<true, Want::score, true>(job).run();
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
