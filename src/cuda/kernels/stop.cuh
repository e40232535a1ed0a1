// How kernels that may run for long learn that nobody wants their results any more (cuda/stopper.h).
#pragma once

#include <cstdint>

namespace alnus::cuda {

// True once the kernel is to end. `word` is the stop word in device memory, which never becomes 0 again while
// a kernel runs. Kernels look between passes or after thousands of columns, mostly about once in a
// millisecond.
__device__ inline bool stops(const std::uint32_t* word) {
  return *static_cast<const volatile std::uint32_t*>(word) != 0;
}

}  // namespace alnus::cuda
