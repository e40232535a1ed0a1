// Alignments of all pairs of a rectangle or staircase, 16 bits (docs/cuda-kernels.md).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/chains.h"
#include "cuda/kernels/traceback16.h"
#include "cuda/range16.h"
#include "cuda/resident.h"
#include "cuda/runtime.h"
#include "cuda/scores16_inputs.h"
#include "cuda/stages.h"
#include "cuda/staging.h"

namespace alnus::cuda {

class RectangleAligner {
 public:
  // `shared_bytes`: that a block of threads can have. `memory_bytes`: for what is kept of the matrices.
  RectangleAligner(int multiprocessors, std::size_t shared_bytes, std::uint64_t memory_bytes)
      : multiprocessors_(multiprocessors), shared_bytes_(shared_bytes), memory_bytes_(memory_bytes) {}

  // Whether there is a version of the kernels for the scoring.
  static bool fits(const Scoring& scoring, std::size_t shared_bytes);

  // Leaves over pairs for which 16 bits do not suffice, whose sequences are empty, or which take too much
  // memory.
  void run(const Tile& tile, const Problem& problem, const CudaResident& columns, Stages& stages);
  std::vector<PairIndex>& left() { return left_; }
  // What others have found for those.
  void add(std::span<const PairResult> results) {
    results_.insert(results_.end(), results.begin(), results.end());
  }
  // Valid until the next run.
  std::span<const PairResult> results() const { return results_; }
  // Gives back what takes most memory.
  void release() { windows_ = {}; }

 private:
  struct Work;  // a tile's
  struct Rows;  // some of its rows, laid out
  struct Part;  // these with some columns: what is done at a time

  void align_slab(const Work& work, const Slab& slab, Range positions);
  static std::uint64_t least_bytes(const Work& work, Range rows, std::uint32_t columns);
  Rows lay_out(const Work& work, Range range, Range columns, const Slab& slab) const;
  std::uint64_t bytes_of(const Rows& rows, std::uint32_t windows, std::uint32_t strips) const;
  Part cut(const Rows& rows, const Slab& slab, Range positions) const;
  void align(const Work& work, const Rows& rows, const Part& part, const Slab& slab);
  void collect(const Work& work, const Rows& rows, const Part& part, const Slab& slab);

  const int multiprocessors_;
  const std::size_t shared_bytes_;
  const std::uint64_t memory_bytes_;
  Stream stream_;
  Event begun_, scored_, done_;
  Staging staging_;
  DeviceArray<uint4> profiles_, scores_of_rows_, windows_, last_columns_;
  DeviceArray<uint2> boundary_;
  DeviceArray<std::uint32_t> bests_, items_taken_, rooms_, runs_;
  DeviceArray<std::int32_t> scores_;
  DeviceArray<std::uint64_t> total_runs_;
  DeviceArray<TracedPair> pairs_;
  PinnedArray<std::uint64_t> host_total_runs_;
  PinnedArray<std::uint32_t> host_runs_;
  PinnedArray<TracedPair> host_pairs_;
  std::vector<PairResult> results_;
  std::vector<std::vector<CigarRun>> cigars_;  // of each part; the results point into them
  std::vector<PairIndex> left_;
};

}  // namespace alnus::cuda
