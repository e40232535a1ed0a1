// The memory of the emulated GPU, and memory of the host that is pinned for it.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

namespace cuda_emulation {

inline constexpr std::size_t kDeviceMemory = std::size_t{4} << 30;

enum class Place { device, pinned };

cudaError_t allocate(void** address, std::size_t bytes, Place place);
void release(void* address, Place place);  // ends the process where there is no such allocation

// Whether all of it lies within one allocation.
bool is_allocated(const void* address, std::size_t bytes, Place place);
std::size_t device_bytes();  // that are allocated

}  // namespace cuda_emulation
