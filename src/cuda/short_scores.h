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

  // Whether it is for these rows and columns of a tile, with so many letters. `shared_bytes`: that a block of
  // threads can have.
  static bool suits(const Tile& tile, std::uint32_t letters, std::size_t shared_bytes);

  // Lays out the rows of a tile, of these lengths, for the columns at `positions`, and stages what the
  // kernels need.
  void lay_out(const Tile& tile, std::span<const std::uint32_t> lengths, PositionRange positions, Goal goal,
               std::uint32_t extend, std::uint32_t letters, Staging& staging);
  // Takes the memory for it.
  void reserve(std::uint32_t letters);
  // Gives it to the stream. `task` says all but what lay_out() did, and `profiles` likewise; `staging` is
  // uploaded.
  void launch(Scores16 task, Profiles profiles, const Staging& staging, cudaStream_t stream);

 private:
  // Rows that one version of the kernel does.
  struct Part {
    Short16Kernel kernel;
    Chains chains;
    std::uint32_t batch = 0;  // Scores16::batch
    Staging::Place<LaneBlock> blocks_at{};
    Staging::Place<Bin> bins_at{};
    std::uint64_t first_four = 0;  // of its profiles, in all parts'
  };

  Occupancy<Short16Kernel> occupancy_;
  std::vector<Part> parts_;
  DeviceArray<uint4> profiles_;
  DeviceArray<std::uint32_t> items_taken_;  // of each part
};

}  // namespace alnus::cuda
