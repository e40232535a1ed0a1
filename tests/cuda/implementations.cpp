// The implementations of CUDA: every method on the first GPU, except the single shapes of the 16-bit kernel,
// which cuda_device_test.cpp tests.
#include "device/implementations.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/cuda_device.h"

namespace alnus::test {
namespace {

// GPUs get at least this budget, because none works with less. The tests' budgets may be lower, so that the
// CPU cuts its work.
constexpr std::uint64_t kLeastMemory = 64 << 20;

}  // namespace

Implementations implementations() {
  std::vector<std::string> methods{"auto", "two-queries", "two-subjects", "pairs"};
#ifndef ALNUS_CUDA_EMULATION  // slow in the emulation, where methods_test.cpp has to suffice
  for (const PaperMethod& method : cuda::paper_methods()) methods.emplace_back(method.name);
#endif
  Implementations all;
  for (const std::string& method : methods) {
    Implementation& added = all.emplace_back();
    added.name = "cuda:0 " + method;
    added.make = [method](std::uint64_t memory_bytes) {
      return cuda::make_cuda_device({0, method, std::max(memory_bytes, kLeastMemory)});
    };
    added.may_decline = method != "auto";
  }
  return all;
}

}  // namespace alnus::test
