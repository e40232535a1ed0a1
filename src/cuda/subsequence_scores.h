// Scores that are multiples of the lengths of longest common subsequences (core/common_subsequence.h), by the
// kernels of kernels/subsequences.h.
#pragma once

#include <cstdint>
#include <vector>

#include "core/device.h"
#include "cuda/cuda_sequences.h"
#include "cuda/kernels/subsequences.h"
#include "cuda/runtime.h"
#include "cuda/score_search.h"
#include "cuda/scores16_inputs.h"
#include "cuda/stages.h"
#include "cuda/staging.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

class SubsequenceScores {
 public:
  // Uploader and stopper must outlive the object.
  SubsequenceScores(Uploader& uploader, Stopper& stopper) : uploader_(uploader), stopper_(stopper) {}

  // True if these kernels score rows of such a tile, with this scoring. Not if subjects are very long: a pair
  // is done by one thread, which does not look at the stop word meanwhile.
  static bool takes(const Tile& tile, const Problem& problem);
  // The rows of a tile that these kernels do not score, which come first: those of more than
  // kMostSubsequenceRows residues.
  static PositionRange long_rows(const Tile& tile);
  // Scores the tile but for its long_rows(). takes() must be true; sink.limit() must be 0, and its floors
  // must not change during the run. What is returned lies in `buffers`; if it is all scores, those of the
  // long rows are not set. Throws TooManyFound, Error(memory) or Error(device), and what the stopper throws.
  Found run(const Tile& tile, const Scoring& scoring, const Sink& sink, const CudaSequences& columns,
            FoundBuffers& buffers, Stages& stages);
  // Waits until a run that was stopped has left nothing on the device.
  void settle();

 private:
  struct Work;
  void start(const Work& work, const Slab& slab, PositionRange positions);
  void collect(const Work& work, PositionRange positions, FoundBuffers& buffers);

  Uploader& uploader_;
  Stopper& stopper_;
  Stream stream_, upload_;
  Event begun_, done_;
  Staging staging_;
  DeviceArray<std::int32_t> scores_;
  DeviceArray<Candidate> listed_;
  DeviceArray<std::uint32_t> found_;
  PinnedArray<std::uint32_t> count_;
};

}  // namespace alnus::cuda
