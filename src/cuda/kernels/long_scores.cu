#include <algorithm>

#include "cuda/kernels/launch.h"
#include "cuda/kernels/long_scores.h"
#include "cuda/kernels/tile_pair.cuh"
#include "cuda/kernels/wavefront.cuh"

namespace alnus::cuda {
namespace {

constexpr std::uint32_t kLaneRows = kLongPassRows / kWarpThreads;

// A warp that does one pass of a pair, while other warps do the other passes, in any thread blocks.
// compute_matrix takes it in place of a Team.
class PassWarp {
 public:
  // `progress`: for each pass the number of columns that it has stored, in device memory, 0 at first.
  __device__ PassWarp(const std::uint32_t* stop, std::uint32_t pass, std::uint32_t passes,
                      std::uint32_t* progress)
      : stop_(stop), pass_(pass), passes_(passes), progress_(progress) {}

  __device__ std::uint32_t rank() const { return pass_; }
  // compute_matrix goes on with pass rank() + size(). There is no such pass, because size() is the number of
  // passes.
  __device__ std::uint32_t size() const { return passes_; }
  __device__ bool stops() const { return cuda::stops(stop_); }

  // Tells the next pass how many of the n columns are stored, after each kWarpThreads columns and after the
  // last one. To be called by the lane that has stored `column`.
  __device__ void stored(std::uint32_t, std::uint32_t column, std::uint32_t n) const {
    if ((column + 1) % kWarpThreads != 0 && column + 1 != n) return;
    __threadfence();
    atomicExch(progress_ + pass_, column + 1);
  }
  // Waits until the first `columns` columns of the pass before are in device memory, as Team::wait does, or
  // until the kernel is to end.
  __device__ void wait(std::uint32_t, std::uint32_t columns, std::uint32_t) const {
    if (lane_of_thread() == 0) {
      constexpr std::uint32_t kTurnsBetweenLooks = 256;  // some 50 microseconds
      for (std::uint32_t turn = 1; atomicAdd(progress_ + pass_ - 1, 0U) < columns; ++turn) {
        if (turn % kTurnsBetweenLooks == 0 && stops()) break;
        __nanosleep(100);
      }
      __threadfence();
    }
    __syncwarp();
  }
  // Reads past the multiprocessor's own cache (L1), which does not see what other multiprocessors store.
  __device__ HandedDown handed_down(const HandedDown* from) const {
    const uint2 both = __ldcg(reinterpret_cast<const uint2*>(from));
    return {static_cast<std::int32_t>(both.x), static_cast<std::int32_t>(both.y)};
  }

 private:
  const std::uint32_t* stop_;
  std::uint32_t pass_, passes_;
  std::uint32_t* progress_;
};

// An Observer of compute_matrix. Keeps the highest H of the cells of a pass in which an alignment may end.
class HighestEnd {
 public:
  static constexpr bool kDirected = false;
  static constexpr std::uint32_t kLaneRows = cuda::kLaneRows;

  __device__ HighestEnd(const DevicePair& pair, const DeviceScoring& scoring, const GapCosts& costs)
      : m_(pair.query.length),
        local_(scoring.mode == Mode::local),
        in_last_row_(scoring.free_ends.subject_end),
        in_last_column_(scoring.free_ends.query_end),
        best_(local_ ? 0 : INT_MIN) {
    if (local_) return;
    const std::uint32_t n = pair.subject.length;
    if (in_last_row_ || n == 0) best_ = max(best_, costs.h_left(m_));
    if (in_last_column_ || m_ == 0) best_ = max(best_, costs.h_above(n));
  }

  // Padding rows do no harm in mode local: their H comes down from the query's last row, which had at least
  // as much.
  __device__ void column(const LaneRows<kLaneRows>& rows, std::uint32_t i, std::uint32_t, std::uint32_t) {
    if (local_) {
#pragma unroll
      for (std::uint32_t r = 0; r < kLaneRows; ++r) best_ = max(best_, rows.h[r]);
    } else if (in_last_row_ && m_ - i <= kLaneRows) {
      std::int32_t last = rows.h[0];
#pragma unroll
      for (std::uint32_t r = 1; r < kLaneRows; ++r)
        if (i + r < m_) last = rows.h[r];
      best_ = max(best_, last);
    }
  }
  __device__ void end_of_pass(const LaneRows<kLaneRows>& rows, std::uint32_t i) {
    if (local_) return;
#pragma unroll
    for (std::uint32_t r = 0; r < kLaneRows; ++r) {
      const std::uint32_t row = i + r + 1;
      if (row == m_ || (in_last_column_ && row < m_)) best_ = max(best_, rows.h[r]);
    }
  }
  // The highest of all lanes of the warp.
  __device__ std::int32_t of_warp() const {
    std::int32_t highest = best_;
#pragma unroll
    for (int distance = 1; distance < kWarpThreads; distance *= 2)
      highest = max(highest, __shfl_xor_sync(kAllLanes, highest, distance));
    return highest;
  }

 private:
  std::uint32_t m_;
  bool local_, in_last_row_, in_last_column_;
  std::int32_t best_;
};

// Where the parts of the workspace begin: a counter, the progress of each pass, and for each pair the row
// that a pass hands on to the next.
struct Workspace {
  std::uint32_t passes;
  std::size_t handed_down, end;

  explicit __host__ __device__ Workspace(const LongScores& work) {
    const std::size_t pairs = std::size_t{work.rows} * work.columns;
    passes = work.longest_query <= kLongPassRows ? 1 : (work.longest_query - 1) / kLongPassRows + 1;
    const std::size_t words = 1 + pairs * passes, even = words + words % 2;
    handed_down = even * sizeof(std::uint32_t);
    end = handed_down + pairs * work.longest_subject * sizeof(HandedDown);
  }
};

// Warps take the passes from a counter, in the order of pairs and their passes. So a warp that waits for the
// pass before waits for a warp that is at work.
__global__ void __launch_bounds__(kBlockThreads, kWarpsPerMultiprocessor / kBlockWarps)
    score_passes(const __grid_constant__ LongScores work) {
  __shared__ SharedMatrix matrix;
  matrix.load(*work.scoring);
  const GapCosts costs(*work.scoring);
  const Workspace workspace(work);
  auto* const counter = reinterpret_cast<std::uint32_t*>(work.workspace);
  auto* const handed_down = reinterpret_cast<HandedDown*>(work.workspace + workspace.handed_down);
  for (;;) {
    std::uint32_t item = 0;
    if (lane_of_thread() == 0) item = atomicAdd(counter, 1U);
    item = __shfl_sync(kAllLanes, item, 0);
    const std::uint32_t number = item / workspace.passes, pass = item % workspace.passes;
    if (number >= work.rows * work.columns) return;
    const std::uint32_t row = number % work.rows, column = number / work.rows;
    const DevicePair pair = tile_pair(work.sequences, row, column);
    if (pass > 0 && pass * kLongPassRows >= pair.query.length) continue;
    HighestEnd finder(pair, *work.scoring, costs);
    compute_matrix(
        pair, matrix, costs, handed_down + std::size_t{number} * work.longest_subject,
        PassWarp(work.stop, pass, workspace.passes, counter + 1 + std::size_t{number} * workspace.passes),
        finder);
    const std::int32_t highest = finder.of_warp();
    if (lane_of_thread() == 0) atomicMax(work.scores + row * work.stride + column, highest);
  }
}

}  // namespace

std::size_t bytes_of_long_scores(const LongScores& work) { return Workspace(work).end; }

cudaError_t launch_long_scores(const LongScores& work, int multiprocessors, cudaStream_t stream) {
  const Workspace workspace(work);
  const cudaError_t status = cudaMemsetAsync(work.workspace, 0, workspace.handed_down, stream);
  if (status != cudaSuccess) return status;
  const auto warps = std::min<std::uint64_t>(std::uint64_t{work.rows} * work.columns * workspace.passes,
                                             static_cast<unsigned>(warps_of(multiprocessors)));
  return launch_kernel(score_passes, static_cast<unsigned>((warps + kBlockWarps - 1) / kBlockWarps),
                       kBlockThreads, 0, stream, work);
}

cudaError_t load_long_scores_kernel() { return load_kernels(score_passes); }

}  // namespace alnus::cuda
