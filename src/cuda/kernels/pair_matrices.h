// Substitution matrices adjusted to pairs, by the formula and the steps of stats/adjusted_matrix.h. The
// results have the same bits as on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "core/matrix_pairs.h"
#include "core/pair_adjustment.h"

namespace alnus::cuda {

// A warp makes the matrix of a pair. All pointers are the device's.
struct PairMatricesLaunch {
  const MatrixPairs::Pair* pairs;
  std::uint32_t count;
  const PairAdjustment* adjustment;
  const Frequencies *queries, *subjects;  // by the numbers of query and subject in the pairs
  MatrixRounding rounding;
  std::uint32_t letters;
  std::int16_t* matrices;  // out, [pair][letter of the subject][letter of the query]
  std::uint8_t* fits;      // out, [pair]: 1 if the rounding allows all scores, else 0
};
cudaError_t launch_pair_matrices(const PairMatricesLaunch& work, cudaStream_t stream);

cudaError_t load_pair_matrices_kernels();

}  // namespace alnus::cuda
