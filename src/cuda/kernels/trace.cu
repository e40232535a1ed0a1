#include "cuda/kernels/launch.h"
#include "cuda/kernels/run_writer.cuh"
#include "cuda/kernels/trace.h"
#include "cuda/kernels/wavefront.cuh"

namespace alnus::cuda {
namespace {

constexpr std::uint32_t kLaneRows = kPassRows / kWarpThreads;

// Where a pair's words of directions, and its runs, lie in TraceLaunch::trace. Words lie in the order in
// which a warp writes them: by pass, step and lane. The room for runs follows. Runs fill it from its end,
// because a traceback finds the last run first.
class TraceLayout {
 public:
  __host__ __device__ TraceLayout(std::int32_t query_end, std::int32_t subject_end)
      : m_(static_cast<std::uint32_t>(query_end)), n_(static_cast<std::uint32_t>(subject_end)) {}

  // The index of the word for rows i + 1 and following of a lane (i a multiple of kLaneRows) in column j > 0.
  __host__ __device__ std::uint64_t word(std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t top = i / kPassRows * kPassRows, lane = (i - top) / kLaneRows;
    return pass(top) + std::uint64_t{j - 1 + lane} * lanes_of_pass(m_, top, kLaneRows) + lane;
  }
  __host__ __device__ std::uint64_t runs_end() const { return words() + most_runs(m_, n_); }

 private:
  __host__ __device__ std::uint64_t pass(std::uint32_t top) const {
    return std::uint64_t{top / kLaneRows} * (n_ + kWarpThreads - 1);  // earlier passes use all lanes
  }
  __host__ __device__ std::uint64_t words() const {
    if (m_ == 0 || n_ == 0) return 0;
    const std::uint32_t last_top = (m_ - 1) / kPassRows * kPassRows,
                        lanes = lanes_of_pass(m_, last_top, kLaneRows);
    return pass(last_top) + std::uint64_t{n_ + lanes - 1} * lanes;
  }

  std::uint32_t m_, n_;
};

__device__ std::uint32_t* trace_of(const TraceLaunch& work, std::uint32_t number) {
  return reinterpret_cast<std::uint32_t*>(work.trace + work.offsets[number]);
}

// An Observer of compute_matrix. Stores the directions of all cells.
struct DirectionKeeper {
  static constexpr bool kDirected = true;
  static constexpr std::uint32_t kLaneRows = cuda::kLaneRows;
  TraceLayout layout;
  std::uint32_t* trace;

  __device__ void column(const LaneRows<kLaneRows>&, std::uint32_t i, std::uint32_t j,
                         std::uint32_t directions) {
    trace[layout.word(i, j)] = directions;
  }
  __device__ void end_of_pass(const LaneRows<kLaneRows>&, std::uint32_t) {}
};

__global__ void __launch_bounds__(kBlockThreads) keep_directions(const __grid_constant__ TraceLaunch work) {
  __shared__ SharedMatrix matrix;
  matrix.load(*work.scoring);
  const int warp = warp_of_thread();
  if (warp >= work.warps) return;
  const GapCosts costs(*work.scoring);
  HandedDown* const between_passes =
      reinterpret_cast<HandedDown*>(work.workspace) + std::size_t{work.longest_subject} * warp;

  const auto keep = [&](std::uint32_t number, const Team& team) {
    DevicePair pair = work.pairs[number];
    const PairEnds ends = work.ends[number];
    pair.query.length = static_cast<std::uint32_t>(ends.query_end);
    pair.subject.length = static_cast<std::uint32_t>(ends.subject_end);
    DirectionKeeper keeper{TraceLayout(ends.query_end, ends.subject_end), trace_of(work, number)};
    compute_matrix(pair, matrix, costs, between_passes - std::size_t{team.rank()} * work.longest_subject,
                   team, keeper);
  };
  share_pairs(work.pairs, work.count, work.team_cells, work.counter, work.warps, kPassRows, work.stop, keep);
}

// Traces back as trace_back of core/reference.cpp does. The cell that a gap comes from tells whether the gap
// goes on. A local alignment begins where the score that remains is 0. Returns early when the kernel is to
// end.
__device__ PairPath path_of(const DevicePair& pair, const PairEnds& ends, const DeviceScoring& scoring,
                            std::uint32_t* trace, const std::uint32_t* stop) {
  const TraceLayout layout(ends.query_end, ends.subject_end);
  const bool local = scoring.mode == Mode::local;
  auto i = static_cast<std::uint32_t>(ends.query_end), j = static_cast<std::uint32_t>(ends.subject_end);
  std::int32_t h = ends.score;  // H(i,j) if the state is in_H
  static_assert(sizeof(CigarRun) == sizeof *trace);
  RunWriter cigar(reinterpret_cast<CigarRun*>(trace + layout.runs_end()));
  enum { in_H, in_E, in_F } state = in_H;
  constexpr std::uint32_t kStepsBetweenLooks = 1 << 12;  // steps between looks at the stop word
  for (std::uint32_t step = 0;; ++step) {
    if (step % kStepsBetweenLooks == 0 && stops(stop)) break;
    const bool on_border = i == 0 || j == 0;
    const std::uint32_t cell =  // a gap that reaches the border was opened there
        on_border ? 0 : trace[layout.word(i - 1, j)] >> (kLaneRows - 1 - (i - 1) % kLaneRows) * 4;
    if ((state == in_E && !(cell & kEGoesOn)) || (state == in_F && !(cell & kFGoesOn))) {
      h += scoring.open;
      state = in_H;
    }
    if (state == in_H) {
      if (on_border || (local && h == 0)) break;
      if (!(cell & kNotDiagonal)) {
        const std::uint8_t q = residue_at(pair.query, --i), s = residue_at(pair.subject, --j);
        h -= scoring.matrix[q][s];
        cigar.prepend(q == s ? CigarOp::equal : CigarOp::mismatch, 1);
        continue;
      }
      state = cell & kNotE ? in_F : in_E;
    }
    h += scoring.extend;
    cigar.prepend(state == in_E ? CigarOp::deletion : CigarOp::insertion, 1);
    --(state == in_E ? j : i);
  }
  if (!local && i > 0 && !scoring.free_ends.query_begin) {
    cigar.prepend(CigarOp::insertion, i);
    i = 0;
  }
  if (!local && j > 0 && !scoring.free_ends.subject_begin) {
    cigar.prepend(CigarOp::deletion, j);
    j = 0;
  }
  return {0, cigar.finish(), static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
}

__global__ void __launch_bounds__(kBlockThreads) walk_paths(const __grid_constant__ TraceLaunch work) {
  const std::uint32_t number = blockIdx.x * kBlockThreads + threadIdx.x;
  if (number >= work.count) return;
  PairPath path =
      path_of(work.pairs[number], work.ends[number], *work.scoring, trace_of(work, number), work.stop);
  path.first_run = atomicAdd(reinterpret_cast<unsigned long long*>(work.total_runs), path.runs);
  work.paths[number] = path;
}

// A warp copies the runs of a pair.
__global__ void __launch_bounds__(kBlockThreads)
    gather_cigars(const __grid_constant__ TraceLaunch work, std::uint32_t* cigars) {
  const auto number = static_cast<std::uint32_t>(warp_of_thread());
  if (number >= work.count) return;
  const PairEnds ends = work.ends[number];
  const PairPath path = work.paths[number];
  const std::uint32_t* const runs =
      trace_of(work, number) + TraceLayout(ends.query_end, ends.subject_end).runs_end() - path.runs;
  for (auto k = static_cast<std::uint32_t>(lane_of_thread()); k < path.runs; k += kWarpThreads)
    cigars[path.first_run + k] = runs[k];
}

}  // namespace

std::uint64_t trace_bytes(std::int32_t query_end, std::int32_t subject_end) {
  const std::uint64_t bytes = TraceLayout(query_end, subject_end).runs_end() * sizeof(std::uint32_t);
  return (bytes + kTraceAlignment - 1) / kTraceAlignment * kTraceAlignment;
}

cudaError_t launch_trace(const TraceLaunch& work, cudaStream_t stream) {
  cudaError_t status = cudaMemsetAsync(work.total_runs, 0, sizeof *work.total_runs, stream);
  if (status != cudaSuccess || work.count == 0) return status;
  status = cudaMemsetAsync(work.counter, 0, sizeof *work.counter, stream);
  if (status != cudaSuccess) return status;
  status = launch_kernel(keep_directions, blocks_of(work.count, work.warps), kBlockThreads, 0, stream, work);
  if (status != cudaSuccess) return status;
  return launch_kernel(walk_paths, (work.count + kBlockThreads - 1) / kBlockThreads, kBlockThreads, 0, stream,
                       work);
}

cudaError_t launch_cigars(const TraceLaunch& work, std::uint32_t* cigars, cudaStream_t stream) {
  if (work.count == 0) return cudaSuccess;
  return launch_kernel(gather_cigars, (work.count + kBlockWarps - 1) / kBlockWarps, kBlockThreads, 0, stream,
                       work, cigars);
}

cudaError_t load_trace_kernels() { return load_kernels(keep_directions, walk_paths, gather_cigars); }

}  // namespace alnus::cuda
