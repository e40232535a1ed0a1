// Exact alignment in 8-bit lanes for the modes without a floor: lanes hold differences between neighbouring
// cells, which stay small however long the sequences are (Suzuki and Kasahara 2018). One query with subjects
// one after the other in each lane, as in interseq.h; the same results and traces.
//
// In the frame of Rules (H' = H + extend * (i + j)) a gap costs `open` alone, and with
//   z = H'(i, j) - H'(i-1, j-1)      u = H'(i, j) - H'(i-1, j)      v = H'(i, j) - H'(i, j-1)
//   a = E'(i, j) - H'(i-1, j-1)      b = F'(i, j) - H'(i-1, j-1)
// the recurrence becomes
//   z = max(score + 2 extend, a, b)
//   u = z - v(i-1, j)                a(i, j+1) = max(a, z - open) - v(i-1, j)
//   v = z - u(i, j-1)                b(i+1, j) = max(b, z - open) - u(i, j-1)
// None of these leaves [-3 open, best score + 2 extend + open]; differences_fit() in lane_value.h.
// H itself is summed up along the last row, and down the last column of a subject where ends are free there.
#pragma once

#include <cstdint>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

template <class V, int kColumns>
struct Differences {
  using Vec = typename V::Vec;
  static constexpr int W = V::lanes;

  struct Border {
    Vec u, a;  // u of the block's last column, a as it enters the next
  };
  static constexpr std::uint64_t kProfileBytes = std::uint64_t{kLetters} * kColumns * sizeof(Vec);
  // Profile, border, and u of all rows of a block.
  static std::uint64_t workspace_bytes(std::int32_t rows) {
    return kProfileBytes + static_cast<std::uint64_t>(rows) * (sizeof(Border) + kColumns * sizeof(Vec));
  }

  template <Want kWant>
  struct Kernel {
    const InterseqJob& job;
    const std::uint8_t* const profile;
    Border* const border;
    std::int8_t* const down;  // u: [kColumns][rows][W]
    const Vec open, border_step;
    Vec first_v;  // v above the first row, in the next column
    // Of the lanes' subjects:
    std::int32_t column[W];                               // columns done
    std::int32_t length[W];                               // columns in all
    std::int32_t last_row[W];                             // H' in the last row and the last column done
    std::int32_t score[W], query_end[W], subject_end[W];  // the best end so far

    explicit Kernel(const InterseqJob& j)
        : job(j),
          profile(j.workspace),
          border(reinterpret_cast<Border*>(j.workspace + kProfileBytes)),
          down(reinterpret_cast<std::int8_t*>(border + j.rows)),
          open(V::set1(j.rules.open)),
          border_step(V::set1(j.rules.free_subject_begin ? j.rules.extend : 0)),
          first_v(border_step) {}

    void make_profile(const std::uint8_t* letters) const {
      typename V::Letters columns[kColumns];
      for (int j = 0; j < kColumns; ++j) columns[j] = V::letters(letters + j * W);
      for (std::int32_t u = 0; u < job.used_count; ++u) {
        alignas(32) std::int8_t scores[kLetters];
        for (int s = 0; s < kLetters; ++s)
          scores[s] = static_cast<std::int8_t>(job.scores[job.used[u] * kLetters + s] + 2 * job.rules.extend);
        const auto table = V::table(scores);
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) {
          V::store(job.workspace + (u * kColumns + j) * static_cast<int>(sizeof(Vec)),
                   V::lookup(table, columns[j]));
        }
      }
    }

    // kDown: keeps u of all rows.
    template <bool kDown>
    void block(std::uint8_t* trace) {
      constexpr int kStride = kColumns * static_cast<int>(sizeof(Vec));
      Vec v[kColumns], b[kColumns];
      for (int j = 0; j < kColumns; ++j) {
        v[j] = j == 0 ? first_v : border_step;
        b[j] = V::sub(v[j], open);
      }
      first_v = border_step;
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const std::uint8_t* scores = profile + job.query[i] * kStride;
        Vec u = border[i].u, a = border[i].a;
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) {
          const Vec matched = V::load(scores + j * static_cast<int>(sizeof(Vec)));
          const Vec z = V::max(matched, V::max(a, b[j]));
          const Vec opened = V::sub(z, open);
          const Vec next_e = V::max(a, opened), next_f = V::max(b[j], opened);
          if (kWant == Want::trace) {
            V::store_trace(trace, V::eq(z, matched), V::eq(z, a), V::eq(next_e, opened),
                           V::eq(next_f, opened));
            trace += V::trace_bytes;
          }
          const Vec left = u, above = v[j];
          u = V::sub(z, above);
          a = V::sub(next_e, above);
          v[j] = V::sub(z, left);
          b[j] = V::sub(next_f, left);
          if (kDown) V::store(down + (static_cast<std::int64_t>(j) * job.rows + i) * W, u);
        }
        border[i] = {u, a};
      }
      for (int j = 0; j < kColumns; ++j) end_column(j, v[j]);
    }

    void end_column(int j, Vec v) {
      const Rules& r = job.rules;
      alignas(64) std::int8_t step[W];
      V::store(step, v);
      for (int lane = 0; lane < W; ++lane) last_row[lane] += step[lane];
      for (int lane = 0; lane < W; ++lane) ++column[lane];
      if (r.free_subject_end) {
        for (int lane = 0; lane < W; ++lane) {
          const std::int32_t here = last_row[lane] - r.extend * (job.rows + column[lane]);
          const bool better = (here > score[lane]) & (column[lane] < length[lane]);
          score[lane] = better ? here : score[lane];
          query_end[lane] = better ? job.rows : query_end[lane];
          subject_end[lane] = better ? column[lane] : subject_end[lane];
        }
      }
      for (int lane = 0; lane < W; ++lane) {
        if (column[lane] != length[lane]) continue;
        if (r.free_query_end) offer_last_column(lane, down + static_cast<std::int64_t>(j) * job.rows * W);
        offer(lane, last_row[lane] - r.extend * (job.rows + column[lane]), job.rows);
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
      for (std::int32_t row = 0; row < job.rows; ++row) {
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

    // In the lanes marked 0xff; `next` is the number of the stop that comes.
    void begin_subjects(const std::uint8_t* marks, std::int32_t next) {
      const Rules& r = job.rules;
      const std::int32_t h = r.free_query_begin ? r.extend * job.rows : -r.open;  // H' below column 0
      alignas(64) std::uint8_t marked[W];
      for (int lane = 0; lane < W; ++lane) {
        marked[lane] = marks[lane];
        if (!marks[lane]) continue;
        column[lane] = 0;
        length[lane] = job.lengths[next * W + lane];
        last_row[lane] = h;
        score[lane] = r.free_subject_end ? h - r.extend * job.rows : -2147483647 - 1;
        query_end[lane] = r.free_subject_end ? job.rows : 0;
        subject_end[lane] = 0;
      }
      const Vec begins = V::load(marked);
      if (!r.free_subject_begin) first_v = V::select_bytes(begins, V::sub(V::set1(0), open), first_v);
      for (std::int32_t i = 0; i < job.rows; ++i) {
        const Vec u = V::set1(r.free_query_begin ? r.extend : i == 0 ? -r.open : 0);
        border[i] = {V::select_bytes(begins, u, border[i].u),
                     V::select_bytes(begins, V::sub(u, open), border[i].a)};
      }
    }

    void run() {
      alignas(64) std::uint8_t every_lane[W];
      for (std::uint8_t& lane : every_lane) lane = 0xff;
      begin_subjects(every_lane, 0);
      std::uint8_t* trace = job.trace;
      std::int32_t number = 0;
      for (std::int32_t s = 0; s < job.stop_count; ++s) {
        for (; number < job.stops[s].block; ++number) {
          make_profile(job.letters + static_cast<std::int64_t>(number) * kColumns * W);
          if (job.rules.free_query_end && some_end()) {
            block<true>(trace);
          } else {
            block<false>(trace);
          }
          if (kWant == Want::trace) trace += static_cast<std::int64_t>(job.rows) * kColumns * V::trace_bytes;
        }
        for (int lane = 0; lane < W; ++lane) {
          job.score[s * W + lane] = score[lane];
          if (kWant == Want::score) continue;
          job.query_end[s * W + lane] = query_end[lane];
          job.subject_end[s * W + lane] = subject_end[lane];
        }
        if (job.stops[s].restart != nullptr) begin_subjects(job.stops[s].restart, s + 1);
      }
    }
  };

  static void run(const InterseqJob& job) {
    switch (job.want) {
      case Want::score:
        return Kernel<Want::score>(job).run();
      case Want::ends:
        return Kernel<Want::ends>(job).run();
      case Want::trace:
        return Kernel<Want::trace>(job).run();
    }
  }
};

}  // namespace alnus::cpu
