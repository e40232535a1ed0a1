// The scores of a tile's longest subjects, which are computed beside those of the other subjects.
#pragma once

#include <cstdint>

#include "cuda/kernels/long_scores.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

class LongSubjects {
 public:
  // `memory_bytes`: device memory for the rows that the passes of the kernel hand to each other.
  LongSubjects(int multiprocessors, std::uint64_t memory_bytes)
      : multiprocessors_(multiprocessors), memory_bytes_(memory_bytes) {}

  // Returns `work` with fewer columns if its rows between passes need more than `memory_bytes`: the number is
  // halved, to whole quads, until they fit, or to 0.
  LongScores cut(LongScores work) const;
  // Allocates work.workspace. An allocation may wait for kernels that run.
  void reserve(LongScores& work);
  // Launches the kernel, if the work has columns. The kernel begins after the event.
  void launch(const LongScores& work, const Event& ready);
  // Makes the work that the stream gets from now on wait for the last launch.
  void hold(cudaStream_t stream) const { done_.hold(stream); }
  // Waits until nothing is left on the device.
  void settle() const { stream_.wait(); }

 private:
  const int multiprocessors_;
  const std::uint64_t memory_bytes_;
  // The kernel takes longest to end, so its thread blocks should begin before those of the other subjects.
  Stream stream_{Stream::Priority::higher};
  Event done_;
  DeviceArray<std::byte> workspace_;
};

}  // namespace alnus::cuda
