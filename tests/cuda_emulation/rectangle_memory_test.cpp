// Tests of the device memory that alignments of rectangles borrow. The emulated GPU tells how much memory
// this process has; a real one tells only what all processes together have left.
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

#include "cuda/cuda_device.h"
#include "memory.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

TEST(CudaEmulation, RectanglesTakeWhatSequencesLeaveAndOtherWorkGetsItBack) {
  constexpr std::uint64_t kMemory = 4 << 20, kBorrowed = 2 << 20;
  const auto device = cuda::make_cuda_device({.memory_bytes = kMemory});
  Random random(1);
  Workload work;
  for (std::size_t k = 0; k < 60; ++k) {
    work.queries.push_back(random_sequence(random, 60 + below(random, 30)));
    work.subjects.push_back(random_sequence(random, 60 + below(random, 30)));
  }
  const LoadedWorkload loaded(*device, work);
  const Problem alignments{make_scoring({}), Detail::alignment}, scores{make_scoring({}), Detail::score};
  Tile list = loaded.tile();
  list.shape = TileShape::list;
  list.pairs = {{Position(0), Position(0)}};
  Collect of_other;
  const std::vector<std::function<void()>> others = {
      [&] { device->run(loaded.tile(), scores, of_other); },
      [&] { device->run(list, alignments, of_other); },
      [&] { device->call_ended(); },
  };
  for (const auto& other : others) other();  // allocates what they need themselves
  for (const auto& other : others) {
    Collect sink;
    device->run(loaded.tile(), alignments, sink);
    const std::size_t with_rectangle = cuda_emulation::device_bytes();
    EXPECT_EQ(sink.found.size(), 3600u);
    other();
    EXPECT_LT(cuda_emulation::device_bytes() + kBorrowed, with_rectangle);
  }
}

}  // namespace
}  // namespace alnus::test
