// Scores, ends and alignments of any pairs in 32 bits: of lists, and of pairs for which 16 bits do not
// suffice.
#pragma once

#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/kernels/trace.h"
#include "cuda/runtime.h"
#include "cuda/staging.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

class PairAligner {
 public:
  // `memory_bytes`: device memory, half of it for traces (directions of cells, kernels/trace.h) and a quarter
  // for the rows that the passes of a kernel hand to each other. The stopper must outlive the aligner.
  PairAligner(int multiprocessors, std::uint64_t memory_bytes, Stopper& stopper)
      : multiprocessors_(multiprocessors), memory_bytes_(memory_bytes), stopper_(stopper) {}

  // Returns the results of all pairs of the tile in any order; with Detail::score, without pairs that score
  // below the sink's floor of their row. The results are valid until the next run. Throws Error(memory) if
  // the trace of a single pair does not fit, Error(input) if scores may exceed kHighest32, and what the
  // stopper throws.
  std::span<const PairResult> run(const Tile& tile, const Problem& problem, const Sink& sink);
  // Waits until a run that was stopped has left nothing on the device.
  void settle() { stream_.wait(); }

 private:
  void align(std::span<const PositionPair> pairs, const Tile& tile, const Problem& problem, const Sink& sink);
  // Finds the alignments of pairs whose ends are known, and writes their begins and CIGARs into `results`.
  void trace(const EndsLaunch& ends, std::span<PairResult> results);
  int warps_for(std::uint32_t longest_subject) const;

  const int multiprocessors_;
  const std::uint64_t memory_bytes_;
  Stopper& stopper_;
  Stream stream_;
  PinnedArray<std::uint8_t> host_codes_;
  DeviceArray<std::uint8_t> codes_;
  Staging staging_, trace_staging_;
  DeviceArray<PairEnds> ends_;
  PinnedArray<PairEnds> host_ends_;
  DeviceArray<std::byte> workspace_, trace_;
  DeviceArray<std::uint32_t> counter_, cigars_;
  DeviceArray<PairPath> paths_;
  PinnedArray<PairPath> host_paths_;
  DeviceArray<std::uint64_t> total_runs_;
  PinnedArray<std::uint64_t> host_total_runs_;
  PinnedArray<std::uint32_t> host_cigars_;
  std::vector<std::uint64_t> row_offsets_, column_offsets_;  // of sequences among the codes, by position
  std::vector<PairResult> results_;
  // CIGARs of each group of pairs that are traced together; the results point into them.
  std::vector<std::vector<CigarRun>> runs_;
};

}  // namespace alnus::cuda
