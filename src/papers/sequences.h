// Sequences in device memory, laid out as methods need them.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "cuda/runtime.h"
#include "cuda/stopper.h"
#include "papers/method.h"

namespace alnus::cuda::papers {

// Sequences are uploaded at their first use. Their memory is freed when nobody holds them any more, at the
// next add() or sweep(). All members may be called from any thread that has the device as the current one.
class SequenceStore {
 public:
  void add(const std::shared_ptr<const DeviceSequences>& sequences, Layout layout);
  // Where sequences that were added lie in device memory, until nobody holds what was added; uploads them if
  // they are not there. Throws Error(memory) if there is no room for them, and what the stopper throws.
  Sequences of(const SortedSequences& sequences, Stopper& stopper);
  // Frees the memory of sequences that nobody holds any more.
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
  DeviceCounters uploaded_;  // without resident_bytes
};

}  // namespace alnus::cuda::papers
