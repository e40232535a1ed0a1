// The device memory that sequences take: one budget for all sets that a GPU holds.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "core/device.h"

namespace alnus::cuda {

class CudaSequences;

// Makes a GPU the current device of the thread. At the end of its life it makes the earlier device current
// again.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) noexcept;
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

// Knows which sets have device memory, and takes memory from some sets when others need it. Members may be
// called from any thread.
class Residency {
 public:
  // All sets together take at most `bytes` of device memory. Only a single set that needs more than that may
  // have more.
  Residency(int ordinal, std::uint64_t bytes) : ordinal_(ordinal), bytes_(bytes) {}

  int ordinal() const { return ordinal_; }        // of the GPU
  std::uint64_t bytes() const { return bytes_; }  // the budget

  // To be called before kernels work on the set, which is to have `bytes` of device memory. Other sets lose
  // their memory, those used longest ago first, until all sets together are within the budget. Only the run
  // that computes may call this, because then no kernel works on another set.
  void use(const CudaSequences& set, std::uint64_t bytes);
  // Counts the upload of a slab of `bytes`.
  void count_upload(std::uint64_t bytes);
  // Frees the set's device memory.
  void drop(const CudaSequences& set);
  // Bytes of device memory that the set has.
  std::uint64_t bytes_of(const CudaSequences& set) const;
  DeviceCounters counters() const;

 private:
  struct Resident {
    const CudaSequences* set;
    std::uint64_t bytes;
  };
  void give_back(const Resident& resident);

  const int ordinal_;
  const std::uint64_t bytes_;
  mutable std::mutex mutex_;
  std::vector<Resident> residents_;  // sets that have device memory, the last used one last
  DeviceCounters counters_;
};

}  // namespace alnus::cuda
