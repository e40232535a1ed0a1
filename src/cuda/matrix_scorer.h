// Scores pairs by substitution matrices of their own: the GPU's MatrixPairs (core/matrix_pairs.h).
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

// Up to kSlots threads score pairs at the same time, each on a stream of its own, so that the copies of one
// run beside the kernels of another; further threads wait. The scorer must outlive all that begin() returns.
class MatrixScorer {
 public:
  // `memory_bytes`: device memory of all slots together for the rows that the passes of a kernel hand to each
  // other.
  MatrixScorer(int ordinal, int multiprocessors, std::uint64_t memory_bytes)
      : ordinal_(ordinal), multiprocessors_(multiprocessors), memory_bytes_(memory_bytes / kSlots) {}

  // Copies the sequences to the device. Returns null if they and their frequencies are too large
  // (kMostMatrixPairsBytes, or the memory of a slot). Throws Error(memory) or Error(device) where the device
  // cannot, and Interrupted when the flag is requested.
  std::unique_ptr<MatrixPairs> begin(const MatrixPairsProblem& problem, const StopFlag& stop);

 private:
  class Pairs;
  // The buffers of one thread that scores pairs.
  struct Slot {
    Stopper stopper;
    // Has a higher priority than the kernels of tiles, which may run at the same time and would leave no
    // multiprocessor for these scores before their tile ends.
    Stream stream{Stream::Priority::higher};
    Staging staging;
    DeviceArray<std::int16_t> matrices;
    DeviceArray<std::uint8_t> fits;
    DeviceArray<std::int32_t> scores;
    PinnedArray<std::int32_t> host_scores;
    DeviceArray<std::byte> workspace;
    DeviceArray<std::uint32_t> counter;
  };
  static constexpr std::size_t kSlots = 3;
  // The sequences of a problem on the device.
  struct Brought {
    DeviceArray<std::uint8_t> codes;
    DeviceArray<Frequencies> query_frequencies, subject_frequencies;
    DeviceArray<PairAdjustment> adjustment;
  };

  // Calls use(slot) with a slot that no other thread has meanwhile and whose stopper looks at the flag.
  template <class Use>
  void with_slot(const StopFlag& stop, Use use);
  // Waits until a slot is free, and takes it. Returns null if the slot has not been made yet. Throws
  // Interrupted when the flag is requested.
  std::unique_ptr<Slot> take_slot(const StopFlag& stop);
  void give_back(std::unique_ptr<Slot> slot);
  // Returns the arrays of an earlier problem if some were kept, or else empty ones.
  std::unique_ptr<Brought> take_arrays();
  // Keeps the arrays for the next problem, unless others are kept: to free them would wait for all kernels
  // that run, those of tiles included.
  void keep(std::unique_ptr<Brought> arrays);

  const int ordinal_, multiprocessors_;
  const std::uint64_t memory_bytes_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::size_t in_use_ = 0;
  std::vector<std::unique_ptr<Slot>> free_;
  std::unique_ptr<Brought> kept_;
};

}  // namespace alnus::cuda
