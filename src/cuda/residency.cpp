#include "cuda/residency.h"

#include <algorithm>

#include "cuda/cuda_sequences.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

CurrentDevice::CurrentDevice(int ordinal) noexcept {
  cudaGetDevice(&before_);
  cudaSetDevice(ordinal);
}

CurrentDevice::~CurrentDevice() { cudaSetDevice(before_); }

void Residency::use(const CudaSequences& set, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(residents_, &set, &Resident::set);
  if (found != residents_.end()) {
    counters_.resident_bytes -= found->bytes;
    residents_.erase(found);
  }
  while (!residents_.empty() && counters_.resident_bytes + bytes > bytes_) {
    give_back(residents_.front());
    residents_.erase(residents_.begin());
  }
  residents_.push_back({&set, bytes});
  counters_.resident_bytes += bytes;
}

void Residency::count_upload(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  ++counters_.uploads;
  counters_.uploaded_bytes += bytes;
}

void Residency::drop(const CudaSequences& set) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(residents_, &set, &Resident::set);
  if (found == residents_.end()) return;
  give_back(*found);
  residents_.erase(found);
}

std::uint64_t Residency::bytes_of(const CudaSequences& set) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(residents_, &set, &Resident::set);
  return found == residents_.end() ? 0 : found->bytes;
}

DeviceCounters Residency::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

void Residency::give_back(const Resident& resident) {
  const CurrentDevice current(ordinal_);
  resident.set->free_buffers();
  counters_.resident_bytes -= resident.bytes;
}

}  // namespace alnus::cuda
