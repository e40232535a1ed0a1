// Runs the threads of a grid as coroutines of one thread of the host. They take turns where they wait for
// each other, in a pseudo-random order. A warp whose lanes do not come to the same collective operation, or
// lanes that wait for ever, end the process with a message.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <string_view>
#include <vector>

namespace cuda_emulation {

inline constexpr int kWarpLanes = 32;
inline constexpr unsigned char kFresh = 0x5a;  // memory that nothing was written to is full of it

// A grid whose blocks have not all ended. Several may be under way at a time.
class RunningGrid {
 public:
  explicit RunningGrid(Grid grid);
  ~RunningGrid();
  // Runs some steps of some blocks. Returns true when all blocks have ended.
  bool advance();

 private:
  Grid grid_;
  unsigned next_ = 0;  // block that has not begun
  std::vector<std::unique_ptr<class Block>> blocks_;
};

// For the code of kernels.
struct Index {
  unsigned x = 0;
};
extern Index thread_index, block_index, block_size, grid_size;

enum class Wait : std::uint8_t {
  nothing,
  shuffle,
  shuffle_up,
  shuffle_xor,
  for_warp,
  for_block,
  asleep,
  ended
};

// Lets the others go on. Returns what a shuffle brings; for_block: the values of all threads, joined by `or`.
std::uint32_t wait(Wait what, std::uint32_t value = 0, int argument = 0, int width = kWarpLanes);

// Of the block. Addresses in shared memory have 32 bits; that they are of this memory is checked.
void* dynamic_shared_memory();
std::uint32_t shared_address(const void* address);
void* at_shared_address(std::size_t address);

[[noreturn]] void fail(std::string_view what);

}  // namespace cuda_emulation
