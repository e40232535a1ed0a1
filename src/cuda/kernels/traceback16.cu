// A thread goes back along two alignments, in the halves of its registers, of two queries with one subject.
// It enters a square of 16 rows and columns, computes it as scores16 did, keeps what the way back needs of it
// in shared memory, and follows both paths until they leave it. H modulo 256 and a bit tell where a path
// comes from (docs/cuda-kernels.md).
#include "cuda/kernels/halves.cuh"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/run_writer.cuh"
#include "cuda/kernels/traceback16.h"

namespace alnus::cuda {
namespace {

constexpr int kSquare = 16;
static_assert(kSquare == kWindow && 2 * kSquare == kTraceRows);

using Cigar = std::span<const CigarRun>;

// Any half of `a` and any of `b` as the halves of a word.
__device__ inline std::uint32_t half_selector(std::uint32_t half_of_a, std::uint32_t half_of_b) {
  return (half_of_a ? 0x32 : 0x10) | (half_of_b ? 0x7600 : 0x5400);
}

// Byte k of `a` and of `b`, with their signs.
template <int k>
__device__ inline std::uint32_t signed_bytes(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  constexpr std::uint32_t kSelector = k | (8 + k) << 4 | (4 + k) << 8 | (12 + k) << 12;
  std::uint32_t both;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(both) : "r"(a), "r"(b), "n"(kSelector));
  return both;
#else
  const auto half = [](std::uint32_t word) {
    return static_cast<std::uint16_t>(static_cast<std::int8_t>(word >> (8 * k)));
  };
  return half(a) | static_cast<std::uint32_t>(half(b)) << 16;
#endif
}

// Of bytes 1 and 3 of `a` and of `b`: 0xff where the highest bit is set, and 0.
__device__ inline std::uint32_t signs_of_halves(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  std::uint32_t signs;
  asm("prmt.b32 %0, %1, %2, 0xfdb9;" : "=r"(signs) : "r"(a), "r"(b));
  return signs;
#else
  const auto of_word = [](std::uint32_t word) { return (word >> 15 & 1) * 0xffu | (word >> 31) * 0xff00u; };
  return of_word(a) | of_word(b) << 16;
#endif
}

constexpr int kLetters = 32;  // of a side of the matrix

// What the way back needs of a square, for both paths of each thread. Rows and columns count from 1, as in
// docs/ties.md, and in 0 is what borders the square. Where two rows share a word, each has a byte of either
// path.
struct SquareMemory {
  static constexpr int kRowWords = kSquare / 2 + 1;
  std::uint32_t H[kSquare + 1][kRowWords][kWarpThreads];  // modulo 256
  std::uint32_t from_E[kSquare][kWarpThreads];            // of a column, by column - 1
  // By row - 1 and column - 1, with one more that is 0.
  std::uint32_t query_letters[kRowWords][kWarpThreads];
  std::uint16_t subject_letters[kSquare + 1][kWarpThreads];
  std::int8_t matrix[kLetters][kLetters];
};

class Square {
 public:
  __device__ Square(SquareMemory& memory, const std::int32_t* matrix)
      : memory_(memory), thread_(threadIdx.x) {
    for (std::uint32_t i = thread_; i < kLetters * kLetters; i += kWarpThreads)
      memory_.matrix[i / kLetters][i % kLetters] = static_cast<std::int8_t>(matrix[i]);
    put_query_letters(kSquare, 0, 0);
    put_subject_letters(kSquare, 0, 0);
  }

  __device__ void put_H(int column, int row, std::uint32_t here, std::uint32_t below) const {
    memory_.H[column][row / 2][thread_] = __byte_perm(here, below, 0x6420);
  }
  // Of two rows, the upper one even.
  __device__ void put_query_letters(int number, std::uint32_t here, std::uint32_t below) const {
    memory_.query_letters[number / 2][thread_] = here | below << 16;
  }
  __device__ void put_subject_letters(int number, std::uint32_t low, std::uint32_t high) const {
    memory_.subject_letters[number][thread_] = static_cast<std::uint16_t>(low | high << 8);
  }
  __device__ void put_from_E(int number, std::uint32_t rows) const { memory_.from_E[number][thread_] = rows; }

  template <int half>
  __device__ std::uint32_t H(int column, int row) const {
    return bytes_of<half>(memory_.H[column][0])[place(row)];
  }
  template <int half>
  __device__ std::uint32_t query_letter(int number) const {
    return bytes_of<half>(memory_.query_letters[0])[place(number)];
  }
  template <int half>
  __device__ std::uint32_t subject_letter(int number) const {
    return memory_.subject_letters[number][thread_] >> (8 * half) & 0xff;
  }
  template <int half>
  __device__ bool from_E(int column_number, int row_number) const {
    return memory_.from_E[column_number][thread_] >> (row_number % 2 * 16 + 8 * half + row_number / 2) & 1;
  }
  __device__ std::int32_t score(std::uint32_t query_letter, std::uint32_t subject_letter) const {
    return memory_.matrix[query_letter][subject_letter];
  }

 private:
  static __device__ int place(int row) {
    return row / 2 * static_cast<int>(kWarpThreads * sizeof(std::uint32_t)) + row % 2 * 2;
  }
  template <int half>
  __device__ const std::uint8_t* bytes_of(const std::uint32_t (&words)[kWarpThreads]) const {
    return reinterpret_cast<const std::uint8_t*>(words + thread_) + half;
  }

  SquareMemory& memory_;
  std::uint32_t thread_;
};

// H and E of the rows of a square, as they come from the column before it, with what comes from above.
struct SquareEdge {
  std::uint32_t H[kSquare], gap_right[kSquare], corner;
};

// The way back of one pair.
template <Goal goal>
class Path {
 public:
  __device__ Path(const Traceback16& work, std::uint32_t row, std::uint32_t column, bool wanted)
      : work_(work),
        query_(work.query_places[row]),
        subject_(work.subject_places[column]),
        result_(work.results + query_.first_result + column - query_.begin),
        subject_letters_(work.scores16.packed + subject_.residues),
        query_letters_(work.queries + query_.codes),
        runs_(work.writes_runs && wanted
                  ? work.rooms + query_.first_room + std::uint64_t{column - query_.begin + 1} * query_.room
                  : nullptr),
        score_(work.scores16.scores[row * work.scores16.stride + column]) {
    at_cell(query_.length, subject_.length);
    if (!wanted) return;
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
  // Columns of the square that are of interest.
  __device__ std::uint32_t columns() const { return active() ? last_column_ + 1 - first_column_ : 0; }
  __device__ std::uint32_t half() const { return query_.half; }

  // In the query's half, and something in the other one.
  __device__ void load(SquareEdge& edge) const {
    if (first_column_ == 0) {
      const std::int32_t above = static_cast<std::int32_t>(top_) - static_cast<std::int32_t>(query_.pads);
      const auto border = [&](std::int32_t i) {
        const std::int32_t h = left_border(work_.scores16.borders, i);
        return both_halves(h, h);
      };
      edge.corner = border(above);
#pragma unroll
      for (int r = 0; r < kSquare; ++r) {
        edge.H[r] = border(above + r + 1);
        edge.gap_right[r] = edge.H[r] + work_.scores16.opened;
      }
      return;
    }
    edge.corner = above(first_column_ - 1).x;
    const uint4* const rows = own_.fours + first_four();
#pragma unroll
    for (int r = 0; r < kSquare; r += 2) {
      const uint4 two = rows[r / 2 * kWarpThreads];
      edge.H[r] = two.x;
      edge.gap_right[r] = two.y;
      edge.H[r + 1] = two.z;
      edge.gap_right[r + 1] = two.w;
    }
  }
  // H and F that come from above the square in its k-th column, or the last one that is of interest.
  __device__ uint2 from_above(std::uint32_t k) const { return above(min(first_column_ + k, last_column_)); }
  // The scores of the square's rows with a letter.
  __device__ uint4 scores(std::uint32_t letter) const { return work_.scores_of_rows[first_scores_ + letter]; }
  // Of the square's k-th column; behind the subject are pads.
  __device__ std::uint32_t subject_letter(int k) const {
    return load_byte(subject_letters_ +
                     (std::uint64_t{first_column_} + static_cast<unsigned>(k)) * kSubjects);
  }
  // Of the square's row r, or the nearest that is not padding.
  __device__ std::uint32_t query_letter(int r) const {
    const auto row = static_cast<std::int32_t>(top_) + r - static_cast<std::int32_t>(query_.pads);
    return load_byte(query_letters_ + min(max(row, 0), static_cast<std::int32_t>(query_.length) - 1));
  }
  // Goal::local: what is looked for, or what no H is.
  __device__ std::uint32_t sought() const {
    return state_ == State::searching ? static_cast<std::uint32_t>(score_ + kFloor) : 0xffff;
  }
  template <int half>
  __device__ void look_for_end(std::uint32_t k, const std::uint32_t (&H)[kSquare]) {
    const std::uint32_t j = first_column_ + k + 1;
    if (k >= columns() || j > j_) return;
    std::uint32_t i = UINT32_MAX;
#pragma unroll
    for (int r = kSquare - 1; r >= 0; --r)
      if (half_of(H[r], half) == score_ + kFloor) i = top_ + static_cast<std::uint32_t>(r) + 1;
    if (j < j_ || i < i_) i_ = i, j_ = j;
  }

  // trace_back of core/reference.cpp, in a square that has been computed. The paths of a warp are in
  // different states, so that all load the same.
  __device__ void begin_steps() {
    row_ = column_ = first_row_ = 0;
    counted_ = 0;
    if (state_ == State::searching || !active()) return;
    row_ = static_cast<int>(query_.pads + i_ - top_);
    column_ = static_cast<int>(j_ - first_column_);
    first_row_ = max(static_cast<int>(query_.pads) - static_cast<int>(top_), 0);
  }
  __device__ bool inside() const {
    return row_ > first_row_ && column_ > 0 && !(goal == Goal::local && at_begin());
  }
  // What a step may need.
  struct View {
    int row, column;  // where it goes
    std::uint32_t H, query_letter, subject_letter;
    std::int32_t score;
    bool from_E;
  };
  template <int half>
  __device__ View look(const Square& square) const {
    const int row = max(row_ - (state_ != State::in_E), 0),
              column = max(column_ - (state_ != State::in_F), 0);
    const std::uint32_t query_letter = square.query_letter<half>(row),
                        subject_letter = square.subject_letter<half>(column);
    return {row,
            column,
            square.H<half>(column, row),
            query_letter,
            subject_letter,
            square.score(query_letter, subject_letter),
            square.from_E<half>(min(column, kSquare - 1), row)};
  }
  __device__ void step(const View& view) {
    if (!inside()) return;
    const bool in_H = state_ == State::in_H;
    const std::int32_t gain = in_H ? view.score : -(work_.open + work_.extend);
    const bool from_H = ((value_ - gain - static_cast<std::int32_t>(view.H)) & 0xff) == 0;
    if (in_H && !from_H) {
      state_ = view.from_E ? State::in_E : State::in_F;
      return;
    }
    const bool equal = view.query_letter == view.subject_letter;
    const bool begins =
        runs_.prepend(in_H ? (equal ? CigarOp::equal : CigarOp::mismatch)
                           : (state_ == State::in_E ? CigarOp::deletion : CigarOp::insertion));
    counted_ += in_H ? (view.score > 0 ? 0x10001u : 1) + (equal ? 0x100u : 0) : (begins ? 0x1000000u : 0);
    value_ -= from_H ? gain : -work_.extend;
    if (from_H) state_ = State::in_H;
    row_ = view.row;
    column_ = view.column;
  }

  // To the next square, or the end.
  __device__ void leave() {
    if (state_ == State::searching) {
      if (!lower_)
        enter(block_, 1, window_, last_column_);
      else
        search_from(block_ + 1);
    } else if (active()) {
      const auto counted = [&](int byte) { return static_cast<std::int32_t>(counted_ >> (8 * byte) & 0xff); };
      counts_.columns += counted(0);
      counts_.identical += counted(1);
      counts_.positive += counted(2);
      counts_.gap_opens += counted(3);
      i_ = top_ + static_cast<std::uint32_t>(row_) - query_.pads;
      j_ = first_column_ + static_cast<std::uint32_t>(column_);
      if (i_ == 0 || j_ == 0 || (goal == Goal::local && at_begin()))
        finish();
      else
        at_cell(i_, j_);
    }
  }

 private:
  enum class State : std::uint32_t { done, searching, in_H, in_E, in_F };

  // What was kept of a lane.
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
                        lane = number % kNarrowLanes, thread = subject_.first_thread + lane;
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

  // To the square of the block's upper or lower rows, in this window and up to this column.
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
  __device__ std::uint32_t top_border(std::uint32_t j) const {  // H(0,j)
    const Borders& borders = work_.scores16.borders;
    const std::int32_t h =
        borders.zero - borders.above.open - static_cast<std::int32_t>(j) * borders.above.extend;
    return both_halves(h, h);
  }

  // Goal::ends: by the rule of docs/ties.md.
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

  // Goal::local: in each block that reaches the score, both squares of the first window where it does.
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

  // Goal::local: H is 0.
  __device__ bool at_begin() const { return state_ == State::in_H && value_ == kFloor; }
  __device__ void add_gap(CigarOp op, std::uint32_t length) {
    counts_.gap_opens += runs_.prepend(op, length);
  }

  __device__ void finish() {
    state_ = State::done;
    result_->query_end = static_cast<std::int32_t>(query_end_);
    result_->subject_end = static_cast<std::int32_t>(subject_end_);
    if (work_.ends_only) return;
    if (goal == Goal::ends && i_ > 0 && !work_.scores16.free_ends.query_begin) {
      add_gap(CigarOp::insertion, i_);
      i_ = 0;
    }
    if (goal == Goal::ends && j_ > 0 && !work_.scores16.free_ends.subject_begin) {
      add_gap(CigarOp::deletion, j_);
      j_ = 0;
    }
    counts_.mismatches = counts_.columns - counts_.identical;
    counts_.gap_residues =
        static_cast<std::int32_t>(query_end_ - i_ + subject_end_ - j_) - 2 * counts_.columns;
    counts_.columns += counts_.gap_residues;
    result_->query_begin = static_cast<std::int32_t>(i_);
    result_->subject_begin = static_cast<std::int32_t>(j_);
    result_->counts = counts_;
    if (!work_.writes_runs) return;
    const std::uint32_t runs = runs_.finish();
    result_->cigar = Cigar(runs_.first(), runs);
    atomicAdd(reinterpret_cast<unsigned long long*>(&work_.totals->runs), runs);
  }

  const Traceback16& work_;
  const QueryPlace query_;
  const SubjectPlace subject_;
  PairResult* const result_;
  const std::uint8_t* const subject_letters_;
  const std::uint8_t* const query_letters_;
  RunWriter runs_;
  AlignmentCounts counts_{};
  const std::int32_t score_;
  State state_ = State::done;
  std::uint32_t i_ = 0, j_ = 0;  // where it is; as long as it is searched for, the best end cell so far
  std::uint32_t query_end_ = 0, subject_end_ = 0;
  std::int32_t value_ = 0;                    // of H, E or F there
  int row_ = 0, column_ = 0, first_row_ = 0;  // in the square
  // There: residues that are aligned, of which equal, of which with a positive score, and gaps; a byte each.
  std::uint32_t counted_ = 0;
  // The square.
  std::uint32_t block_ = 0, lower_ = 0, window_ = 0, top_ = 0, first_column_ = 0, last_column_ = 0,
                first_scores_ = 0;
  Lane own_{};
  const uint2* above_ = nullptr;  // H and F of the row above, or of any if there is none, by step of a lane
  std::uint32_t above_number_ = 0;
};

// Computes the square of each of the two paths.
template <Goal goal>
__device__ void compute(const Scores16& work, Path<goal>& low, Path<goal>& high, const Square& square) {
#pragma unroll
  for (int k = 0; k < kSquare; ++k)
    square.put_subject_letters(k, low.subject_letter(k), high.subject_letter(k));
#pragma unroll
  for (int r = 0; r < kSquare; r += 2)
    square.put_query_letters(r, low.query_letter(r) | high.query_letter(r) << 8,
                             low.query_letter(r + 1) | high.query_letter(r + 1) << 8);
  SquareEdge edge, other;
  low.load(edge);
  high.load(other);
  const std::uint32_t selector = half_selector(low.half(), high.half());
  const auto join = [&](std::uint32_t a, std::uint32_t b) { return __byte_perm(a, b, selector); };
  const auto put_column = [&](int column, std::uint32_t above) {
    square.put_H(column, 0, above, edge.H[0]);
#pragma unroll
    for (int r = 2; r < kSquare; r += 2) square.put_H(column, r, edge.H[r - 1], edge.H[r]);
    square.put_H(column, kSquare, edge.H[kSquare - 1], 0);
  };
  std::uint32_t corner = join(edge.corner, other.corner);
#pragma unroll
  for (int r = 0; r < kSquare; ++r) {
    edge.H[r] = join(edge.H[r], other.H[r]);
    edge.gap_right[r] = join(edge.gap_right[r], other.gap_right[r]);
  }
  put_column(0, corner);

  const std::uint32_t columns = max(low.columns(), high.columns());
  const std::uint32_t sought = low.sought() | high.sought() << 16;
  struct Column {  // what enters it
    uint2 above_low, above_high;
    uint4 scores_low, scores_high;
  };
  const auto fetch = [&](std::uint32_t k) -> Column {
    const int number = static_cast<int>(k);
    return {low.from_above(k), high.from_above(k), low.scores(square.subject_letter<0>(number)),
            high.scores(square.subject_letter<1>(number))};
  };
  Column next = fetch(0);
#pragma unroll 2
  for (std::uint32_t k = 0; k < columns; ++k) {
    const Column now = next;
    next = fetch(k + 1);  // on its way while this one is computed
    std::uint32_t diagonal = corner, down = join(now.above_low.y, now.above_high.y), from_E = 0, best = 0;
    corner = join(now.above_low.x, now.above_high.x);
    // Whether E is as high as F, in the highest bit of each half: they differ by less than 2^15.
    const auto row = [&](int r, std::uint32_t score) {
      const std::uint32_t u = add_max<goal>(diagonal, score, edge.gap_right[r]);
      diagonal = edge.H[r];
      const std::uint32_t h = max_of<goal>(u, down, kFloorPair), gap = h + work.opened;
      const std::uint32_t as_high = edge.gap_right[r] - down + 0x80008000u;
      edge.H[r] = h;
      down = add_max<goal>(down, work.extended, gap);
      edge.gap_right[r] = add_max<goal>(edge.gap_right[r], work.extended, gap);
      return as_high;
    };
    const auto two_rows = [&](int r, std::uint32_t score, std::uint32_t below) {
      const std::uint32_t here = row(r, score);
      from_E |= signs_of_halves(here, row(r + 1, below)) & 0x01010101u << (r / 2);
      if (goal == Goal::local) best = max_of<goal>(best, edge.H[r], edge.H[r + 1]);
    };
    const std::uint32_t of_low[] = {now.scores_low.x, now.scores_low.y, now.scores_low.z, now.scores_low.w},
                        of_high[] = {now.scores_high.x, now.scores_high.y, now.scores_high.z,
                                     now.scores_high.w};
#pragma unroll
    for (int four = 0; four < kSquare / 4; ++four) {
      const std::uint32_t a = of_low[four], b = of_high[four];
      two_rows(4 * four, signed_bytes<0>(a, b), signed_bytes<1>(a, b));
      two_rows(4 * four + 2, signed_bytes<2>(a, b), signed_bytes<3>(a, b));
    }
    put_column(static_cast<int>(k) + 1, corner);
    square.put_from_E(static_cast<int>(k), from_E);
    if constexpr (goal == Goal::local) {
      const std::uint32_t differs = best ^ sought;
      if ((differs & 0xffff) == 0) low.template look_for_end<0>(k, edge.H);
      if (differs >> 16 == 0) high.template look_for_end<1>(k, edge.H);
    }
  }
}

// That a multiprocessor has the shared memory for.
constexpr int kWarpsAtATime = 9;

// A warp takes two rows and 32 columns, whose paths are about equally long.
template <Goal goal>
__global__ void __launch_bounds__(kWarpThreads, kWarpsAtATime)
    trace_back(const __grid_constant__ Traceback16 work) {
  __shared__ SquareMemory memory;
  const Square square(memory, work.matrix);
  __syncwarp();
  const std::uint32_t groups = (work.columns + kWarpThreads - 1) / kWarpThreads;
  const std::uint32_t row = blockIdx.x / groups * 2, next = row + 1 < work.rows ? row + 1 : row;
  const std::uint32_t column = blockIdx.x % groups * kWarpThreads + threadIdx.x;
  const auto wanted = [&](std::uint32_t of_row) {
    return column >= work.query_places[of_row].begin && column < work.query_places[of_row].end;
  };
  const bool low_wanted = wanted(row), high_wanted = next != row && wanted(next);
  if (!low_wanted && !high_wanted) return;
  Path<goal> low(work, low_wanted ? row : next, column, low_wanted);
  Path<goal> high(work, high_wanted ? next : row, column, high_wanted);
  while (low.active() || high.active()) {
    compute<goal>(work.scores16, low, high, square);
    low.begin_steps();
    high.begin_steps();
    while (low.inside() || high.inside()) {
      const auto from_low = low.template look<0>(square), from_high = high.template look<1>(square);
      low.step(from_low);
      high.step(from_high);
    }
    low.leave();
    high.leave();
  }
}

constexpr int kGatherThreads = 256;

// A warp copies the runs of one pair of a row after the other.
__global__ void __launch_bounds__(kGatherThreads)
    gather_runs(const __grid_constant__ Traceback16 work, CigarRun* runs, const CigarRun* on_host) {
  const QueryPlace& query = work.query_places[blockIdx.x];
  const std::uint32_t lane = threadIdx.x % kWarpThreads;
  for (std::uint32_t k = threadIdx.x / kWarpThreads; k < query.end - query.begin;
       k += kGatherThreads / kWarpThreads) {
    PairResult& result = work.results[query.first_result + k];
    const Cigar in_room = result.cigar;
    const auto count = static_cast<std::uint32_t>(in_room.size());
    __syncwarp();
    std::uint32_t low = 0, high = 0;
    if (lane == 0) {
      const std::uint64_t first =
          atomicAdd(reinterpret_cast<unsigned long long*>(&work.totals->gathered), count);
      result.cigar = Cigar(on_host + first, count);
      low = static_cast<std::uint32_t>(first);
      high = static_cast<std::uint32_t>(first >> 32);
    }
    low = __shfl_sync(~0u, low, 0);
    high = __shfl_sync(~0u, high, 0);
    CigarRun* const to = runs + (std::uint64_t{high} << 32 | low);
    for (std::uint32_t run = lane; run < count; run += kWarpThreads) to[run] = in_room[run];
  }
}

}  // namespace

std::uint32_t room_for_runs(std::uint32_t m, std::uint32_t n) {
  return static_cast<std::uint32_t>(most_runs(m, n));
}

cudaError_t launch_traceback16(const Traceback16& work, Goal goal, cudaStream_t stream) {
  const unsigned blocks = (work.rows + 1) / 2 * ((work.columns + kWarpThreads - 1) / kWarpThreads);
  return launch_kernel(goal == Goal::ends ? trace_back<Goal::ends> : trace_back<Goal::local>, blocks,
                       kWarpThreads, 0, stream, work);
}

cudaError_t launch_gather_runs(const Traceback16& work, CigarRun* runs, const CigarRun* on_host,
                               cudaStream_t stream) {
  return launch_kernel(gather_runs, work.rows, kGatherThreads, 0, stream, work, runs, on_host);
}

}  // namespace alnus::cuda
