// What most methods keep of a cell in memory: H in the low half of a word, and E or F in the high half. An E
// or F below 0 raises no H, and is kept as 0.
#pragma once

#include <cstdint>

namespace alnus::cuda::papers {

struct HalfWords {
  std::int32_t h, gap;

  __device__ HalfWords(std::int32_t h, std::int32_t gap) : h(h), gap(gap) {}
  __device__ explicit HalfWords(std::uint32_t packed)
      : h(static_cast<std::int32_t>(packed & 0xffff)), gap(static_cast<std::int32_t>(packed >> 16)) {}
  __device__ std::uint32_t packed() const {
    return static_cast<std::uint32_t>(h) | static_cast<std::uint32_t>(gap) << 16;
  }
};

}  // namespace alnus::cuda::papers
