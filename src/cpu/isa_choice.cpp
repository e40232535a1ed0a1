#include "cpu/isa_choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "cpu/cpu_device.h"
#include "cpu/probe.h"

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

std::vector<const KernelSet*> candidate_kernels(const std::string& isa,
                                                std::vector<const KernelSet*> supported) {
  if (isa == "auto") {
    // SSE4.1, the third after AVX-512 and AVX2, has a quarter of the width of AVX-512 and is never the
    // fastest.
    constexpr std::size_t kMostCandidates = 2;
    supported.resize(std::min(supported.size(), kMostCandidates));
    return supported;
  }
  for (const KernelSet* kernels : supported) {
    if (isa == kernels->isa) return {kernels};
  }
  const std::vector<std::string> all{"auto", "avx512", "avx2", "sse41", "portable"};
  if (std::find(all.begin(), all.end(), isa) != all.end()) {
    throw Error(ErrorKind::device,
                fmt::format("This processor does not run the instruction set '{}'; it has: {}.", isa,
                            fmt::join(supported_isas(), ", ")));
  }
  throw Error(ErrorKind::input,
              fmt::format("Unknown instruction set {}; {}", in_quotes(isa), suggestion(isa, all)));
}

KernelChoice::KernelChoice(std::vector<const KernelSet*> candidates)
    : candidates_(std::move(candidates)), current_(candidates_.front()) {}

void KernelChoice::announce(double seconds) {
  // A probe is made once this many seconds of work have been announced. A probe of two instruction sets takes
  // about 3 ms, and has been seen to save a tenth of the time of the work.
  constexpr double kRepaysProbe = 0.2;
  if (candidates_.size() == 1 && candidates_.front()->plain_local8.lanes == 0) return;
  const std::lock_guard lock(mutex_);
  announced_ += seconds;
  if (probed_ || announced_ < kRepaysProbe) return;
  fastest_ = fastest_kernels(candidates_);
  probed_ = true;
  current_.store(&fastest_, std::memory_order_release);
}

}  // namespace alnus::cpu
