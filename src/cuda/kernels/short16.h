// short16: scores of short queries with short subjects, 16 bits. A thread has two whole queries, and the
// threads of a warp go through the same subject (docs/cuda-kernels.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/kernels/scores16.h"
#include "cuda/limits.h"

namespace alnus::cuda {

// The numbers of query rows of a thread for which there are versions. A query has one lane block, and at most
// kLongestShort residues.
inline constexpr int kShortRows[] = {8, 12, 16, 20, 24, 32};
inline constexpr std::uint32_t kLongestShort = 32;

// Lane blocks of a bin: one for each thread of a warp.
inline constexpr int kShortLanes = kWarpThreads;

// One version of the kernel short16. Its input is that of scores16 without `strips`, `boundary` and `trace`:
// the subjects [begin, end), of which each `batch` are a strip, and bins of up to kShortLanes lane blocks.
class Short16Kernel {
 public:
  // `rows`: one of kShortRows. `goal`: not Goal::coarse.
  Short16Kernel(int rows, Goal goal, std::uint32_t extend);

  static constexpr int kWarps = 8;  // of a thread block
  int rows() const { return rows_; }
  // Bytes of shared memory that a thread block needs with a profile of `letters` letters.
  static std::size_t shared_bytes(int rows, std::uint32_t letters);
  // Tells how many thread blocks fit a multiprocessor with a profile of `letters` letters.
  cudaError_t occupancy(std::uint32_t letters, int* blocks) const;
  cudaError_t launch(const Scores16& work, int blocks, cudaStream_t stream) const;
  bool operator==(const Short16Kernel&) const = default;

 private:
  cudaError_t allow_shared(std::uint32_t letters) const;

  int rows_;
  void (*kernel_)(Scores16);
};

}  // namespace alnus::cuda
