// Tests of the device memory that alignments of rectangles borrow. The emulated GPU tells how much memory
// this process has; a real one tells only what all processes together have left.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "cuda/cuda_device.h"
#include "memory.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

constexpr std::uint64_t kMemory = 4 << 20, kBorrowed = 2 << 20;

TEST(CudaEmulation, RectanglesTakeWhatSequencesLeaveAndOtherWorkGetsItBack) {
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

TEST(CudaEmulation, ASessionHasNoBorrowedMemoryAfterACall) {
  Session session({.devices = "cuda:0", .threads = 2, .device_memory_bytes = kMemory});
  Random random(2);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int k = 0; k < 60; ++k)
    builder.add(std::to_string(k), random_sequence(random, 60 + below(random, 30)));
  const SequenceSet set = builder.finish();
  AllPairsOptions options;
  options.detail = Detail::alignment;
  std::size_t pairs = 0, in_the_call = 0;
  session.all_pairs(set, set, make_scoring({}), options,
                    PairSink{.rows = [&](const Columns& rows, const auto&) {
                      pairs += rows.size();
                      in_the_call = std::max(in_the_call, cuda_emulation::device_bytes());
                    }});
  EXPECT_EQ(pairs, 3600u);
  EXPECT_LT(cuda_emulation::device_bytes() + kBorrowed, in_the_call);
}

}  // namespace
}  // namespace alnus::test
