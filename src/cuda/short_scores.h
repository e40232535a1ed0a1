// Scores of short queries with short subjects, like those of T-cell receptors (kernels/short16.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/chains.h"
#include "cuda/kernels/search.h"
#include "cuda/kernels/short16.h"
#include "cuda/occupancy.h"
#include "cuda/runtime.h"
#include "cuda/staging.h"

namespace alnus::cuda {

class ShortScores {
 public:
  explicit ShortScores(int multiprocessors) : occupancy_(multiprocessors) {}

  // True if this class scores the rows and columns of the tile: many short queries with short subjects, and a
  // profile of `letters` letters that fits the `shared_bytes` of shared memory that a thread block can have.
  static bool suits(const Tile& tile, std::uint32_t letters, std::size_t shared_bytes);

  // Lays out the tile's rows, of `lengths` residues, for the columns at `positions`, and adds to `staging`
  // what the kernels need.
  void lay_out(const Tile& tile, std::span<const std::uint32_t> lengths, PositionRange positions, Goal goal,
               std::uint32_t extend, std::uint32_t letters, Staging& staging);
  // Allocates the device memory for what lay_out() has laid out.
  void reserve(std::uint32_t letters);
  // Launches the kernels on the stream. `task` and `profiles` hold all that lay_out() did not decide.
  // `staging` has been uploaded.
  void launch(Scores16 task, Profiles profiles, const Staging& staging, cudaStream_t stream);

 private:
  // The rows that one version of the kernel scores.
  struct Part {
    Short16Kernel kernel;
    Chains chains;
    std::uint32_t batch = 0;  // subjects that a thread block takes at a time (Scores16::batch)
    Staging::Place<LaneBlock> blocks_at{};
    Staging::Place<Bin> bins_at{};
    std::uint64_t first_four = 0;  // where this part's profile begins in profiles_, in uint4
  };

  Occupancy<Short16Kernel> occupancy_;
  std::vector<Part> parts_;
  DeviceArray<uint4> profiles_;
  DeviceArray<std::uint32_t> items_taken_;  // a counter for each part
};

}  // namespace alnus::cuda
