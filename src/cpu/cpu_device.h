// The CPU as a device: every core's vector units.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/device.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Names that --isa takes, best first, those that this machine runs: avx512, avx2, sse41, portable.
std::vector<std::string> supported_isas();
// Names that --method takes: auto; tiny (lanes are short subjects); interseq and differences (lanes are
// subjects); striped (lanes are segments of one query).
std::vector<std::string> methods();

struct CpuOptions {
  int threads = 1;
  std::string isa = "auto";  // the newest, or what a probe finds faster where there is much to do
  std::string method = "auto";
  std::uint64_t memory_bytes = 8ULL << 30;
  bool standby = false;  // DeviceInfo::standby
};

// Throws Error(input) for an unknown isa or method, Error(device) for one that this machine lacks.
std::unique_ptr<Device> make_cpu_device(const CpuOptions& options);
// The same with other kernels than those of this machine, best first.
std::unique_ptr<Device> make_cpu_device(const CpuOptions& options, std::vector<const KernelSet*> supported);

}  // namespace alnus::cpu
