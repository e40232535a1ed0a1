#include <algorithm>

#include "cuda/kernels/launch.h"
#include "cuda/kernels/pairs.h"
#include "cuda/kernels/wavefront.cuh"

namespace alnus::cuda {
namespace {

// An Observer of compute_matrix. Keeps the best of the cells in which an alignment may end.
template <std::uint32_t lane_rows>
class EndFinder {
 public:
  static constexpr bool kDirected = false;
  static constexpr std::uint32_t kLaneRows = lane_rows;

  __device__ EndFinder(const DevicePair& pair, const DeviceScoring& scoring, const GapCosts& costs)
      : m_(pair.query.length),
        n_(pair.subject.length),
        local_(scoring.mode == Mode::local),
        in_last_row_(scoring.free_ends.subject_end),
        in_last_column_(scoring.free_ends.query_end),
        best_{local_ ? 0 : INT_MIN, 0, 0} {
    if (local_) return;
    if (in_last_row_ || n_ == 0) consider(costs.h_left(m_), m_, 0);
    if (in_last_column_ || m_ == 0) consider(costs.h_above(n_), 0, n_);
  }

  __device__ void column(const LaneRows<lane_rows>& rows, std::uint32_t i, std::uint32_t j, std::uint32_t) {
    if (local_) {
      // Padding rows do no harm: their H comes down from the query's last row, which had at least as much.
      std::int32_t highest = rows.h[0];
#pragma unroll
      for (std::uint32_t r = 1; r < kLaneRows; ++r) highest = max(highest, rows.h[r]);
      if (highest < best_.score || (highest == best_.score && j >= best_j())) return;
      std::uint32_t first = 0;
#pragma unroll
      for (std::uint32_t r = kLaneRows; r-- > 0;)
        if (rows.h[r] == highest) first = r;
      consider(highest, i + first + 1, j);
    } else if (in_last_row_ && m_ - i <= kLaneRows) {
      std::int32_t last = rows.h[0];
#pragma unroll
      for (std::uint32_t r = 1; r < kLaneRows; ++r)
        if (i + r < m_) last = rows.h[r];
      consider(last, m_, j);
    }
  }

  __device__ void end_of_pass(const LaneRows<lane_rows>& rows, std::uint32_t i) {
    if (local_) return;
#pragma unroll
    for (std::uint32_t r = 0; r < kLaneRows; ++r) {
      const std::uint32_t row = i + r + 1;
      if (row == m_ || (in_last_column_ && row < m_)) consider(rows.h[r], row, n_);
    }
  }

  // The best cell of all lanes of the warp. In the first warp of a team it is the best of all the team's
  // warps.
  __device__ PairEnds best(const Team& team, PairEnds (&of_warps)[Team::kMost]) {
#pragma unroll
    for (int distance = 1; distance < kWarpThreads; distance *= 2) {
      const std::int32_t score = __shfl_xor_sync(kAllLanes, best_.score, distance);
      const std::int32_t i = __shfl_xor_sync(kAllLanes, best_.query_end, distance);
      const std::int32_t j = __shfl_xor_sync(kAllLanes, best_.subject_end, distance);
      consider(score, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
    }
    if (team.size() == 1) return best_;
    if (lane_of_thread() == 0) of_warps[team.rank()] = best_;
    __syncthreads();
    for (std::uint32_t rank = 1; team.rank() == 0 && rank < team.size(); ++rank) {
      const PairEnds& other = of_warps[rank];
      consider(other.score, static_cast<std::uint32_t>(other.query_end),
               static_cast<std::uint32_t>(other.subject_end));
    }
    return best_;
  }

 private:
  __device__ std::uint32_t best_i() const { return static_cast<std::uint32_t>(best_.query_end); }
  __device__ std::uint32_t best_j() const { return static_cast<std::uint32_t>(best_.subject_end); }

  // Keeps this cell if it is better by the rule of docs/ties.md.
  __device__ void consider(std::int32_t score, std::uint32_t i, std::uint32_t j) {
    if (score < best_.score) return;
    if (score > best_.score || j < best_j() || (j == best_j() && i < best_i()))
      best_ = {score, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
  }

  std::uint32_t m_, n_;
  bool local_, in_last_row_, in_last_column_;
  PairEnds best_;
};

template <std::uint32_t lane_rows>
__global__ void __launch_bounds__(kBlockThreads, kWarpsPerMultiprocessor / kBlockWarps)
    find_ends(const __grid_constant__ EndsLaunch work) {
  __shared__ SharedMatrix matrix;
  matrix.load(*work.scoring);
  const int warp = warp_of_thread();
  if (warp >= work.warps) return;
  const GapCosts costs(*work.scoring);
  HandedDown* const between_passes =
      reinterpret_cast<HandedDown*>(work.workspace) + std::size_t{work.longest_subject} * warp;

  __shared__ PairEnds of_warps[Team::kMost];
  const std::uint32_t count = work.count ? *work.count : work.most;
  const auto find = [&](std::uint32_t number, const Team& team) {
    const DevicePair pair = work.pairs[number];
    EndFinder<lane_rows> finder(pair, *work.scoring, costs);
    compute_matrix(pair, matrix, costs, between_passes - std::size_t{team.rank()} * work.longest_subject,
                   team, finder);
    const PairEnds ends = finder.best(team, of_warps);
    if (lane_of_thread() == 0 && team.rank() == 0) work.ends[number] = ends;
  };
  share_pairs(work.pairs, count, work.team_cells, work.counter, work.warps, lane_rows * kWarpThreads,
              work.stop, find);
}

}  // namespace

DeviceScoring device_scoring(const Scoring& scoring) {
  DeviceScoring result{{}, scoring.open, scoring.extend, scoring.mode, scoring.free_ends};
  for (int query = 0; query < kMaxLetters; ++query)
    for (int subject = 0; subject < kMaxLetters; ++subject)
      result.matrix[query][subject] =
          scoring.matrix.value(static_cast<Residue>(query), static_cast<Residue>(subject));
  return result;
}

int warps_of(int multiprocessors) { return multiprocessors * kWarpsPerMultiprocessor; }

std::size_t workspace_bytes(std::uint32_t longest_subject, int warps) {
  return sizeof(HandedDown) * longest_subject * static_cast<std::size_t>(warps);
}

std::uint64_t team_cells(std::uint64_t all_cells, int warps) {
  constexpr std::uint64_t kFewCells = 1 << 18;  // a warp computes so many in a tenth of a millisecond
  return std::max(all_cells / (4 * static_cast<std::uint64_t>(warps)), kFewCells);
}

cudaError_t launch_ends(const EndsLaunch& work, cudaStream_t stream) {
  if (work.most == 0) return cudaSuccess;
  const cudaError_t status = cudaMemsetAsync(work.counter, 0, sizeof *work.counter, stream);
  if (status != cudaSuccess) return status;
  const auto kernel =
      work.long_passes ? find_ends<kLongPassRows / kWarpThreads> : find_ends<kPassRows / kWarpThreads>;
  return launch_kernel(kernel, blocks_of(work.most, work.warps), kBlockThreads, 0, stream, work);
}

cudaError_t load_pairs_kernels() {
  return load_kernels(find_ends<kLongPassRows / kWarpThreads>, find_ends<kPassRows / kWarpThreads>);
}

}  // namespace alnus::cuda
