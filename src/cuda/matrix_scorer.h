// The GPU's MatrixPairs.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/matrix_pairs.h"
#include "cuda/kernels/matrix_scores.h"
#include "cuda/runtime.h"
#include "cuda/staging.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

// Several threads have pairs scored at the same time, each on a stream of its own: what one copies is beside
// the kernels of another. Its owner outlives all that begin() returns.
class MatrixScorer {
 public:
  // `memory_bytes`: for what the passes of a kernel hand to each other.
  MatrixScorer(int ordinal, int multiprocessors, std::uint64_t memory_bytes)
      : ordinal_(ordinal), multiprocessors_(multiprocessors), memory_bytes_(memory_bytes / kSlots) {}

  // Brings the sequences to the device; null where they are too many.
  std::unique_ptr<MatrixPairs> begin(const MatrixPairsProblem& problem, const StopFlag& stop);

 private:
  class Pairs;
  struct Slot {
    Stopper stopper;
    Stream stream;
    Staging staging;
    DeviceArray<std::int16_t> matrices;
    DeviceArray<std::uint8_t> fits;
    DeviceArray<std::int32_t> scores;
    PinnedArray<std::int32_t> host_scores;
    DeviceArray<std::byte> workspace;
    DeviceArray<std::uint32_t> counter;
  };
  static constexpr std::size_t kSlots = 3;

  // Calls use(slot) with a slot that nobody else has meanwhile, and whose stopper has the flag.
  template <class Use>
  void with_slot(const StopFlag& stop, Use use);
  std::unique_ptr<Slot> take_slot(const StopFlag& stop);
  void give_back(std::unique_ptr<Slot> slot);

  const int ordinal_, multiprocessors_;
  const std::uint64_t memory_bytes_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::size_t in_use_ = 0;
  std::vector<std::unique_ptr<Slot>> free_;
};

}  // namespace alnus::cuda
