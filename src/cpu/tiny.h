// Scores of many queries with the same short subjects, which lie in the lanes. The profile of a batch has a
// vector for each letter and each column, and is made once for all queries: with sequences of 15 residues a
// profile for each query would take longer than the cells.
//
// The recurrence is that of interseq.h, in the frame of Rules: lanes hold value + extend * (i + j), so that E
// and F are running maxima. Unlike in interseq.h, mode local is in the frame, too: the floor, score 0, rises
// by `extend` with every row and column.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// The cells in which alignments may end. local: any cell; last_row: the last row only; last_column: the last
// row and the last column.
enum class TinyEnds : std::uint8_t { local, last_row, last_column };

// The base of the kernels of short subjects: borders, the profile, and the columns in which subjects end.
template <class V>
struct TinyFrame {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;
  static constexpr int W = V::lanes, kVec = sizeof(Vec);

  const TinyJob& job;
  const Vec zero, open, extend;
  Vec lengths;
  // By lane: the lane value of score 0 in row 0 of the column in whose frame the results are: the subject's
  // last column or, in mode local, the last column of the job.
  std::int32_t offsets[W];
  std::int32_t ends[kTinyColumns];  // columns in which subjects end, each once, rising
  std::int32_t end_count = 0;

  explicit TinyFrame(const TinyJob& j)
      : job(j), zero(V::set1(j.rules.zero)), open(V::set1(j.rules.open)), extend(V::set1(j.rules.extend)) {}

  // Writes the profile, [kLetters][columns] vectors, for the letters that queries have.
  void make_profile(std::uint8_t* profile) const {
    using Row = std::conditional_t<sizeof(Elem) == 1, std::int8_t, std::int32_t>;
    for (int letter = 0; letter < kLetters; ++letter) {
      if ((job.used >> letter & 1) == 0) continue;
      alignas(64) Row row[kLetters];
      for (int s = 0; s < kLetters; ++s)
        row[s] = static_cast<Row>(job.scores[letter * kLetters + s] + 2 * job.rules.extend);
      const auto table = V::table(row);
      for (std::int32_t j = 0; j < job.columns; ++j)
        V::store(profile + (letter * job.columns + j) * kVec,
                 V::lookup(table, V::letters(job.letters + j * W)));
    }
  }

  // Lane values of H on the borders: in column 0 of a row, and in row 0 of a column.
  int left_border(std::int32_t row) const {
    const Rules& r = job.rules;
    if (row == 0) return r.zero;
    return r.local || r.free_query_begin ? r.zero + r.extend * row : r.zero - r.open;
  }
  int top_border(std::int32_t column) const {
    const Rules& r = job.rules;
    return r.local || r.free_subject_begin ? r.zero + r.extend * column : r.zero - r.open;
  }
  // Returns the E or F that enters a cell from a border cell whose H is `h`.
  int from_border(int h) const { return job.rules.local ? h + job.rules.extend : h - job.rules.open; }

  void find_ends() {
    alignas(64) Elem of_lane[W] = {};
    bool ends_there[kTinyColumns + 1] = {};
    for (int lane = 0; lane < job.lanes_used; ++lane) {
      const std::int32_t length = job.lengths[lane];
      of_lane[lane] = static_cast<Elem>(length);
      ends_there[length] = true;
      offsets[lane] = job.rules.zero + job.rules.extend * (job.rules.local ? job.columns : length);
    }
    lengths = V::load(of_lane);
    for (std::int32_t column = 1; column <= job.columns; ++column)
      if (ends_there[column]) ends[end_count++] = column;
  }
  // Returns the lanes whose subject ends in this column.
  ALNUS_INLINE typename V::Mask ending(std::int32_t column) const { return V::eq(lengths, V::set1(column)); }
};

template <class V>
struct Tiny {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;
  static constexpr int W = V::lanes, kVec = sizeof(Vec);
  static constexpr int kRows = 4;  // rows of a query that registers hold at a time

  // The values that a row leaves in a column for the next row.
  struct Cell {
    Vec h, f;  // H, and F as it enters the next row
  };
  // Returns the bytes for the profile, and for the cells of `top` and `bottom`.
  static std::uint64_t workspace_bytes(std::int32_t columns) {
    return static_cast<std::uint64_t>(columns) * (kLetters * sizeof(Vec) + 2 * sizeof(Cell));
  }

  using Ends = TinyEnds;

  struct Kernel : TinyFrame<V> {
    using TinyFrame<V>::job;
    using TinyFrame<V>::zero;
    using TinyFrame<V>::open;
    using TinyFrame<V>::extend;
    using TinyFrame<V>::ends;
    using TinyFrame<V>::end_count;
    using TinyFrame<V>::ending;
    using TinyFrame<V>::left_border;
    using TinyFrame<V>::top_border;
    using TinyFrame<V>::from_border;

    std::uint8_t* const profile;  // [kLetters][columns]
    Cell* const top;              // row 0: H, and F as it enters the first row
    Cell* const bottom;           // the last row done
    Vec last_of_top;              // H in row 0 of each subject's last column
    Vec best;  // the best end of the current query so far, as a lane value in the frame of its last row done

    explicit Kernel(const TinyJob& j)
        : TinyFrame<V>(j),
          profile(j.workspace),
          top(reinterpret_cast<Cell*>(j.workspace + std::int64_t{kLetters} * j.columns * kVec)),
          bottom(top + j.columns) {}

    void begin() {
      this->make_profile(profile);
      this->find_ends();
      last_of_top = zero;
      for (std::int32_t column = 1; column <= job.columns; ++column) {
        const int h = top_border(column);
        top[column - 1] = {V::set1(h), V::set1(from_border(h))};
        last_of_top = V::select(ending(column), V::set1(h), last_of_top);
      }
    }

    // Computes the rows [first, first + R) of a query. `above` is the row before.
    template <int R, Ends kEnds>
    ALNUS_INLINE void rows(const std::uint8_t* residues, std::int32_t first, const Cell* above) {
      const std::uint8_t* scores[R];
      Vec left[R], e[R], last[R];
      for (int r = 0; r < R; ++r) {
        const int h = left_border(first + r + 1);
        scores[r] = profile + (residues[first + r] & (kLetters - 1)) * job.columns * kVec;
        left[r] = V::set1(h);
        e[r] = V::set1(from_border(h));
        last[r] = left[r];
      }
      Vec corner = V::set1(left_border(first));
      Vec floor = V::set1(job.rules.zero +
                          job.rules.extend * (first + 3));  // floor of E and F that leave the first cell
      Vec best_here = V::set1(job.rules.zero + job.rules.extend * (first + R));
      std::int32_t j = 0;
      const std::int32_t stop_count = kEnds == Ends::last_column ? end_count : 1;
      for (std::int32_t stop = 0; stop < stop_count; ++stop) {
        const std::int32_t end = kEnds == Ends::last_column ? ends[stop] : job.columns;
        for (; j < end; ++j) {
          Vec f = above[j].f, diagonal = corner, floor_here = floor, best_of_column = zero;
          corner = above[j].h;
#pragma GCC unroll 8
          for (int r = 0; r < R; ++r) {
            const Vec matched = V::add(diagonal, V::load(scores[r] + j * kVec));
            diagonal = left[r];
            const Vec h = V::max(V::max(matched, e[r]), f);
            Vec opened = V::sub(h, open);
            if (kEnds == Ends::local) {
              opened = V::max(opened, floor_here);
              floor_here = V::add(floor_here, extend);
              best_of_column = r == 0 ? h : V::max(V::add(best_of_column, extend), h);
            }
            e[r] = V::max(e[r], opened);
            f = V::max(f, opened);
            left[r] = h;
          }
          bottom[j] = {left[R - 1], f};
          if (kEnds == Ends::local) {
            floor = V::add(floor, extend);
            best_here = V::max(V::add(best_here, extend), best_of_column);
          }
        }
        if (kEnds == Ends::last_column)
          for (int r = 0; r < R; ++r) last[r] = V::select(ending(end), left[r], last[r]);
      }
      if (kEnds == Ends::local)
        best = V::max(V::add(best, V::set1(R * job.rules.extend)), best_here);
      else if (kEnds == Ends::last_column)
        for (int r = 0; r < R; ++r) best = V::max(V::add(best, extend), last[r]);
    }

    template <Ends kEnds>
    __attribute__((noinline)) void all_rows(const TinyQuery& query) {
      best = kEnds == Ends::local ? V::set1(top_border(job.columns)) : last_of_top;
      const Cell* above = top;
      std::int32_t i = 0;
      for (; i + kRows <= query.rows; i += kRows, above = bottom)
        rows<kRows, kEnds>(query.residues, i, above);
      switch (query.rows - i) {
        case 1:
          return rows<1, kEnds>(query.residues, i, above);
        case 2:
          return rows<2, kEnds>(query.residues, i, above);
        case 3:
          return rows<3, kEnds>(query.residues, i, above);
        default:
          return;
      }
    }

    // Returns H of the last row in each subject's last column; with a free subject end the best H of the last
    // row up to this column, in the frame of this column.
    Vec best_of_last_row(std::int32_t rows) const {
      const bool any_column = job.rules.free_subject_end;
      Vec so_far = V::set1(left_border(rows)), result = so_far;
      std::int32_t j = 0;
      for (std::int32_t end = 0; end < end_count; ++end) {
        if (any_column)
          for (; j < ends[end]; ++j) so_far = V::max(V::add(so_far, extend), bottom[j].h);
        else
          so_far = bottom[ends[end] - 1].h;
        result = V::select(ending(ends[end]), so_far, result);
      }
      return result;
    }

    void run() {
      begin();
      for (std::int32_t q = 0; q < job.query_count; ++q) {
        if (stopped(job.stop_flag)) return;
        const TinyQuery& query = job.queries[q];
        Vec result;
        if (job.rules.local) {
          all_rows<Ends::local>(query);
          result = best;
        } else if (job.rules.free_query_end) {
          all_rows<Ends::last_column>(query);
          result = V::max(best, best_of_last_row(query.rows));
        } else {
          all_rows<Ends::last_row>(query);
          result = best_of_last_row(query.rows);
        }
        alignas(64) Elem of_lane[W];
        V::store(of_lane, result);
        const std::int32_t shift = job.rules.extend * query.rows;
        for (int lane = 0; lane < job.lanes_used; ++lane)
          query.scores[lane] = of_lane[lane] - this->offsets[lane] - shift;
      }
    }
  };

  static void run(const TinyJob& job) { Kernel(job).run(); }
};

}  // namespace alnus::cpu
