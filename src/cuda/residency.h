// The device memory that sequences take: one budget for all sets that a GPU holds.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "core/device.h"

namespace alnus::cuda {

class CudaSequences;

// Makes a GPU the thread's current one, and at its end the one that was current before.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) noexcept;
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

// Members may be called from any thread.
class Residency {
 public:
  // All sets together take `bytes` of device memory at most; a single set that cannot do with less may take
  // more.
  Residency(int ordinal, std::uint64_t bytes) : ordinal_(ordinal), bytes_(bytes) {}

  int ordinal() const { return ordinal_; }  // of the GPU
  std::uint64_t bytes() const { return bytes_; }

  // The set is about to be computed with, and to have `bytes` of device memory for that. Other sets lose
  // theirs, those first that were used longest ago, until all together are within the budget. Only the one
  // run that computes may call it: no kernel works on another set then.
  void use(const CudaSequences& set, std::uint64_t bytes);
  // Counts a slab that was brought to the device.
  void count_upload(std::uint64_t bytes);
  // Gives back the set's device memory.
  void drop(const CudaSequences& set);
  // Device memory of the set.
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
