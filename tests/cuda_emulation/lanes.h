// Runs the threads of a grid (lanes) as coroutines of one thread of the host. A lane runs until it waits for
// others; then others run, in a pseudo-random order. The process ends with a message if the lanes of a warp
// arrive at different collective operations, or if lanes wait for ever.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <string_view>
#include <vector>

namespace cuda_emulation {

inline constexpr int kWarpLanes = 32;
inline constexpr unsigned char kFresh = 0x5a;  // the value of bytes that nothing was written to

// A grid whose blocks have not all ended. Several grids may run at a time.
class RunningGrid {
 public:
  explicit RunningGrid(Grid grid);
  ~RunningGrid();
  // Runs some steps of some blocks. Returns true when all blocks have ended.
  bool advance();

 private:
  Grid grid_;
  unsigned next_ = 0;  // the first block that has not begun
  std::vector<std::unique_ptr<class Block>> blocks_;
};

// The lane that runs and its block, for the code of kernels.
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

// Lets other lanes run until this one may go on. Returns the value that a shuffle brings, or, for
// `for_block`, the values of all threads of the block, joined by `or`.
std::uint32_t wait(Wait what, std::uint32_t value = 0, int argument = 0, int width = kWarpLanes);

// The block's shared memory. Addresses in it have 32 bits. The process ends if an address lies elsewhere.
void* dynamic_shared_memory();
std::uint32_t shared_address(const void* address);
void* at_shared_address(std::size_t address);

[[noreturn]] void fail(std::string_view what);

}  // namespace cuda_emulation
