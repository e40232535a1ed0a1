#include "core/pair_scorer.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/matrix_scores.h"
#include "cuda/kernels/wavefront.cuh"

namespace alnus::cuda {
namespace {

// Loads the matrix of the pair that a warp works on into shared memory.
__device__ void load(SharedMatrix& matrix, const std::int16_t* scores, std::uint32_t letters) {
  const auto lane = static_cast<std::uint32_t>(lane_of_thread());
  __syncwarp();  // no lane needs the earlier pair's matrix any more
  for (std::uint32_t subject = 0; subject < letters; ++subject)
    if (lane < letters) matrix.rows[lane][subject] = scores[subject * letters + lane];
  matrix.rows[SharedMatrix::kPad][lane] = SharedMatrix::kPadScore;
  __syncwarp();
}

// An Observer of compute_matrix. Keeps the highest H. Padding rows do no harm: their H comes down from the
// query's last row, which had at least as much.
template <std::uint32_t lane_rows>
struct ScoreFinder {
  static constexpr bool kDirected = false;
  static constexpr std::uint32_t kLaneRows = lane_rows;

  __device__ void column(const LaneRows<lane_rows>& rows, std::uint32_t, std::uint32_t, std::uint32_t) {
#pragma unroll
    for (std::uint32_t r = 0; r < kLaneRows; ++r) best = max(best, rows.h[r]);
  }
  __device__ void end_of_pass(const LaneRows<lane_rows>&, std::uint32_t) {}

  std::int32_t best = 0;
};

template <std::uint32_t lane_rows>
__global__ void __launch_bounds__(kBlockThreads, kWarpsPerMultiprocessor / kBlockWarps)
    score_by_matrices(const __grid_constant__ MatrixScoresLaunch work) {
  __shared__ SharedMatrix matrices[kBlockWarps];
  __shared__ std::int32_t of_warps[Team::kMost];
  const int warp = warp_of_thread();
  if (warp >= work.warps) return;
  SharedMatrix& matrix = matrices[warp % kBlockWarps];
  const GapCosts costs(work.open, work.extend);
  HandedDown* const between_passes =
      reinterpret_cast<HandedDown*>(work.workspace) + std::size_t{work.longest_subject} * warp;
  const auto score = [&](std::uint32_t place, const Team& team) {
    const std::uint32_t number = work.numbers[place];
    load(matrix, work.matrices + std::size_t{number} * work.letters * work.letters, work.letters);
    ScoreFinder<lane_rows> finder;
    compute_matrix(work.pairs[place], matrix, costs,
                   between_passes - std::size_t{team.rank()} * work.longest_subject, team, finder);
#pragma unroll
    for (int distance = 1; distance < kWarpThreads; distance *= 2)
      finder.best = max(finder.best, __shfl_xor_sync(kAllLanes, finder.best, distance));
    if (team.size() > 1) {
      if (lane_of_thread() == 0) of_warps[team.rank()] = finder.best;
      __syncthreads();
      for (std::uint32_t rank = 0; rank < team.size(); ++rank) finder.best = max(finder.best, of_warps[rank]);
    }
    if (lane_of_thread() == 0 && team.rank() == 0)
      work.scores[number] = work.fits[number] != 0 ? finder.best : PairScorer::kUnknownScore;
  };
  share_pairs(work.pairs, work.count, work.team_cells, work.counter, work.warps, lane_rows * kWarpThreads,
              work.stop, score);
}

}  // namespace

cudaError_t launch_matrix_scores(const MatrixScoresLaunch& work, cudaStream_t stream) {
  if (work.count == 0) return cudaSuccess;
  const cudaError_t status = cudaMemsetAsync(work.counter, 0, sizeof *work.counter, stream);
  if (status != cudaSuccess) return status;
  const auto kernel = work.long_passes ? score_by_matrices<kLongPassRows / kWarpThreads>
                                       : score_by_matrices<kPassRows / kWarpThreads>;
  return launch_kernel(kernel, blocks_of(work.count, work.warps), kBlockThreads, 0, stream, work);
}

cudaError_t load_matrix_scores_kernels() {
  return load_kernels(score_by_matrices<kLongPassRows / kWarpThreads>,
                      score_by_matrices<kPassRows / kWarpThreads>);
}

}  // namespace alnus::cuda
