// Exact 32-bit scores of long pairs, each pass of a pair by a warp of its own: the passes of a pair run at
// the same time, each some columns behind the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/kernels/pairs.h"
#include "cuda/kernels/search.h"

namespace alnus::cuda {

// All queries of a tile with the subjects of the first columns. The scores are raised to those of the pairs:
// before the launch they are no higher than the lowest score, or 0 in mode local. All pointers are the
// device's.
struct LongScores {
  TileSequences sequences;
  std::uint32_t rows, columns;  // columns: the first ones, which are scored
  std::uint32_t longest_query, longest_subject;
  const DeviceScoring* scoring;
  std::int32_t* scores;  // [row * stride + column]
  std::uint64_t stride;
  std::byte* workspace;       // bytes_of_long_scores(work)
  const std::uint32_t* stop;  // the stop word
};
// The size of the workspace for the work, whose addresses may be missing.
std::size_t bytes_of_long_scores(const LongScores& work);
// The work must have columns. `multiprocessors`: of the device.
cudaError_t launch_long_scores(const LongScores& work, int multiprocessors, cudaStream_t stream);

// Loads the code of this kernel, so that it is not loaded while another kernel runs.
cudaError_t load_long_scores_kernel();

}  // namespace alnus::cuda
