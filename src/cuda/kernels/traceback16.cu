// A thread goes back along two alignments, in the halves of its registers, of two queries with one subject.
// It enters a square of 16 rows and columns, computes it as scores16 did, keeps what the way back needs of it
// in shared memory, and follows both paths until they leave it. H modulo 256 and a bit tell where a path
// comes from (docs/cuda-kernels.md).
#include "cuda/kernels/launch.h"
#include "cuda/kernels/path16.cuh"

namespace alnus::cuda {
namespace {

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
