#include "cpu/isa_choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alnus/error.h"
#include "core/nearest.h"
#include "cpu/cpu_device.h"

namespace alnus::cpu {

std::vector<const KernelSet*> supported_kernels() {
  std::vector<const KernelSet*> kernels;
#ifdef ALNUS_X86
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vbmi")) {
    kernels.push_back(&kernels_avx512);
  }
  if (__builtin_cpu_supports("avx2")) kernels.push_back(&kernels_avx2);
  if (__builtin_cpu_supports("sse4.1")) kernels.push_back(&kernels_sse41);
#endif
  kernels.push_back(&kernels_portable);
  return kernels;
}

std::vector<std::string> supported_isas() {
  std::vector<std::string> names;
  for (const KernelSet* kernels : supported_kernels()) names.emplace_back(kernels->isa);
  return names;
}

const KernelSet& choose_kernels(const std::string& isa) {
  const auto supported = supported_kernels();
  if (isa == "auto") return *supported.front();
  for (const KernelSet* kernels : supported) {
    if (isa == kernels->isa) return *kernels;
  }
  const std::vector<std::string> all{"auto", "avx512", "avx2", "sse41", "portable"};
  if (std::find(all.begin(), all.end(), isa) != all.end()) {
    throw Error(ErrorKind::device,
                fmt::format("This processor does not run the instruction set '{}'; it has: {}.", isa,
                            fmt::join(supported_isas(), ", ")));
  }
  throw Error(ErrorKind::input,
              fmt::format("Unknown instruction set '{}'; did you mean '{}'?", isa, nearest(isa, all)));
}

}  // namespace alnus::cpu
