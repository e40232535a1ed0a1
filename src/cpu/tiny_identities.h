// Identities of many queries with the same short subjects, which lie in the lanes. Besides the score each
// lane carries the counts of the alignment up to its cell: identical residues, aligned pairs and gap
// residues, in one number (IdentityCounts in kernel_set.h). No traceback is needed: the values of a cell
// alone decide where a traceback would go from this cell (docs/ties.md), so that the counts of its path are
// known with the cell.
//
// The recurrence and its frame are those of tiny.h.
#pragma once

#include <cstdint>

#include "cpu/tiny.h"

namespace alnus::cpu {

template <class V>
struct TinyIdentities {
  using Vec = typename V::Vec;
  using Elem = typename V::Elem;
  using Ends = TinyEnds;
  static constexpr int W = V::lanes, kVec = sizeof(Vec);
  static constexpr int kRows = 2;  // rows of a query that registers hold at a time

  // The values that a row leaves in a column for the next row. `f` enters the next row.
  struct Cell {
    Vec h, f, h_counts, f_counts;
  };
  // Returns the bytes for the profile, the letters, and the cells of `top` and `bottom`.
  static std::uint64_t workspace_bytes(std::int32_t columns) {
    return static_cast<std::uint64_t>(columns) * ((kLetters + 1) * sizeof(Vec) + 2 * sizeof(Cell));
  }

  // A lane value, and the counts of its path.
  struct Counted {
    Vec value, counts;

    // Takes `other` and its counts in the lanes where `other` is higher.
    ALNUS_INLINE void raise_to(const Vec& other, const Vec& other_counts) {
      counts = V::select(V::gt(other, value), other_counts, counts);
      value = V::max(value, other);
    }
    // Takes `other` and its counts in the lanes `where`.
    ALNUS_INLINE void take(const typename V::Mask& where, const Vec& other, const Vec& other_counts) {
      value = V::select(where, other, value);
      counts = V::select(where, other_counts, counts);
    }
  };

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

    const Vec equal, pair, gap;   // what a column of each kind adds to the counts
    std::uint8_t* const profile;  // [kLetters][columns]
    Vec* const letters;           // [columns]: codes of the subjects' letters
    Cell* const top;              // row 0, with F as it enters the first row
    Cell* const bottom;           // the last row done
    Counted last_of_top;          // H in row 0 of each subject's last column
    Counted best;                 // best end of the current query so far; mode local: without frame
    Vec best_column;              // mode local: the column of `best`, from 0

    explicit Kernel(const TinyJob& j)
        : TinyFrame<V>(j),
          equal(V::set1(j.counts.equal())),
          pair(V::set1(j.counts.pair())),
          gap(V::set1(j.counts.gap())),
          profile(j.workspace),
          letters(reinterpret_cast<Vec*>(j.workspace + std::int64_t{kLetters} * j.columns * kVec)),
          top(reinterpret_cast<Cell*>(letters + j.columns)),
          bottom(top + j.columns) {}

    // Returns the counts of a path of `residues` residues along a border, whose begin is free or not.
    Vec of_border(std::int32_t residues, bool free) const {
      return V::set1(job.rules.local || free ? 0 : residues * job.counts.gap());
    }
    Vec of_left_border(std::int32_t row) const { return of_border(row, job.rules.free_query_begin); }

    void begin() {
      this->make_profile(profile);
      this->find_ends();
      alignas(64) Elem of_lane[W];
      for (std::int32_t j = 0; j < job.columns; ++j) {
        for (int lane = 0; lane < W; ++lane) of_lane[lane] = job.letters[j * W + lane];
        letters[j] = V::load(of_lane);
      }
      last_of_top = {zero, V::set1(0)};
      for (std::int32_t column = 1; column <= job.columns; ++column) {
        const int h = top_border(column);
        const Vec counts = of_border(column, job.rules.free_subject_begin);
        top[column - 1] = {V::set1(h), V::set1(from_border(h)), counts, V::add(counts, gap)};
        last_of_top.take(ending(column), V::set1(h), counts);
      }
    }

    // Computes the rows [first, first + R) of a query. `above` is the row before.
    template <int R, Ends kEnds>
    ALNUS_INLINE void rows(const std::uint8_t* residues, std::int32_t first, const Cell* above) {
      const std::uint8_t* scores[R];
      Vec codes[R];
      Counted left[R], e[R], last[R];
      for (int r = 0; r < R; ++r) {
        const int h = left_border(first + r + 1);
        const std::uint8_t code = residues[first + r] & (kLetters - 1);
        scores[r] = profile + code * job.columns * kVec;
        codes[r] = V::set1(code);
        last[r] = left[r] = {V::set1(h), of_left_border(first + r + 1)};
        e[r] = {V::set1(from_border(h)), V::add(left[r].counts, gap)};
      }
      Counted corner{V::set1(left_border(first)), of_left_border(first)};
      Vec floor = V::set1(job.rules.zero + job.rules.extend * (first + 2));  // of H in the first cell
      std::int32_t next_end = 0;
      for (std::int32_t j = 0; j < job.columns; ++j) {
        Counted f{above[j].f, above[j].f_counts}, diagonal = corner, best_of_column{V::set1(0), V::set1(0)};
        corner = {above[j].h, above[j].h_counts};
        Vec floor_here = floor;
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
          const Vec matched = V::add(diagonal.value, V::load(scores[r] + j * kVec));
          const Vec of_match = V::add(diagonal.counts, V::select(V::eq(letters[j], codes[r]), equal, pair));
          diagonal = left[r];
          const Vec h = V::max(V::max(matched, e[r].value), f.value);
          Vec counts =
              V::select(V::eq(h, matched), of_match, V::select(V::eq(h, e[r].value), e[r].counts, f.counts));
          Vec opened = V::sub(h, open);
          if (kEnds == Ends::local) {
            const Vec score = V::sub(h, floor_here);
            counts = V::select(V::eq(h, floor_here), V::set1(0), counts);
            best_of_column.raise_to(score, counts);
            floor_here = V::add(floor_here, extend);
            opened = V::max(opened, floor_here);
          }
          // A gap opens here if opening scores as much as extending (docs/ties.md).
          Counted of_gap{opened, counts};
          of_gap.raise_to(e[r].value, e[r].counts);
          e[r] = {of_gap.value, V::add(of_gap.counts, gap)};
          of_gap = {opened, counts};
          of_gap.raise_to(f.value, f.counts);
          f = {of_gap.value, V::add(of_gap.counts, gap)};
          left[r] = {h, counts};
        }
        bottom[j] = {left[R - 1].value, f.value, left[R - 1].counts, f.counts};
        if (kEnds == Ends::local) {
          floor = V::add(floor, extend);
          take_best_of(best_of_column, V::set1(j));
        }
        if (kEnds == Ends::last_column && j + 1 == ends[next_end]) {
          for (int r = 0; r < R; ++r) last[r].take(ending(j + 1), left[r].value, left[r].counts);
          ++next_end;
        }
      }
      for (int r = 0; kEnds == Ends::last_column && r < R; ++r) {
        best.value = V::add(best.value, extend);
        best.raise_to(last[r].value, last[r].counts);
      }
    }

    // Takes a column's best end. Of ends with equal scores the one in the first column counts, and in this
    // column the one in the first row.
    ALNUS_INLINE void take_best_of(const Counted& of_column, const Vec& column) {
      const auto higher = V::gt(of_column.value, best.value), equal_here = V::eq(of_column.value, best.value);
      const Vec earlier = V::select(V::gt(best_column, column), of_column.counts, best.counts);
      const Vec earliest = V::select(V::gt(best_column, column), column, best_column);
      best.counts = V::select(higher, of_column.counts, V::select(equal_here, earlier, best.counts));
      best_column = V::select(higher, column, V::select(equal_here, earliest, best_column));
      best.value = V::max(best.value, of_column.value);
    }

    template <Ends kEnds>
    __attribute__((noinline)) void all_rows(const TinyQuery& query) {
      best = kEnds == Ends::local ? Counted{V::set1(0), V::set1(0)} : last_of_top;
      best_column = V::set1(-1);
      const Cell* above = top;
      std::int32_t i = 0;
      for (; i + kRows <= query.rows; i += kRows, above = bottom)
        rows<kRows, kEnds>(query.residues, i, above);
      if (i < query.rows) rows<1, kEnds>(query.residues, i, above);
    }

    // Returns the best end in the last row of each subject. Without a free subject end it is the cell in the
    // last column. With a free subject end it is the first of the best cells up to the last column; if the
    // query's end is free, too, the last column is left out, since `best` has its ends.
    Counted best_of_last_row(std::int32_t rows) const {
      const bool any_column = job.rules.free_subject_end, without_last = job.rules.free_query_end;
      Counted so_far{V::set1(left_border(rows)), of_left_border(rows)}, result = so_far;
      std::int32_t j = 0;
      for (std::int32_t end = 0; end < end_count; ++end) {
        const std::int32_t last = ends[end] - 1;
        if (!any_column) j = last, so_far = {bottom[j].h, bottom[j].h_counts};
        for (; any_column && j < last + (without_last ? 0 : 1); ++j) {
          so_far.value = V::add(so_far.value, extend);
          so_far.raise_to(bottom[j].h, bottom[j].h_counts);
        }
        const Vec here = any_column && without_last ? V::add(so_far.value, extend) : so_far.value;
        result.take(ending(ends[end]), here, so_far.counts);
      }
      return result;
    }

    Counted best_end(const TinyQuery& query) {
      const Rules& r = job.rules;
      if (r.local) {
        all_rows<Ends::local>(query);
        return best;
      }
      if (!r.free_query_end) {
        all_rows<Ends::last_row>(query);
        return best_of_last_row(query.rows);
      }
      all_rows<Ends::last_column>(query);
      if (!r.free_subject_end) return best;
      Counted first = best_of_last_row(query.rows);
      first.raise_to(best.value, best.counts);
      return first;
    }

    void run() {
      begin();
      for (std::int32_t q = 0; q < job.query_count; ++q) {
        if (stopped(job.stop_flag)) return;
        const TinyQuery& query = job.queries[q];
        const Counted end = best_end(query);
        alignas(64) Elem scores[W], counts[W];
        V::store(scores, end.value);
        V::store(counts, end.counts);
        const std::int32_t shift = job.rules.extend * query.rows;
        for (int lane = 0; lane < job.lanes_used; ++lane) {
          query.scores[lane] = job.rules.local ? scores[lane] : scores[lane] - this->offsets[lane] - shift;
          query.counts[lane] = static_cast<std::uint16_t>(counts[lane]);
        }
      }
    }
  };

  static void run(const TinyJob& job) { Kernel(job).run(); }
};

}  // namespace alnus::cpu
