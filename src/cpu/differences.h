// Exact alignment in 8-bit lanes for every mode but local. Lanes hold differences between neighbouring cells,
// which stay small however long the sequences are (Suzuki and Kasahara 2018). A run takes one query, with
// subjects that follow each other in each lane, as in interseq.h; or two queries, whose subjects are in
// different lanes. Results and trace bits are those of interseq.h.
//
// In the frame of Rules (H' = H + extend * (i + j)) a gap costs `open` alone, and with
//   z = H'(i, j) - H'(i-1, j-1)      u = H'(i, j) - H'(i-1, j)      v = H'(i, j) - H'(i, j-1)
//   a = E'(i, j) - H'(i-1, j-1)      b = F'(i, j) - H'(i-1, j-1)
// the recurrence becomes
//   z = max(score + 2 extend, a, b)
//   u = z - v(i-1, j)                a(i, j+1) = max(a, z - open) - v(i-1, j)
//   v = z - u(i, j-1)                b(i+1, j) = max(b, z - open) - u(i, j-1)
// All values lie in [-3 open, best score + 2 extend + open]; fit_differences() in scoring_tables.cpp tells
// whether 8-bit lanes hold them. H itself is found by summing the differences along the last row, and also
// down a subject's last column if the query's end is free.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V, int kColumns>
struct Differences {
  using Vec = typename V::Vec;
  static constexpr int W = V::lanes;

  struct Border {
    Vec u, a;  // u of the block's last column, and a as it enters the next column
  };
  struct Above {
    Vec v, b;  // v of a column above a row, and b as it enters the row
  };
  static constexpr int kVec = sizeof(Vec), kStride = kColumns * kVec;
  static constexpr std::uint64_t kProfileBytes = std::uint64_t{kLetters} * kStride;
  // Returns the bytes for the profile, the border, and u of all rows of a block.
  static std::uint64_t workspace_bytes(std::int32_t rows) {
    return kProfileBytes + static_cast<std::uint64_t>(rows) * (sizeof(Border) + kStride);
  }

  template <class Job>
  static void make_profile(const Job& job, const std::uint8_t* letters) {
    typename V::Letters columns[kColumns];
    for (int j = 0; j < kColumns; ++j) columns[j] = V::letters(letters + j * W);
    for (std::int32_t u = 0; u < job.used_count; ++u) {
      alignas(32) std::int8_t scores[kLetters];
      for (int s = 0; s < kLetters; ++s)
        scores[s] = static_cast<std::int8_t>(job.scores[job.used[u] * kLetters + s] + 2 * job.rules.extend);
      const auto table = V::table(scores);
#pragma GCC unroll 8
      for (int j = 0; j < kColumns; ++j)
        V::store(job.workspace + u * kStride + j * kVec, V::lookup(table, columns[j]));
    }
  }

  // The values of a cell that its trace bits compare: `matched` is score + 2 extend, z as above, `opened` is
  // z - open, `next_e` is max(a, opened), `next_f` is max(b, opened).
  struct Cell {
    Vec z, matched, opened, next_e, next_f;
  };
  // Computes a cell. `score`: the score of the two letters, plus 2 extend. `from` has u and a that come from
  // the column before, and gets those for the next column; `above` has v and b that come from the row above,
  // and gets those for the next row.
  static ALNUS_INLINE Cell cell(Vec score, Vec open, Border& from, Above& above) {
    Cell c;
    c.matched = score;
    c.z = V::max(score, V::max(from.a, above.b));
    c.opened = V::sub(c.z, open);
    c.next_e = V::max(from.a, c.opened);
    c.next_f = V::max(above.b, c.opened);
    const Vec left = from.u, up = above.v;
    from = {V::sub(c.z, up), V::sub(c.next_e, up)};
    above = {V::sub(c.z, left), V::sub(c.next_f, left)};
    return c;
  }

  struct Kernel {
    const InterseqJob& job;
    Border* const border;
    std::int8_t* const down;  // u: [kColumns][rows][W]
    const Vec open, border_step;
    Vec first_v;                // v above the first row, in the next column
    Border* current = nullptr;  // the border left of the next block: `border` or a checkpoint
    Vec second;                 // 0xff in the lanes of the second query
    // About the subject in each lane:
    std::int32_t rows[W];                                 // length of its query
    std::int32_t column[W];                               // columns done
    std::int32_t length[W];                               // columns in all
    std::int32_t last_row[W];                             // H' of the last row in the last column done
    std::int32_t score[W], query_end[W], subject_end[W];  // the best end so far

    explicit Kernel(const InterseqJob& j)
        : job(j),
          border(reinterpret_cast<Border*>(j.workspace + kProfileBytes)),
          down(reinterpret_cast<std::int8_t*>(border + j.rows)),
          open(V::set1(j.rules.open)),
          border_step(V::set1(j.rules.free_subject_begin ? j.rules.extend : 0)),
          first_v(border_step) {}

    bool keeps() const { return job.want == Want::trace; }
    Border* kept(std::int32_t stretch) const {
      return reinterpret_cast<Border*>(job.checkpoints.left) + static_cast<std::int64_t>(stretch) * job.rows;
    }
    // Returns the place for the border right of a block: a checkpoint if tracebacks need checkpoints
    // (keeps()) and a stretch ends with the block, else `border`.
    Border* right_of(std::int32_t block) const {
      const std::int32_t columns = (block + 1) * kColumns;
      return keeps() && columns % kStretchColumns == 0 ? kept(columns / kStretchColumns) : border;
    }

    // Computes all rows of a block. kDown: stores u of all rows in `down`, because an alignment may end in
    // any row of a subject's last column. kTwo: there are two queries.
    template <bool kDown, bool kTwo>
    __attribute__((noinline)) void block(std::int32_t number) {
      const Border* const from = current;
      Border* const to = right_of(number);
      auto* keep =
          reinterpret_cast<Above*>(job.checkpoints.above) + static_cast<std::int64_t>(number) * kColumns;
      Above above[kColumns];
      for (int j = 0; j < kColumns; ++j) {
        const Vec v = j == 0 ? first_v : border_step;
        above[j] = {v, V::sub(v, open)};
      }
      first_v = border_step;
      // For each column: v (defined at the top of this file) in the last row of InterseqJob::second_query. It
      // is used in the lanes that have subjects of that query.
      Vec below_second[kColumns];
      for (std::int32_t i = 0; i < job.rows;) {
        if (keeps() && i % kBandRows == 0) {
          for (int j = 0; j < kColumns; ++j) keep[j] = above[j];
          keep += static_cast<std::int64_t>(job.stops[job.stop_count - 1].block) * kColumns;
        }
        std::int32_t end = i / kBandRows * kBandRows + kBandRows;
        if (kTwo && i < job.second_rows && job.second_rows < end) end = job.second_rows;
        if (job.rows < end) end = job.rows;
        for (; i < end; ++i) {
          const std::uint8_t* scores = job.workspace + job.query[i] * kStride;
          const std::uint8_t* second_scores = kTwo ? job.workspace + job.second_query[i] * kStride : scores;
          Border left = from[i];
#pragma GCC unroll 8
          for (int j = 0; j < kColumns; ++j) {
            Vec score = V::load(scores + j * kVec);
            if (kTwo) score = V::select_bytes(second, V::load(second_scores + j * kVec), score);
            cell(score, open, left, above[j]);
            if (kDown) V::store(down + (static_cast<std::int64_t>(j) * job.rows + i) * W, left.u);
          }
          to[i] = left;
        }
        if (kTwo && i == job.second_rows)
          for (int j = 0; j < kColumns; ++j) below_second[j] = above[j].v;
      }
      current = to;
      for (int j = 0; j < kColumns; ++j)
        end_column(j, kTwo ? V::select_bytes(second, below_second[j], above[j].v) : above[j].v);
    }
    void block(std::int32_t number) {
      const bool some_column_ends = job.rules.free_query_end && some_end();
      if (job.second_rows > 0) {
        some_column_ends ? block<true, true>(number) : block<false, true>(number);
      } else {
        some_column_ends ? block<true, false>(number) : block<false, false>(number);
      }
    }

    void end_column(int j, Vec v) {
      const Rules& r = job.rules;
      alignas(64) std::int8_t step[W];
      V::store(step, v);
      for (int lane = 0; lane < W; ++lane) last_row[lane] += step[lane];
      for (int lane = 0; lane < W; ++lane) ++column[lane];
      if (r.free_subject_end) {
        for (int lane = 0; lane < W; ++lane) {
          const std::int32_t here = last_row[lane] - r.extend * (rows[lane] + column[lane]);
          const bool better = (here > score[lane]) & (column[lane] < length[lane]);
          score[lane] = better ? here : score[lane];
          query_end[lane] = better ? rows[lane] : query_end[lane];
          subject_end[lane] = better ? column[lane] : subject_end[lane];
        }
      }
      for (int lane = 0; lane < W; ++lane) {
        if (column[lane] != length[lane]) continue;
        if (r.free_query_end) offer_last_column(lane, down + static_cast<std::int64_t>(j) * job.rows * W);
        offer(lane, last_row[lane] - r.extend * (rows[lane] + column[lane]), rows[lane]);
      }
    }
    void offer(int lane, std::int32_t here, std::int32_t row) {
      if (here <= score[lane]) return;
      score[lane] = here;
      query_end[lane] = row;
      subject_end[lane] = column[lane];
    }
    void offer_last_column(int lane, const std::int8_t* u) {
      const Rules& r = job.rules;
      std::int32_t h = r.free_subject_begin ? 0 : -r.open - r.extend * column[lane];
      for (std::int32_t row = 0; row < rows[lane]; ++row) {
        offer(lane, h, row);
        h += u[static_cast<std::int64_t>(row) * W + lane] - r.extend;
      }
    }

    bool some_end() const {
      bool some = false;
      for (int lane = 0; lane < W; ++lane)
        some |= (length[lane] > column[lane]) & (length[lane] <= column[lane] + kColumns);
      return some;
    }

    // Begins new subjects in the lanes marked 0xff. `next`: the number of the stop that comes next, which
    // chooses the entries of InterseqJob::lengths and InterseqJob::second.
    void begin_subjects(const std::uint8_t* marks, std::int32_t next) {
      const Rules& r = job.rules;
      if (job.second_rows > 0) second = V::load(job.second + next * W);
      alignas(64) std::uint8_t marked[W];
      for (int lane = 0; lane < W; ++lane) {
        marked[lane] = marks[lane];
        if (!marks[lane]) continue;
        rows[lane] = job.second_rows > 0 && job.second[next * W + lane] ? job.second_rows : job.rows;
        // H' in column 0 of the last row.
        const std::int32_t h = r.free_query_begin ? r.extend * rows[lane] : -r.open;
        column[lane] = 0;
        length[lane] = job.lengths[next * W + lane];
        last_row[lane] = h;
        score[lane] = r.free_subject_end ? h - r.extend * rows[lane] : -2147483647 - 1;
        query_end[lane] = r.free_subject_end ? rows[lane] : 0;
        subject_end[lane] = 0;
      }
      const Vec begins = V::load(marked);
      if (!r.free_subject_begin) first_v = V::select_bytes(begins, V::sub(V::set1(0), open), first_v);
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const Vec u = V::set1(r.free_query_begin ? r.extend : i == 0 ? -r.open : 0);
        current[i] = {V::select_bytes(begins, u, current[i].u),
                      V::select_bytes(begins, V::sub(u, open), current[i].a)};
      }
    }

    void run() {
      alignas(64) std::uint8_t every_lane[W];
      for (std::uint8_t& lane : every_lane) lane = 0xff;
      current = keeps() ? kept(0) : border;
      begin_subjects(every_lane, 0);
      std::int32_t number = 0;
      for (std::int32_t s = 0; s < job.stop_count; ++s) {
        for (; number < job.stops[s].block; ++number) {
          if (stopped(job.stop_flag)) return;
          make_profile(job, job.letters + static_cast<std::int64_t>(number) * kColumns * W);
          block(number);
        }
        for (int lane = 0; lane < W; ++lane) {
          job.score[s * W + lane] = score[lane];
          if (job.want == Want::score) continue;
          job.query_end[s * W + lane] = query_end[lane];
          job.subject_end[s * W + lane] = subject_end[lane];
        }
        if (job.stops[s].restart != nullptr) begin_subjects(job.stops[s].restart, s + 1);
      }
    }
  };

  static void run(const InterseqJob& job) { Kernel(job).run(); }

  // Copies `count` bytes for each lane into `count` vectors at `to`. A lane's bytes begin at its offset from
  // `from` and are W bytes apart. A lane that needs fewer bytes (`needed`) may get only those.
  template <class Needed>
  static ALNUS_INLINE void collect(const WindowJob& job, const std::uint8_t* from,
                                   std::int32_t WindowSource::*offset, std::int32_t count, Needed needed,
                                   std::uint8_t* to) {
    if constexpr (requires { V::gathered; }) {
      for (int lane = 0; lane < job.lanes_used; lane += V::gathered) {
        alignas(64) std::int32_t offsets[V::gathered];
        for (int k = 0; k < V::gathered; ++k)
          offsets[k] = job.sources[lane + k < job.lanes_used ? lane + k : lane].*offset;
        V::gather(from, offsets, count, to + lane);
      }
    } else {
      for (int lane = 0; lane < job.lanes_used; ++lane)
        copy_lane(from + job.sources[lane].*offset, to + lane, needed(job.sources[lane]));
    }
  }
  // Copies one lane of `count` vectors; `count` is even.
  static ALNUS_INLINE void copy_lane(const std::uint8_t* from, std::uint8_t* to, std::int32_t count) {
#pragma GCC unroll 8
    for (std::int32_t k = 0; k < count; k += 2) {
      to[k * W] = from[k * W];
      to[(k + 1) * W] = from[(k + 1) * W];
    }
  }

  static void run_window(const WindowJob& job) {
    using Source = WindowSource;
    std::int32_t columns = 0;
    for (int lane = 0; lane < job.lanes_used; ++lane)
      columns = columns < job.sources[lane].columns ? job.sources[lane].columns : columns;
    collect(
        job, job.problem_letters, &Source::letters, columns,
        [](const Source& source) { return source.columns; }, job.letters);
    collect(
        job, job.checkpoints.above, &Source::above, 2 * columns,
        [](const Source& source) { return 2 * source.columns; }, job.above);
    collect(
        job, job.checkpoints.left, &Source::left, 2 * job.rows,
        [](const Source& source) { return 2 * source.rows; }, job.left);
    const Vec open = V::set1(job.rules.open), second = V::load(job.second);
    auto* border = reinterpret_cast<Border*>(job.left);
    for (int column = 0; column < columns; column += kColumns) {
      make_profile(job, job.letters + column * W);
      std::uint8_t* trace = job.trace + column * kBandRows * V::trace_bytes;
      Above above[kColumns];
      for (int j = 0; j < kColumns; ++j) above[j] = reinterpret_cast<Above*>(job.above)[column + j];
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const std::uint8_t* scores[2];
        for (int band = 0; band < 2; ++band) scores[band] = job.workspace + job.query[band][i] * kStride;
        Border left = border[i];
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) {
          const Vec a = left.a;
          const Vec score =
              V::select_bytes(second, V::load(scores[1] + j * kVec), V::load(scores[0] + j * kVec));
          const Cell c = cell(score, open, left, above[j]);
          V::store_trace(trace, V::eq(c.z, c.matched), V::eq(c.z, a), V::eq(c.next_e, c.opened),
                         V::eq(c.next_f, c.opened));
          trace += V::trace_bytes;
        }
        border[i] = left;
      }
    }
  }
};

}  // namespace alnus::cpu
