// The CPU as a device: it computes on the vector units of as many cores as it gets threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/device.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Returns the names for --isa that this machine runs, best first: of avx512, avx2, sse41, portable.
std::vector<std::string> supported_isas();
// Returns the names that --method takes: auto; tiny (lanes are short subjects); interseq and differences
// (lanes are subjects); striped (lanes are segments of one query); snapshots (local alignments from snapshots
// of the 8-bit kernel).
std::vector<std::string> methods();

struct CpuOptions {
  int threads = 1;
  std::string isa = "auto";  // auto: the newest, or the fastest by a probe if there is much work
  std::string method = "auto";
  std::uint64_t memory_bytes = 8ULL << 30;  // bytes that tiles may use
  bool standby = false;                     // DeviceInfo::standby
};

// Makes the CPU device of this machine. Throws Error(input) for an unknown isa or method, and Error(device)
// for an isa that this machine does not run.
std::unique_ptr<Device> make_cpu_device(const CpuOptions& options);
// Makes a CPU device that has the kernels `supported`, best first, instead of this machine's.
std::unique_ptr<Device> make_cpu_device(const CpuOptions& options, std::vector<const KernelSet*> supported);

}  // namespace alnus::cpu
