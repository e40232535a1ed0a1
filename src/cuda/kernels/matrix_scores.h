// Local scores of pairs in 32 bits, each pair by a substitution matrix of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/kernels/pairs.h"

namespace alnus::cuda {

// A warp takes a pair; several warps, a team, take a pair of several passes and at least `team_cells` cells.
// Members that EndsLaunch (pairs.h) also has mean the same as there. All pointers are the device's.
struct MatrixScoresLaunch {
  const DevicePair* pairs;
  std::uint32_t count;
  std::uint64_t team_cells;
  bool long_passes;
  const std::int16_t* matrices;  // [number][letter of the subject][letter of the query]
  const std::uint8_t* fits;      // [number]; 0: the score is PairScorer::kUnknownScore
  const std::uint32_t* numbers;  // [count]: the number of the pair's matrix and of its score
  std::uint32_t letters;
  std::int32_t open, extend;
  std::uint32_t longest_subject;
  std::int32_t* scores;  // out, by number
  std::byte* workspace;
  std::uint32_t* counter;
  int warps;
  const std::uint32_t* stop;
};
cudaError_t launch_matrix_scores(const MatrixScoresLaunch& work, cudaStream_t stream);

cudaError_t load_matrix_scores_kernels();

}  // namespace alnus::cuda
