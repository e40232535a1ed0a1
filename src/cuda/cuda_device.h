// NVIDIA GPUs as devices, one each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"

namespace alnus::cuda {

// Names that --method takes: auto; two-queries, two-subjects and these with a shape (16 bits,
// whole searches; version_names() in shapes.h); pairs (32 bits, a warp a pair); those of papers.
std::vector<std::string> methods();
std::vector<PaperMethod> paper_methods();
// Why there is no GPU to work with; empty when there is one.
std::string why_unavailable();
// Of the GPUs that CUDA_VISIBLE_DEVICES leaves.
std::vector<DeviceInfo> devices();
int device_count();

struct CudaOptions {
  int ordinal = 0;
  std::string method = "auto";
  std::uint64_t memory_bytes = UINT64_MAX;  // that may be used on the device
};

// Throws Error(input) for an unknown method, Error(device) for a device that is not there.
std::unique_ptr<Device> make_cuda_device(const CudaOptions& options);

}  // namespace alnus::cuda
