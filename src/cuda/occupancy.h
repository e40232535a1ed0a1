// How many thread blocks of the 16-bit kernels a GPU runs at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda/runtime.h"

namespace alnus::cuda {

// Asks CUDA once for each version of a kernel and number of letters, and keeps the answer, because asking
// takes longer than a launch.
template <class Kernel>
class Occupancy {
 public:
  explicit Occupancy(int multiprocessors) : multiprocessors_(multiprocessors) {}

  // Thread blocks that the current device runs at a time, at least one for each multiprocessor.
  std::uint32_t blocks(const Kernel& kernel, std::uint32_t letters) {
    const auto found = std::ranges::find_if(
        known_, [&](const Known& known) { return known.kernel == kernel && known.letters == letters; });
    if (found != known_.end()) return found->blocks;
    int of_multiprocessor = 0;
    check(kernel.occupancy(letters, &of_multiprocessor), "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const auto blocks = static_cast<std::uint32_t>(std::max(of_multiprocessor, 1) * multiprocessors_);
    known_.push_back({kernel, letters, blocks});
    return blocks;
  }

 private:
  struct Known {
    Kernel kernel;
    std::uint32_t letters, blocks;
  };
  const int multiprocessors_;
  std::vector<Known> known_;
};

}  // namespace alnus::cuda
