// A thread traces back the alignment of a pair. It enters a square of 16 rows and columns, computes the
// square as scores16 did, keeps a byte of each cell in shared memory, and follows the path until that leaves
// the square (docs/cuda-kernels.md).
#include "cuda/kernels/launch.h"
#include "cuda/kernels/path16.cuh"
#include "cuda/kernels/stop.cuh"

namespace alnus::cuda {
namespace {

using Cigar = std::span<const CigarRun>;

// Computes the square that the path is in. The low halves of registers have the upper 8 rows, the high halves
// the lower 8 rows one column behind. The lower rows take from above what the upper rows have left in the
// step before.
template <Goal goal>
__device__ void compute_square(const Scores16& work, Path<goal>& path, const Square& square) {
  constexpr int kRows = kSquare / 2;
  SquareEdge edge;
  path.load(edge, square);
  const int columns = path.columns();
  const auto scores_of = [&](int k) { return path.scores(square.letter_of_column(min(k + 1, columns))); };
  uint4 ahead[] = {scores_of(0), scores_of(1)};  // loaded two columns ahead
  std::uint32_t corner = edge.corner, entering = 0, passed_down = 0;
  uint2 lower_scores{0, 0};
  const std::uint32_t sought = path.sought(), extended = square.extended();
  const auto step = [&](int k, auto parity, auto is_first) {
    const uint4 scores = ahead[parity];
    ahead[parity] = scores_of(k + 2);
    // The last step is for the lower rows alone. The upper rows repeat their last column in it, because
    // values that are no scores might carry over to the other half.
    if (k < columns) entering = square.entering(k + 1);
    std::uint32_t diagonal = corner, down = __byte_perm(entering, passed_down, 0x5432), best = 0;
    corner = __byte_perm(entering, edge.H[kRows - 1], 0x5410);
    // Computes a row. Returns 1 in the highest bit of each half in which E is as high as F: the two differ by
    // less than 2^15.
    const auto row = [&](int r, std::uint32_t score) {
      const std::uint32_t before = edge.H[r], E = edge.gap_right[r], u = add_max<goal>(diagonal, score, E);
      diagonal = before;
      const std::uint32_t h = max_of<goal>(u, down, kFloorPair), gap = h + work.opened;
      const std::uint32_t as_high = E - down + 0x80008000u;
      down = add_max<goal>(down, extended, gap);
      edge.H[r] = h;
      edge.gap_right[r] = add_max<goal>(E, extended, gap);
      if constexpr (is_first) {  // the lower rows are not in the square yet
        edge.H[r] = __byte_perm(h, before, 0x7610);
        edge.gap_right[r] = __byte_perm(edge.gap_right[r], E, 0x7610);
      }
      return as_high;
    };
    const auto two_rows = [&](int r, std::uint32_t score, std::uint32_t below) {
      const std::uint32_t first = row(r, score), second = row(r + 1, below);
      if (goal == Goal::local) best = max_of<goal>(best, edge.H[r], edge.H[r + 1]);
      return (__byte_perm(edge.H[r], edge.H[r + 1], 0x6420) & Square::kModulus * 0x01010101u) |
             (__byte_perm(first, second, 0x7531) & Square::kFromE * 0x01010101u);
    };
    const auto four_rows = [&](int four, std::uint32_t a, std::uint32_t b) {
      const std::uint32_t two = two_rows(4 * four, signed_bytes<0>(a, b), signed_bytes<1>(a, b)),
                          below = two_rows(4 * four + 2, signed_bytes<2>(a, b), signed_bytes<3>(a, b));
      if (k < kSquare) square.put_cells(k + 1, four, __byte_perm(two, below, 0x6420));
      square.put_cells(k, four + 2, __byte_perm(two, below, 0x7531));
    };
    four_rows(0, scores.x, lower_scores.x);
    four_rows(1, scores.y, lower_scores.y);
    lower_scores = {scores.z, scores.w};
    passed_down = down;
    if constexpr (goal == Goal::local) {
      const std::uint32_t differs = best ^ sought;
      if ((differs & 0xffff) == 0) path.template look_for_end<0>(k, edge.H);
      if (differs >> 16 == 0) path.template look_for_end<1>(k - 1, edge.H);
    }
  };
  using Even = std::integral_constant<int, 0>;
  using Odd = std::integral_constant<int, 1>;
  step(0, Even(), std::true_type());
#pragma unroll 1
  for (int k = 1; k <= columns; k += 2) {
    step(k, Odd(), std::false_type());
    step(k + 1, Even(), std::false_type());
  }
}

constexpr int kWarps = 2, kThreads = kWarps * kWarpThreads;
// Thread blocks for which a multiprocessor has the shared memory.
constexpr int kBlocksAtATime = 8;

// A warp takes a row and 32 columns, whose paths are about equally long.
template <Goal goal>
__global__ void __launch_bounds__(kThreads, kBlocksAtATime)
    trace_back(const __grid_constant__ Traceback16 work) {
  __shared__ std::uint32_t squares[kThreads][Square::kBytes / 4];
  __shared__ SquareScoring scoring;
  for (std::uint32_t i = threadIdx.x; i < kLetters * kLetters; i += kThreads)
    scoring.matrix[i / kLetters][i % kLetters] = static_cast<std::int8_t>(work.matrix[i]);
  if (threadIdx.x == 0) scoring.extended = work.scores16.extended;
  __syncthreads();
  if (stops(work.scores16.stop)) return;  // scores16 ended early, and what it kept is incomplete
  const std::uint32_t groups = (work.columns + kWarpThreads - 1) / kWarpThreads,
                      warp = threadIdx.x / kWarpThreads, number = blockIdx.x / groups * kWarps + warp,
                      column = blockIdx.x % groups * kWarpThreads + threadIdx.x % kWarpThreads;
  if (number >= work.rows) return;
  const std::uint32_t row = work.order[number];
  if (column < work.query_places[row].begin || column >= work.query_places[row].end) return;
  Path<goal> path(work, row, column);
  const Square square(reinterpret_cast<std::uint8_t*>(squares[threadIdx.x]), scoring);
  while (path.active()) {
    compute_square<goal>(work.scores16, path, square);
    const bool stop = stops(work.scores16.stop);  // loaded during the walk
    path.walk(square);
    if (stop) return;
    path.leave();
  }
}

constexpr int kRunThreads = 128;

// set() writes where a pair's CIGAR is: into the pair's result, or into its packed result.
struct CigarsOfResults {
  PairResult* results;
  const CigarRun* on_host;
  __device__ void set(std::uint64_t result, std::uint64_t first, std::uint32_t count) const {
    results[result].cigar = Cigar(on_host + first, count);
  }
};
struct CigarsOfPacked {
  PackedPair* packed;
  __device__ void set(std::uint64_t result, std::uint64_t first, std::uint32_t count) const {
    packed[result].runs = count;
    packed[result].first_four = static_cast<std::uint32_t>(first / kRunsTogether);
  }
};

// A thread writes the runs of one pair. The runs of the pairs of a warp follow each other.
template <class Run, class Cigars>
__global__ void __launch_bounds__(kRunThreads)
    write_runs(const __grid_constant__ Traceback16 work, Run* runs, const Cigars cigars) {
  const std::uint32_t groups = (work.columns + kRunThreads - 1) / kRunThreads,
                      lane = threadIdx.x % kWarpThreads,
                      column = blockIdx.x % groups * kRunThreads + threadIdx.x;
  const QueryPlace& query = work.query_places[blockIdx.x / groups];
  const bool wanted = column >= query.begin && column < query.end;
  const std::uint32_t k = column - query.begin;
  const Walked walked = wanted ? work.walked[query.first_result + k] : Walked{};
  std::uint32_t end = places_of(walked.runs);
  for (std::uint32_t step = 1; step < kWarpThreads; step *= 2) {
    const std::uint32_t before = __shfl_up_sync(~0u, end, step);
    if (lane >= step) end += before;
  }
  std::uint32_t low = 0, high = 0;
  if (lane + 1 == kWarpThreads) {
    const std::uint64_t first = atomicAdd(reinterpret_cast<unsigned long long*>(&work.totals->written), end);
    low = static_cast<std::uint32_t>(first);
    high = static_cast<std::uint32_t>(first >> 32);
  }
  low = __shfl_sync(~0u, low, kWarpThreads - 1);
  high = __shfl_sync(~0u, high, kWarpThreads - 1);
  if (walked.runs == 0) return;
  const std::uint64_t first = (std::uint64_t{high} << 32 | low) + end - places_of(walked.runs);
  cigars.set(query.first_result + k, first, walked.runs);
  RunWriter16<Run> writer(runs + first);
  if (walked.leading_insertion > 0) writer.add(CigarOp::insertion, walked.leading_insertion);
  if (walked.leading_deletion > 0) writer.add(CigarOp::deletion, walked.leading_deletion);
  // One loop over all runs of all squares, because lanes have different numbers of squares, and of runs in a
  // square.
  std::uint64_t moves = 1;
  int left = 0;
  for (std::uint32_t square = walked.squares;;) {
    if (left == 0) {
      if (square == 0) break;
      moves = *moves_of(work, query, k, --square);
      left = count_of(moves);
    }
    const int same = writer.add_first(moves, left);
    moves >>= 2 * same;
    left -= same;
  }
  writer.finish();
}

__global__ void __launch_bounds__(kRunThreads)
    pack_pairs(const PairResult* results, std::uint64_t pairs, PackedPair* packed) {
  const std::uint64_t number = std::uint64_t{blockIdx.x} * kRunThreads + threadIdx.x;
  if (number >= pairs) return;
  const PairResult& result = results[number];
  const auto narrow = [](std::int32_t value) { return static_cast<std::int16_t>(value); };
  packed[number] = {result.score,
                    narrow(result.query_begin),
                    narrow(result.query_end),
                    narrow(result.subject_begin),
                    narrow(result.subject_end),
                    narrow(result.counts.columns),
                    narrow(result.counts.identical),
                    narrow(result.counts.positive),
                    narrow(result.counts.mismatches),
                    narrow(result.counts.gap_residues),
                    narrow(result.counts.gap_opens),
                    0,
                    0};
}

unsigned blocks_of_runs(const Traceback16& work) {
  return work.rows * ((work.columns + kRunThreads - 1) / kRunThreads);
}

}  // namespace

std::uint32_t most_squares(std::uint32_t m, std::uint32_t n) {
  constexpr std::uint32_t kPassRows = kNarrowLanes * kTraceRows;
  // Counts the padding of the query, the delay of the lanes, and one more trace window (Trace16) each time
  // that the path goes from the first lane of a pass to the last lane of the pass before.
  return (m + kTraceRows) / kSquare + 1 + (n + kNarrowLanes) / kSquare + 1 + (m + kTraceRows) / kPassRows + 1;
}

cudaError_t launch_traceback16(const Traceback16& work, Goal goal, cudaStream_t stream) {
  const unsigned blocks =
      (work.rows + kWarps - 1) / kWarps * ((work.columns + kWarpThreads - 1) / kWarpThreads);
  return launch_kernel(goal == Goal::ends ? trace_back<Goal::ends> : trace_back<Goal::local>, blocks,
                       kThreads, 0, stream, work);
}

cudaError_t launch_write_runs(const Traceback16& work, CigarRun* runs, const CigarRun* on_host,
                              cudaStream_t stream) {
  return launch_kernel(write_runs<CigarRun, CigarsOfResults>, blocks_of_runs(work), kRunThreads, 0, stream,
                       work, runs, CigarsOfResults{work.results, on_host});
}

cudaError_t launch_pack_pairs(const PairResult* results, std::uint64_t pairs, PackedPair* packed,
                              cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((pairs + kRunThreads - 1) / kRunThreads);
  return launch_kernel(pack_pairs, blocks, kRunThreads, 0, stream, results, pairs, packed);
}

cudaError_t launch_write_packed_runs(const Traceback16& work, PackedRun* runs, PackedPair* packed,
                                     cudaStream_t stream) {
  return launch_kernel(write_runs<PackedRun, CigarsOfPacked>, blocks_of_runs(work), kRunThreads, 0, stream,
                       work, runs, CigarsOfPacked{packed});
}

cudaError_t load_traceback16_kernels() {
  return load_kernels(trace_back<Goal::ends>, trace_back<Goal::local>, write_runs<CigarRun, CigarsOfResults>,
                      write_runs<PackedRun, CigarsOfPacked>, pack_pairs);
}

}  // namespace alnus::cuda
