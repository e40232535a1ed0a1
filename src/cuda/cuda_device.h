// A device for each NVIDIA GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"

namespace alnus::cuda {

// The names that --method takes: auto; two-queries and two-subjects, alone or with a shape as in
// two-queries-8x32 (versions of the 16-bit kernel, version_names() in shapes.h); pairs (32 bits, a warp for
// each pair); and those of paper_methods().
std::vector<std::string> methods();
std::vector<PaperMethod> paper_methods();  // of src/papers; empty if the program does not link it
// Why there is no GPU that can be used; empty if there is one.
std::string why_unavailable();
// The GPUs that CUDA_VISIBLE_DEVICES leaves, and their number; none if why_unavailable() gives a reason.
std::vector<DeviceInfo> devices();
int device_count();

struct CudaOptions {
  int ordinal = 0;
  std::string method = "auto";
  std::uint64_t memory_bytes = UINT64_MAX;  // most bytes of device memory that may be used
};

// Throws Error(input) for an unknown method, Error(device) for a GPU that is not there, and Error(memory) or
// Error(device) if a call of CUDA fails.
std::unique_ptr<Device> make_cuda_device(const CudaOptions& options);

}  // namespace alnus::cuda
