// Sequences in device memory, as methods want them laid out.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "cuda/methods/method.h"
#include "cuda/runtime.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

// Sequences are in device memory from their first use on, until nobody has them any more and something is
// added or sweep() is called. All members may be called from any thread, with the device as the current one.
class SequenceStore {
 public:
  void add(const std::shared_ptr<const DeviceSequences>& sequences, Layout layout);
  // Sequences that were added. Throws Error(memory) when there is no room for them, and what the stopper
  // throws.
  Sequences of(const DeviceSequences& sequences, Stopper& stopper);
  // Gives back the memory of sequences that nobody has any more.
  void sweep();
  DeviceCounters counters() const;

 private:
  struct Stored {
    std::weak_ptr<const DeviceSequences> sequences;
    Layout layout;
    DeviceArray<std::uint8_t> residues{};
    DeviceArray<std::uint64_t> places{};
    DeviceArray<std::uint32_t> lengths{};
    bool uploaded = false;

    std::uint64_t bytes() const { return residues.bytes() + places.bytes() + lengths.bytes(); }
  };
  static void upload(const SortedSequences& sorted, Stored& stored, Stopper& stopper);
  void sweep_locked();

  mutable std::mutex mutex_;
  std::list<Stored> stored_;
  DeviceCounters uploaded_;  // but for resident_bytes
};

}  // namespace alnus::cuda
