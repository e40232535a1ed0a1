// The traceback of one pair, square by square (traceback16.cu).
#pragma once

#include "cuda/kernels/moves16.cuh"
#include "cuda/kernels/square16.cuh"

namespace alnus::cuda {

// The traceback of one pair by one thread. While it is active(), the caller computes its square
// (compute_square in traceback16.cu), then calls walk() and leave().
template <Goal goal>
class Path {
 public:
  __device__ Path(const Traceback16& work, std::uint32_t row, std::uint32_t column)
      : work_(work),
        query_(work.query_places[row]),
        subject_(work.subject_places[column]),
        pair_(column - query_.begin),
        result_(work.results + query_.first_result + pair_),
        score_(work.scores16.scores[row * work.scores16.stride + column]) {
    *result_ = {};
    result_->row = work.first_row + row;
    result_->column = work.first_column + column;
    result_->score = score_;
    if constexpr (goal == Goal::ends) {
      find_end();
      begin_walk();
    } else if (score_ >= work.overflow) {
      const auto number = atomicAdd(reinterpret_cast<unsigned long long*>(&work.totals->overflown), 1ULL);
      work.overflown[number] = static_cast<std::uint32_t>(result_ - work.results);
      if (work.writes_runs) work.walked[result_ - work.results] = {};
    } else if (score_ == 0) {
      i_ = j_ = 0;
      begin_walk();
    } else {
      i_ = j_ = UINT32_MAX;
      state_ = State::searching;
      search_from(0);
    }
  }

  __device__ bool active() const { return state_ != State::done; }
  // Columns of the square that have to be computed.
  __device__ int columns() const { return static_cast<int>(last_column_ + 1 - first_column_); }

  // Writes the letters of the square, and H and F that enter it from above, into `square`. Writes H and E
  // that enter it from the left into `edge`.
  __device__ void load(SquareEdge& edge, const Square& square) const {
    uint2 entering[kSquare];
#pragma unroll
    for (int k = 0; k < kSquare; ++k)
      entering[k] = above(min(first_column_ + static_cast<std::uint32_t>(k), last_column_));
    load_left(edge);
    square.put_above(0, edge.corner);
    const std::uint32_t selector = same_halves(query_.half);
#pragma unroll
    for (int k = 0; k < kSquare; ++k) {
      square.put_letters(k + 1, subject_letter(k), query_letter(k));
      square.put_entering(k + 1, __byte_perm(entering[k].x, entering[k].y, selector));
      square.put_above(k + 1, square.entering(k + 1));
    }
#pragma unroll
    for (int four = 0; four < kSquare / 8; ++four) {
      const std::uint32_t two = __byte_perm(edge.H[4 * four], edge.H[4 * four + 1], 0x6420),
                          below = __byte_perm(edge.H[4 * four + 2], edge.H[4 * four + 3], 0x6420);
      square.put_cells(0, four, __byte_perm(two, below, 0x6420) & Square::kModulus * 0x01010101u);
    }
  }
  // The scores of the square's rows with a letter of the subject.
  __device__ uint4 scores(std::uint32_t letter) const { return work_.scores_of_rows[first_scores_ + letter]; }
  // The letter of the square's k-th column. Behind the subject's end these are pads.
  __device__ std::uint32_t subject_letter(int k) const {
    return load_byte(work_.scores16.packed + subject_.residues +
                     (std::uint64_t{first_column_} + static_cast<unsigned>(k)) * kSubjects);
  }
  // The letter of the square's row r, or of the nearest row that is not padding.
  __device__ std::uint32_t query_letter(int r) const {
    const auto row = static_cast<std::int32_t>(top_) + r - static_cast<std::int32_t>(query_.pads);
    return load_byte(work_.queries + query_.codes +
                     min(max(row, 0), static_cast<std::int32_t>(query_.length) - 1));
  }
  // Goal::local: the stored score that is searched for, in both halves; after the search, a value that no H
  // has.
  __device__ std::uint32_t sought() const {
    const bool searching = state_ == State::searching;
    return (searching ? static_cast<std::uint32_t>(score_ + kFloor) : 0xffff) * 0x10001u;
  }
  // Looks for the end cell in 8 rows of the k-th column: the upper rows (half 0) or the lower ones (half 1).
  template <int half>
  __device__ void look_for_end(int k, const std::uint32_t (&H)[kSquare / 2]) {
    if (k < 0 || k >= columns()) return;
    const std::uint32_t j = first_column_ + static_cast<unsigned>(k) + 1;
    if (j > j_) return;
    std::uint32_t i = UINT32_MAX;
#pragma unroll
    for (int r = kSquare / 2 - 1; r >= 0; --r)
      if (half_of(H[r], half) == score_ + kFloor)
        i = top_ + static_cast<std::uint32_t>(r + half * kSquare / 2) + 1;
    if (j < j_ || i < i_) i_ = i, j_ = j;
  }

  // Follows the path through a computed square, as trace_back of core/reference.cpp does. The paths of a warp
  // are in different states. So every step loads the same things in all states, and no load is in a branch.
  __device__ void walk(const Square& square) {
    if (state_ == State::searching) return;
    int row = static_cast<int>(query_.pads + i_ - top_), column = static_cast<int>(j_ - first_column_);
    const int first_row = max(static_cast<int>(query_.pads) - static_cast<int>(top_), 0);
    int up = state_ != State::in_E, left = state_ != State::in_F;  // 1 if the next move goes up, or left
    std::uint32_t here = square.cell(row, column);
    std::uint64_t moves = 1;
    const std::int32_t gap_gain = -(work_.open + work_.extend);
    while (row > first_row && column > 0 && !(goal == Goal::local && up + left == 2 && value_ == kFloor)) {
      const std::uint32_t next = square.cell(row - up, column - left), of_row = square.letter_of_row(row),
                          of_column = square.letter_of_column(column);
      const std::int32_t score = square.score(of_row, of_column);
      const bool in_H = up + left == 2;
      const std::int32_t gain = in_H ? score : gap_gain, before = value_ - gain;
      const bool from_H = ((static_cast<std::uint32_t>(before) ^ next) & Square::kModulus) == 0;
      const bool stays = in_H && !from_H;
      const std::uint32_t gap = here & Square::kFromE ? Move::deletion : Move::insertion,
                          move = in_H ? of_row != of_column : Move::deletion + up;
      if (stays) {
        up = gap == Move::insertion;
        left = gap == Move::deletion;
      } else {
        moves = moves << 2 | move;
        positive_ += in_H && score > 0;
        row -= up;
        column -= left;
        value_ = from_H ? before : value_ + work_.extend;
        here = next;
        if (from_H) up = left = 1;
      }
    }
    state_ = !up ? State::in_E : !left ? State::in_F : State::in_H;
    i_ = top_ + static_cast<std::uint32_t>(row) - query_.pads;
    j_ = first_column_ + static_cast<std::uint32_t>(column);
    counter_.add(moves);
    if (work_.writes_runs) *moves_of(work_, query_, pair_, squares_++) = moves;
  }

  // Goes to the next square, or ends the path.
  __device__ void leave() {
    if (state_ == State::searching) {
      if (!lower_)
        enter(block_, 1, window_, last_column_);
      else
        search_from(block_ + 1);
    } else {
      if (i_ == 0 || j_ == 0 || (goal == Goal::local && at_begin()))
        finish();
      else
        at_cell(i_, j_);
    }
  }

 private:
  __device__ void load_left(SquareEdge& edge) const {
    constexpr int kRows = kSquare / 2;
    if (first_column_ == 0) {
      const std::int32_t above = static_cast<std::int32_t>(top_) - static_cast<std::int32_t>(query_.pads);
      const auto border = [&](std::int32_t i) { return left_border(work_.scores16.borders, i); };
      edge.corner = both_halves(border(above), 0);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        edge.H[r] = both_halves(border(above + r + 1), border(above + r + 1 + kRows));
        edge.gap_right[r] = edge.H[r] + work_.scores16.opened;
      }
      return;
    }
    const std::uint32_t selector = same_halves(query_.half);
    const std::uint32_t corner = above(first_column_ - 1).x;
    edge.corner = __byte_perm(corner, corner, selector);
    const uint4* const rows = own_.fours + first_four();
#pragma unroll
    for (int r = 0; r < kRows; r += 2) {
      const uint4 upper = rows[r / 2 * kWarpThreads], lower = rows[(r + kRows) / 2 * kWarpThreads];
      edge.H[r] = __byte_perm(upper.x, lower.x, selector);
      edge.gap_right[r] = __byte_perm(upper.y, lower.y, selector);
      edge.H[r + 1] = __byte_perm(upper.z, lower.z, selector);
      edge.gap_right[r + 1] = __byte_perm(upper.w, lower.w, selector);
    }
  }

  enum class State : std::uint32_t { done, searching, in_H, in_E, in_F };

  // What a lane has kept (Trace16).
  struct Lane {
    const uint4* fours;
    const std::uint32_t* bests;
    const uint4* last_column;
    std::uint32_t number;

    static __device__ std::uint64_t of_step(std::uint32_t t) {
      return std::uint64_t{t / kWindow * kWindowFours + kTraceRows / 2 + t % kWindow} * kWarpThreads;
    }
    __device__ const uint4& step(std::uint32_t t) const { return fours[of_step(t)]; }
    __device__ std::uint32_t best_before(std::uint32_t window) const { return bests[window * kWarpThreads]; }
  };
  __device__ Lane lane_of(std::uint32_t block) const {
    const Trace16& trace = work_.scores16.trace;
    const std::uint32_t number = query_.first_lane + block, pass = number / kNarrowLanes,
                        lane = number % kNarrowLanes, thread = trace_thread(lane, subject_.in_strip);
    const TracePlace place(trace, pass, subject_.strip, work_.scores16.strip_count);
    return {trace.windows + place.windows + thread, trace.bests + place.bests + thread,
            trace.last_columns + place.last_column + thread, lane};
  }
  __device__ std::uint32_t blocks() const {
    return (query_.pads + query_.length + kTraceRows - 1) / kTraceRows;
  }
  __device__ std::uint32_t in_half(std::uint32_t halves) const {
    return static_cast<std::uint32_t>(half_of(halves, static_cast<int>(query_.half)));
  }

  // Goes to the square of the block's upper (lower = 0) or lower rows in this trace window (Trace16), up to
  // this column.
  __device__ void enter(std::uint32_t block, std::uint32_t lower, std::uint32_t window,
                        std::uint32_t column) {
    block_ = block;
    lower_ = lower;
    window_ = window;
    top_ = block * kTraceRows + lower * kSquare;
    own_ = lane_of(block);
    const Lane above = block > 0 && !lower ? lane_of(block - 1) : own_;
    above_ = reinterpret_cast<const uint2*>(above.fours) + (lower ? 0 : 1);
    above_number_ = above.number;
    first_column_ = first_of(own_, window);
    last_column_ = column;
    first_scores_ = (((query_.first_block + block) * 2 + query_.half) * 2 + lower) * work_.scores16.letters;
  }
  static __device__ std::uint32_t first_of(const Lane& lane, std::uint32_t window) {
    return window * kWindow > lane.number ? window * kWindow - lane.number : 0;
  }
  __device__ void at_cell(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t row = query_.pads + i - 1, block = row / kTraceRows;
    enter(block, row / kSquare % 2, (j - 1 + lane_of(block).number) / kWindow, j - 1);
  }
  __device__ std::uint32_t first_four() const {
    return (window_ * kWindowFours + lower_ * (kSquare / 2)) * kWarpThreads;
  }
  __device__ uint2 above(std::uint32_t column) const {
    const uint2 kept = above_[Lane::of_step(column + above_number_) * 2];
    const std::uint32_t h = top_border(column + 1);
    return top_ > 0 ? kept : uint2{h, h + work_.scores16.opened};
  }
  __device__ std::uint32_t top_border(std::uint32_t j) const {  // stored H(0,j), in both halves
    const Borders& borders = work_.scores16.borders;
    const std::int32_t h =
        borders.zero - borders.above.open - static_cast<std::int32_t>(j) * borders.above.extend;
    return both_halves(h, h);
  }

  // Goal::ends: finds the end cell by the rule of docs/ties.md.
  __device__ void find_end() {
    const std::uint32_t m = query_.length, n = subject_.length;
    const FreeEnds free = work_.scores16.free_ends;
    const std::int32_t zero = work_.scores16.borders.zero;
    const auto best = static_cast<std::uint32_t>(score_ + zero);
    i_ = m, j_ = n;
    if (free.subject_end) {
      const std::int32_t first = left_border(work_.scores16.borders, static_cast<std::int32_t>(m));
      j_ = static_cast<std::uint32_t>(first) == best ? 0 : find_in_last_row(best);
    }
    if (j_ == n && free.query_end) i_ = find_in_last_column(best);
  }
  __device__ std::uint32_t find_in_last_row(std::uint32_t best) const {
    const Lane last = lane_of(blocks() - 1);
    const std::uint32_t n = subject_.length, last_window = (n - 1 + last.number) / kWindow;
    std::uint32_t window = last.number / kWindow;
    while (window < last_window && in_half(last.best_before(window + 1)) < best) ++window;
    std::uint32_t column = first_of(last, window);
    while (column + 1 < n && in_half(last.step(column + last.number).z) != best) ++column;
    return column + 1;
  }
  __device__ std::uint32_t find_in_last_column(std::uint32_t best) const {
    if (in_half(top_border(subject_.length)) == best) return 0;
    for (std::uint32_t block = 0; block < blocks(); ++block) {
      const Lane lane = lane_of(block);
      for (std::uint32_t four = 0; four < kColumnFours; ++four) {
        const uint4 rows = lane.last_column[four * kWarpThreads];
        const std::uint32_t row = block * kTraceRows + four * 4;
        const auto is_end = [&](std::uint32_t h, std::uint32_t of_row) {
          return of_row >= query_.pads && in_half(h) == best;
        };
        if (is_end(rows.x, row)) return row + 1 - query_.pads;
        if (is_end(rows.y, row + 1)) return row + 2 - query_.pads;
        if (is_end(rows.z, row + 2)) return row + 3 - query_.pads;
        if (is_end(rows.w, row + 3)) return row + 4 - query_.pads;
      }
    }
    return query_.length;  // not reached
  }

  // Goal::local: looks for the next lane block, from `block` on, that reaches the score before column j_.
  // Enters the upper square of the first trace window in which it does; leave() then enters the lower one. If
  // there is no such lane block, the end cell is known and the walk begins.
  __device__ void search_from(std::uint32_t block) {
    const auto best = static_cast<std::uint32_t>(score_ + kFloor);
    for (; block < blocks(); ++block) {
      const Lane lane = lane_of(block);
      const std::uint32_t last = (subject_.length - 1 + lane.number) / kWindow;
      if (in_half(lane.best_before(last + 1)) < best) continue;
      std::uint32_t window = lane.number / kWindow;
      while (first_of(lane, window) < j_ && in_half(lane.best_before(window + 1)) < best) ++window;
      if (first_of(lane, window) >= j_) continue;
      enter(block, 0, window, min((window + 1) * kWindow - 1 - lane.number, subject_.length - 1));
      return;
    }
    begin_walk();
  }
  __device__ void begin_walk() {
    query_end_ = i_, subject_end_ = j_;
    value_ = score_ + work_.scores16.borders.zero;
    state_ = State::in_H;
    if (work_.ends_only || i_ == 0 || j_ == 0)
      finish();
    else
      at_cell(i_, j_);
  }

  // Goal::local: true if H is 0, so that the alignment begins here.
  __device__ bool at_begin() const { return state_ == State::in_H && value_ == kFloor; }
  __device__ void finish() {
    state_ = State::done;
    result_->query_end = static_cast<std::int32_t>(query_end_);
    result_->subject_end = static_cast<std::int32_t>(subject_end_);
    if (work_.ends_only) return;
    Walked walked{squares_, 0, 0, 0};
    if (goal == Goal::ends && i_ > 0 && !work_.scores16.free_ends.query_begin) {
      counter_.add_gap();
      walked.leading_insertion = i_;
      i_ = 0;
    }
    if (goal == Goal::ends && j_ > 0 && !work_.scores16.free_ends.subject_begin) {
      counter_.add_gap();
      walked.leading_deletion = j_;
      j_ = 0;
    }
    AlignmentCounts counts;
    counts.identical = counter_.identical();
    counts.positive = positive_;
    counts.mismatches = counter_.aligned() - counter_.identical();
    counts.gap_opens = counter_.gap_opens();
    counts.gap_residues =
        static_cast<std::int32_t>(query_end_ - i_ + subject_end_ - j_) - 2 * counter_.aligned();
    counts.columns = counter_.aligned() + counts.gap_residues;
    result_->query_begin = static_cast<std::int32_t>(i_);
    result_->subject_begin = static_cast<std::int32_t>(j_);
    result_->counts = counts;
    if (!work_.writes_runs) return;
    walked.runs = static_cast<std::uint32_t>(counter_.runs());
    work_.walked[result_ - work_.results] = walked;
    atomicAdd(reinterpret_cast<unsigned long long*>(&work_.totals->runs), places_of(walked.runs));
  }

  const Traceback16& work_;
  const QueryPlace query_;
  const SubjectPlace subject_;
  const std::uint32_t pair_;  // number of the pair among those of the row
  PairResult* const result_;
  MoveCounter counter_;
  std::int32_t positive_ = 0;
  std::uint32_t squares_ = 0;  // squares that the path has left
  const std::int32_t score_;
  State state_ = State::done;
  std::uint32_t i_ = 0, j_ = 0;  // the cell that the path is in; during the search, the best end cell so far
  std::uint32_t query_end_ = 0, subject_end_ = 0;
  std::int32_t value_ = 0;  // stored H, E or F of that cell, by state_
  // The square that the path is in.
  std::uint32_t block_ = 0, lower_ = 0, window_ = 0, top_ = 0, first_column_ = 0, last_column_ = 0,
                first_scores_ = 0;
  Lane own_{};
  const uint2* above_ = nullptr;    // H and F of the row above, by step; not used if top_ is 0
  std::uint32_t above_number_ = 0;  // lane of the row above
};

}  // namespace alnus::cuda
