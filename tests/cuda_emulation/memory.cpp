#include "memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "lanes.h"

namespace cuda_emulation {
namespace {

struct Allocation {
  std::size_t bytes;
  Place place;
};
std::map<std::uintptr_t, Allocation>& allocations = *new std::map<std::uintptr_t, Allocation>;
std::size_t device_bytes_taken = 0;

}  // namespace

// Allocates exactly `bytes` bytes, so that AddressSanitizer sees accesses beyond them.
cudaError_t allocate(void** address, std::size_t bytes, Place place) {
  *address = nullptr;
  if (bytes == 0) return cudaSuccess;
  constexpr std::size_t kAlignment = 256, kMostFilled = 1 << 20;
  if ((place == Place::device && bytes > kDeviceMemory - device_bytes_taken) ||
      posix_memalign(address, kAlignment, bytes) != 0)
    return cudaErrorMemoryAllocation;
  std::memset(*address, kFresh, std::min(bytes, kMostFilled));  // not all: that would take long
  allocations[reinterpret_cast<std::uintptr_t>(*address)] = {bytes, place};
  if (place == Place::device) device_bytes_taken += bytes;
  return cudaSuccess;
}

void release(void* address, Place place) {
  if (!address) return;
  const auto found = allocations.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == allocations.end() || found->second.place != place) fail("memory is freed that is not there");
  if (place == Place::device) device_bytes_taken -= found->second.bytes;
  allocations.erase(found);
  std::free(address);
}

bool is_allocated(const void* address, std::size_t bytes, Place place) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  auto after = allocations.upper_bound(number);
  if (after == allocations.begin()) return false;
  const auto& [begin, allocation] = *--after;
  return allocation.place == place && number - begin + bytes <= allocation.bytes;
}

std::size_t device_bytes() { return device_bytes_taken; }

}  // namespace cuda_emulation
