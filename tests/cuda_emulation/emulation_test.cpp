// The emulated GPU itself: mistakes in kernels and in the use of streams end the process.
#include <array>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

#include "device_builtins.h"
#include "lanes.h"

namespace cuda_emulation {
namespace {

void run_blocks(unsigned blocks, unsigned threads, const std::function<void()>& thread) {
  RunningGrid grid({nullptr, blocks, threads, 64, thread});
  while (!grid.advance()) continue;
}

TEST(CudaEmulation, EveryThreadOfEveryBlockRunsOnce) {
  std::vector<int> runs(20 * 96);
  run_blocks(20, 96, [&] { ++runs[block_index.x * block_size.x + thread_index.x]; });
  EXPECT_EQ(runs, std::vector<int>(runs.size(), 1));
}

TEST(CudaEmulation, Shuffles) {
  std::array<std::uint32_t, 32> up, crossed, of_third;
  run_blocks(1, 32, [&] {
    const std::uint32_t k = thread_index.x;
    up[k] = wait(Wait::shuffle_up, k, 1, 8);
    crossed[k] = wait(Wait::shuffle_xor, k, 4);
    of_third[k] = wait(Wait::shuffle, k, 3);
  });
  for (std::uint32_t k = 0; k < 32; ++k) {
    EXPECT_EQ(up[k], k % 8 ? k - 1 : k);
    EXPECT_EQ(crossed[k], k ^ 4);
    EXPECT_EQ(of_third[k], 3u);
  }
}

TEST(CudaEmulation, Votes) {
  std::array<bool, 32> of_all{}, of_all_but_one{};
  run_blocks(1, 32, [&] {
    const unsigned k = thread_index.x;
    of_all[k] = __all_sync(~0U, true);
    of_all_but_one[k] = __all_sync(~0U, k != 7);
  });
  for (unsigned k = 0; k < 32; ++k) {
    EXPECT_TRUE(of_all[k]);
    EXPECT_FALSE(of_all_but_one[k]);
  }
}

TEST(CudaEmulation, SharedMemoryIsTheBlocksOwnAndFullOfGarbageAtFirst) {
  run_blocks(30, 64, [] {
    auto* const number = static_cast<unsigned*>(dynamic_shared_memory());
    if (thread_index.x == 63) {
      EXPECT_EQ(*number, 0x5a5a5a5au);
      *number = block_index.x;
    }
    const unsigned block = block_index.x;
    for (int times = 0; times < 3; ++times) {
      wait(Wait::for_block);
      EXPECT_EQ(*number, block);
    }
  });
}

TEST(CudaEmulation, AWarpSleepsUntilAnotherHasWritten) {
  int written = 0;
  run_blocks(1, 64, [&] {
    while (thread_index.x == 0 && written < 100) wait(Wait::asleep);
    if (thread_index.x == 32) written = 100;
    wait(Wait::for_warp);
    EXPECT_EQ(written, 100);
  });
}

TEST(CudaEmulationDeathTest, LanesAtDifferentOperations) {
  EXPECT_DEATH(run_blocks(1, 32, [] { wait(thread_index.x < 5 ? Wait::for_warp : Wait::for_block); }),
               "different collective operations");
}

TEST(CudaEmulationDeathTest, LanesThatEndBeforeAShuffle) {
  EXPECT_DEATH(run_blocks(1, 32,
                          [] {
                            if (thread_index.x > 0) wait(Wait::shuffle);
                          }),
               "some lanes of a warp have ended");
}

TEST(CudaEmulationDeathTest, LanesThatWaitForEver) {
  EXPECT_DEATH(run_blocks(1, 64,
                          [] {
                            for (;;) wait(Wait::asleep);
                          }),
               "sleep for ever");
}

TEST(CudaEmulationDeathTest, CopiesThatGoTooFar) {
  void* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  const std::array<char, 101> host{};
  EXPECT_DEATH(cudaMemcpy(device, host.data(), 101, cudaMemcpyHostToDevice), "goes too far");
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

}  // namespace
}  // namespace cuda_emulation
