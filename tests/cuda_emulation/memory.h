// The memory of the emulated GPU, and pinned memory of the host.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

namespace cuda_emulation {

inline constexpr std::size_t kDeviceMemory = std::size_t{4} << 30;

enum class Place { device, pinned };

cudaError_t allocate(void** address, std::size_t bytes, Place place);
void release(void* address, Place place);  // ends the process if there is no such allocation

// Returns whether all of these bytes lie within one allocation.
bool is_allocated(const void* address, std::size_t bytes, Place place);
std::size_t device_bytes();  // allocated on the GPU

}  // namespace cuda_emulation
