// gpu-pairAlign: Blazewicz, Frohmberg, Kierzynka, Pesch and Wojciechowski (2011), BMC Bioinformatics 12:181.
//
// A thread aligns a pair; a thread block has 16 x 16 pairs of sequences of similar length. The dynamic
// programming matrix is computed in bands of eight rows, column by column. H and F of a band's last row go to
// the next band through global memory, one word for each column; H and E of the eight rows stay in shared
// memory. The traceback needs four bits of a cell; those of a band's eight rows in a column are one more
// word. A second kernel traces back: up, left or diagonally.
#include <algorithm>

#include "cuda/kernels/launch.h"
#include "cuda/kernels/run_writer.cuh"
#include "cuda/kernels/stop.cuh"
#include "cuda/runtime.h"
#include "papers/pair_place.cuh"

namespace alnus::cuda::papers {
namespace {

constexpr PaperMethod kPaper{"pairalign-bits", "gpu-pairalign-2011", "gpu-pairAlign"};

// Residues of the longest sequences in the paper's table of memory and windows.
constexpr std::uint32_t kLongest = 7036;

constexpr unsigned kThreads = PairMethod::kSide * PairMethod::kSide;
constexpr std::uint32_t kBandRows = 8;
constexpr std::int32_t kLowest16 = -0x8000, kHighest16 = 0x7fff;

// The bits B_up, B_left, C_up and C_left of a cell, as the paper names them. In a word a band's first row has
// the highest bits.
constexpr std::uint32_t kUp = 8, kLeft = 4, kGoesOnUp = 2, kGoesOnLeft = 1, kBackBits = 4;
constexpr std::uint32_t kDiagonal = kUp | kLeft;

struct Launch {
  PairWindow window;
  // In constant memory, as in the paper: the parameters of a kernel lie there.
  std::int16_t matrix[kMaxLetters][kMaxLetters];
  std::int32_t highest;  // highest score of the matrix, or 0 if that is higher
  std::int32_t open, extend;
  std::int32_t opened;  // cost of a gap's first residue
  FreeEnds free;
  bool ends;  // if true, end cells are wanted
};

// H in the low half and E or F in the high half of a word, 16 bits each, signed.
__device__ std::uint32_t packed(std::int32_t h, std::int32_t gap) {
  return (static_cast<std::uint32_t>(h) & 0xffff) | static_cast<std::uint32_t>(gap) << 16;
}
__device__ std::int32_t h_of(std::uint32_t cell) { return static_cast<std::int16_t>(cell & 0xffff); }
__device__ std::int32_t gap_of(std::uint32_t cell) { return static_cast<std::int32_t>(cell) >> 16; }

// A sequence in device memory, read through the read-only cache; in the paper through a texture.
struct Sequence {
  const std::uint8_t* residues;
  std::uint32_t length;
  __device__ Sequence(const Sequences& all, std::uint32_t position)
      : residues(all.residues + all.places[position]), length(all.lengths[position]) {}
  __device__ std::uint32_t operator[](std::uint32_t i) const { return __ldg(residues + i); }
};

// The workspace of a thread block. The words of its threads lie side by side.
class Workspace {
 public:
  __device__ Workspace(const PairWindow& window, const PairBlock& block)
      : first_(window.workspace + block.workspace + threadIdx.x), longest_(block.longest) {}
  // H and F that the band above has left in a column.
  __device__ std::uint32_t& passed(std::uint32_t column) const {
    return first_[std::size_t{column} * kThreads];
  }
  // The bits of a band's eight cells in a column.
  __device__ std::uint32_t& back(std::uint32_t band, std::uint32_t column) const {
    return first_[((band + std::size_t{1}) * longest_ + column) * kThreads];
  }
  static std::uint64_t words(std::uint32_t row, std::uint32_t column, bool traced) {
    const std::uint64_t bands = traced ? (std::uint64_t{row} + kBandRows - 1) / kBandRows : 0;
    return (bands + 1) * column * kThreads;
  }

 private:
  std::uint32_t* first_;
  std::uint32_t longest_;
};

// The best end cell so far, by the rule of docs/ties.md.
struct BestEnd {
  std::int32_t score;
  std::uint32_t i = 0, j = 0;
  __device__ void offer(std::int32_t h, std::uint32_t at_i, std::uint32_t at_j) {
    if (h < score || (h == score && (at_j > j || (at_j == j && at_i >= i)))) return;
    score = h;
    i = at_i;
    j = at_j;
  }
};

// True if 16 bits hold all values that the dynamic programming matrix may have, and each value less the cost
// of a gap's first residue. In mode local, the score tells whether 16 bits sufficed.
__device__ bool fits16(const Launch& work, std::uint32_t m, std::uint32_t n) {
  const std::int64_t gaps = std::int64_t{2} * work.open + std::int64_t{m + kBandRows + n} * work.extend;
  return -gaps - work.opened >= kLowest16 && std::int64_t{min(m, n)} * work.highest <= kHighest16;
}

// H on the border of the dynamic programming matrix, after `length` residues; 0 if these residues are free.
__device__ std::int32_t border(const Launch& work, bool free, std::uint32_t length) {
  return free || length == 0 ? 0 : -(work.open + static_cast<std::int32_t>(length) * work.extend);
}

template <bool kLocal, bool kTraced>
__device__ BestEnd fill_matrix(const Launch& work, const Workspace& workspace, const Sequence& query,
                               const Sequence& subject) {
  __shared__ std::uint32_t left[kBandRows][kThreads];    // H and E of the column before
  __shared__ std::uint8_t letters[kBandRows][kThreads];  // of the query
  const unsigned thread = threadIdx.x;
  const std::uint32_t m = query.length, n = subject.length;
  const bool free_row = kLocal || work.free.subject_begin, free_column = kLocal || work.free.query_begin;
  BestEnd best{kLocal ? 0 : kLowest16 - 1};
  if (!kLocal && work.free.subject_end) best.offer(border(work, free_column, m), m, 0);
  if (!kLocal && (work.free.query_end || m == 0)) best.offer(border(work, free_row, n), 0, n);

  for (std::uint32_t top = 0; top < m; top += kBandRows) {
    if (stops(work.window.stop)) return best;
    for (std::uint32_t k = 0; k < kBandRows; ++k) {
      letters[k][thread] = static_cast<std::uint8_t>(top + k < m ? query[top + k] : kPad);
      left[k][thread] = packed(border(work, free_column, top + k + 1), kLowest16);
    }
    const std::uint32_t rows = min(m - top, kBandRows);
    const bool may_end_below = !kLocal && work.free.subject_end && top + rows == m;
    std::int32_t h_corner = border(work, free_column, top);
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t above =
          top == 0 ? packed(border(work, free_row, j + 1), kLowest16) : workspace.passed(j);
      std::int32_t h_up = h_of(above), f_up = gap_of(above), h_diagonal = h_corner;
      h_corner = h_up;
      const std::uint32_t letter = subject[j];
      std::uint32_t back = 0, column_best = 0;
#pragma unroll
      for (std::uint32_t k = 0; k < kBandRows; ++k) {
        const std::uint32_t cell = left[k][thread];
        const std::int32_t h_left = h_of(cell);
        const std::int32_t e_opened = h_left - work.opened, e_extended = gap_of(cell) - work.extend,
                           f_opened = h_up - work.opened, f_extended = f_up - work.extend;
        const std::int32_t diagonal = h_diagonal + work.matrix[letters[k][thread]][letter];
        const std::int32_t e = max(e_opened, e_extended);
        f_up = max(f_opened, f_extended);
        h_up = max(max(e, f_up), kLocal ? max(diagonal, 0) : diagonal);
        h_diagonal = h_left;
        left[k][thread] = packed(h_up, e);
        if constexpr (kTraced) {
          // Where extending a gap is as good as opening one, the paper extends it, and docs/ties.md opens
          // one.
          std::uint32_t bits = h_up == diagonal ? kDiagonal : h_up == e ? kLeft : kUp;
          if (kLocal && h_up == 0) bits = 0;
          if (f_extended > f_opened) bits |= kGoesOnUp;
          if (e_extended > e_opened) bits |= kGoesOnLeft;
          back = back << kBackBits | bits;
        }
        if constexpr (kLocal)  // of equal scores that of the upper row is kept
          column_best = max(column_best, static_cast<std::uint32_t>(h_up) * kBandRows + (kBandRows - 1 - k));
      }
      workspace.passed(j) = packed(h_up, f_up);
      if constexpr (kTraced) workspace.back(top / kBandRows, j) = back;
      if constexpr (kLocal)
        best.offer(static_cast<std::int32_t>(column_best / kBandRows),
                   top + kBandRows - column_best % kBandRows, j + 1);
      if (may_end_below) best.offer(h_of(left[rows - 1][thread]), m, j + 1);
    }
    if constexpr (!kLocal) {
      for (std::uint32_t k = 0; k < rows; ++k)
        if (work.free.query_end || top + k + 1 == m) best.offer(h_of(left[k][thread]), top + k + 1, n);
    }
  }
  return best;
}

template <bool kLocal, bool kTraced>
__global__ void __launch_bounds__(kThreads) fill_matrices(const __grid_constant__ Launch work) {
  const PairWindow& window = work.window;
  const PairBlock block = window.blocks[blockIdx.x];
  const PairPlace place(window, block);
  if (!place.exists) return;
  const Sequence query(window.rows, place.row), subject(window.columns, place.column);
  BestEnd best{kBeyond};
  if (block.workspace != PairBlock::kLeftOut && (kLocal || fits16(work, query.length, subject.length)))
    best = fill_matrix<kLocal, kTraced>(work, Workspace(window, block), query, subject);
  if (best.score > kHighest16) best.score = kBeyond;
  if (window.scores) {
    window.scores[place.result] = best.score;
    return;
  }
  PairResult result;
  result.row = Position(place.row);
  result.column = Position(place.column);
  result.score = best.score;
  if (work.ends) {
    result.query_end = static_cast<std::int32_t>(best.i);
    result.subject_end = static_cast<std::int32_t>(best.j);
  }
  window.results[place.result] = result;
}

// The traceback of a pair from its end cell, which two kernels do: one counts, one writes.
template <bool kLocal>
class Path {
 public:
  __device__ explicit Path(const Launch& work)
      : work_(work), block_(work.window.blocks[blockIdx.x]), place_(work.window, block_) {}

  // The result of the thread's pair. Null if the thread has no pair, or leaves it to the usual device.
  __device__ PairResult* result() const {
    if (!place_.exists) return nullptr;
    PairResult* const result = work_.window.results + place_.result;
    return result->score == kBeyond ? nullptr : result;
  }

  // Calls step(op, length, score) from the end of the alignment to its begin, and writes into `result` where
  // the alignment begins.
  template <class Step>
  __device__ void walk(PairResult& result, Step step) const {
    const Sequence query(work_.window.rows, place_.row), subject(work_.window.columns, place_.column);
    const Workspace workspace(work_.window, block_);
    auto i = static_cast<std::uint32_t>(result.query_end), j = static_cast<std::uint32_t>(result.subject_end);
    std::uint32_t gap = 0;  // kUp or kLeft in a gap that goes on, else 0
    std::uint32_t band = UINT32_MAX, column = 0, back = 0;
    while (i > 0 && j > 0) {
      if ((i - 1) / kBandRows != band || j - 1 != column) {
        band = (i - 1) / kBandRows;
        column = j - 1;
        back = workspace.back(band, column);
      }
      const std::uint32_t bits = back >> (kBandRows - 1 - (i - 1) % kBandRows) * kBackBits,
                          move = gap > 0 ? gap : bits & kDiagonal;
      if (kLocal && move == 0) break;
      // Here the cell that is left tells whether a gap goes on, in the paper the cell that is reached.
      gap = move == kUp && (bits & kGoesOnUp) ? kUp : move == kLeft && (bits & kGoesOnLeft) ? kLeft : 0;
      if (move == kDiagonal) {
        const std::uint32_t q = query[--i], s = subject[--j];
        step(q == s ? CigarOp::equal : CigarOp::mismatch, 1, work_.matrix[q][s]);
      } else {
        step(move == kUp ? CigarOp::insertion : CigarOp::deletion, 1, 0);
        --(move == kUp ? i : j);
      }
    }
    const bool all_of_query = !kLocal && !work_.free.query_begin,
               all_of_subject = !kLocal && !work_.free.subject_begin;
    if (i > 0 && all_of_query) step(CigarOp::insertion, i, 0);
    if (j > 0 && all_of_subject) step(CigarOp::deletion, j, 0);
    result.query_begin = all_of_query ? 0 : static_cast<std::int32_t>(i);
    result.subject_begin = all_of_subject ? 0 : static_cast<std::int32_t>(j);
  }

 private:
  const Launch& work_;
  const PairBlock block_;
  const PairPlace place_;
};

template <bool kLocal>
__global__ void __launch_bounds__(kThreads)
    trace_paths(const __grid_constant__ Launch work, std::uint64_t* total) {
  const Path<kLocal> path(work);
  PairResult* const result = path.result();
  if (!result) return;
  AlignmentCounts counts;
  std::uint32_t runs = 0;
  CigarOp last{};
  path.walk(*result, [&](CigarOp op, std::uint32_t length, std::int32_t score) {
    const auto residues = static_cast<std::int32_t>(length);
    const bool aligned = op == CigarOp::equal || op == CigarOp::mismatch;
    runs += op != last;
    counts.gap_opens += op != last && !aligned;
    last = op;
    counts.columns += residues;
    counts.gap_residues += aligned ? 0 : residues;
    counts.identical += op == CigarOp::equal;
    counts.mismatches += op == CigarOp::mismatch;
    counts.positive += score > 0;
  });
  result->counts = counts;
  if (!total) return;
  result->cigar = std::span<const CigarRun>(static_cast<const CigarRun*>(nullptr), runs);
  atomicAdd(reinterpret_cast<unsigned long long*>(total), runs);
}

template <bool kLocal>
__global__ void __launch_bounds__(kThreads) write_runs(const __grid_constant__ Launch work, CigarRun* runs,
                                                       const CigarRun* on_host, std::uint64_t* written) {
  const Path<kLocal> path(work);
  PairResult* const result = path.result();
  if (!result) return;
  const std::size_t count = result->cigar.size();
  const std::uint64_t first = atomicAdd(reinterpret_cast<unsigned long long*>(written), count);
  RunWriter writer(runs + first + count);
  path.walk(*result, [&](CigarOp op, std::uint32_t length, std::int32_t) { writer.prepend(op, length); });
  writer.finish();
  result->cigar = std::span<const CigarRun>(on_host + first, count);
}

Launch launch_of(const PairWindow& window, const Problem& problem) {
  const Scoring& scoring = problem.scoring;
  Launch launch{};
  launch.window = window;
  for (Residue q = 0; q < kMaxLetters; ++q) {
    for (Residue s = 0; s < kMaxLetters; ++s)
      launch.matrix[q][s] = static_cast<std::int16_t>(q == kPad ? kLowest16 : scoring.matrix.value(q, s));
  }
  launch.highest = std::max(scoring.matrix.highest(), 0);
  launch.open = scoring.open;
  launch.extend = scoring.extend;
  // In mode local a cost of 2^15 suffices: H - 2^15 fits 16 bits, and raises no H, like anything lower.
  launch.opened = std::min(scoring.open + scoring.extend, -kLowest16);
  launch.free = scoring.free_ends;
  launch.ends = problem.detail != Detail::score;
  return launch;
}

class PairalignBits : public PairMethod {
 public:
  const PaperMethod& paper() const override { return kPaper; }
  double expected_gcups() const override { return 170; }
  std::uint32_t longest() const override { return kLongest; }
  std::uint64_t workspace(std::uint32_t row, std::uint32_t column, Detail detail) const override {
    return Workspace::words(row, column, detail == Detail::alignment);
  }

  void fill(const PairWindow& window, const Problem& problem, cudaStream_t stream) override {
    if (problem.detail == Detail::alignment)
      launch(problem, fill_matrices<true, true>, fill_matrices<false, true>, window, stream);
    else
      launch(problem, fill_matrices<true, false>, fill_matrices<false, false>, window, stream);
  }
  void trace(const PairWindow& window, const Problem& problem, std::uint64_t* total,
             cudaStream_t stream) override {
    launch(problem, trace_paths<true>, trace_paths<false>, window, stream, total);
  }
  void write_cigars(const PairWindow& window, const Problem& problem, CigarRun* runs, const CigarRun* on_host,
                    std::uint64_t* written, cudaStream_t stream) override {
    launch(problem, write_runs<true>, write_runs<false>, window, stream, runs, on_host, written);
  }

 private:
  template <class Kernel, class... Arguments>
  static void launch(const Problem& problem, Kernel* local, Kernel* other, const PairWindow& window,
                     cudaStream_t stream, Arguments... arguments) {
    check(launch_kernel(problem.scoring.mode == Mode::local ? local : other, window.block_count, kThreads, 0,
                        stream, launch_of(window, problem), arguments...),
          "a kernel of pairalign-bits");
  }
};

}  // namespace

std::unique_ptr<PairMethod> make_pairalign_bits() { return std::make_unique<PairalignBits>(); }

}  // namespace alnus::cuda::papers
