// A GPU may fail, or have no memory left, at any moment: the CPU then does its work. Each fault is planned
// and met in a process of its own. "DeathTest" in the suite's name makes GoogleTest run these tests first,
// before other tests use the GPU in the parent process.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <sys/wait.h>
#include <vector>

#include "alnus/error.h"
#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "cuda/runtime.h"
#include "cuda/search_on.h"
#include "engine/registry.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

using Kind = std::uint64_t cuda::Faults::*;  // what fails: a call or an allocation

#ifdef ALNUS_CUDA_EMULATION  // the emulation is slow, but works after fork(), so more faults can be tried
constexpr int kQueries = 2, kSubjects = 12, kLongest = 150;
constexpr const char* kDeathTestStyle = "fast";
std::vector<std::uint64_t> fault_numbers(Kind kind) {
  // The numbers are a few more than the calls, or the allocations, that the search makes.
  std::vector<std::uint64_t> numbers(kind == &cuda::Faults::call ? 100 : 32);
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}
#else
constexpr int kQueries = 40, kSubjects = 2000, kLongest = 700;
constexpr const char* kDeathTestStyle = "threadsafe";
std::vector<std::uint64_t> fault_numbers(Kind) { return {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}; }
#endif

// The outcome of a search with a fault, which is the exit status of the search's process.
enum Outcome : int {
  kNoWarning = 10,  // the fault was overcome, or the search ended before it
  kFailed,          // one warning: the GPU failed in the search
  kLeftOut,         // one warning: the GPU could not load the sequences
  kNoDevice,        // the GPU failed before the search
  kWrongHits,
  kWrongWarnings
};

Outcome search_with_fault(const cuda::Faults& faults, const std::string& method) {
  cuda::plan_faults(faults);
  Random random(81);
  std::vector<Residues> queries, subjects;
  for (int k = 0; k < kQueries; ++k) queries.push_back(random_sequence(random, 50 + below(random, kLongest)));
  for (int k = 0; k < kSubjects; ++k)
    subjects.push_back(k % 8 ? random_sequence(random, below(random, kLongest))
                             : relative(random, queries[static_cast<std::size_t>(k) % kQueries], 5, 10));
  const SequenceSet query_set = make_set(queries), database = make_set(subjects);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  const auto cpu = cpu::make_cpu_device({});
  const Found expected = search_on({cpu.get()}, query_set, database, scoring, {});
  std::unique_ptr<Device> cuda;
  try {
    cuda = cuda::make_cuda_device({.method = method});
  } catch (const Error& error) {
    return error.kind() == ErrorKind::device || error.kind() == ErrorKind::memory ? kNoDevice
                                                                                  : kWrongWarnings;
  }
  const Found found = search_on({cuda.get(), cpu.get()}, query_set, database, scoring, {});
  for (const std::string& warning : found.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  const auto result = same_hits(expected, found);
  if (!result) std::fprintf(stderr, "%s\n", result.message());
  if (!result) return kWrongHits;
  if (found.warnings.empty()) return kNoWarning;
  if (found.warnings.size() > 1) return kWrongWarnings;
  const std::string& warning = found.warnings.front();
  if (warning.find("Device cuda:0 failed") != std::string::npos) return kFailed;
  return warning.find("Device cuda:0 is left out") != std::string::npos ? kLeftOut : kWrongWarnings;
}

class CudaFaultsDeathTest : public testing::Test {
 protected:
  CudaFaultsDeathTest() { GTEST_FLAG_SET(death_test_style, kDeathTestStyle); }

  // Searches once for each fault, and returns how often each outcome came. Each outcome must be in `allowed`.
  std::map<int, int> outcomes(Kind kind, const std::vector<int>& allowed,
                              const std::string& method = "auto") {
    std::map<int, int> seen;
    const auto is_allowed = [&](int status) {
      const int outcome = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      ++seen[outcome];
      return std::ranges::find(allowed, outcome) != allowed.end();
    };
    for (const std::uint64_t number : fault_numbers(kind)) {
      cuda::Faults faults;
      faults.*kind = number;
      EXPECT_EXIT(std::_Exit(search_with_fault(faults, method)), is_allowed, "")
          << "call " << faults.call << ", allocation " << faults.memory;
    }
    return seen;
  }
};

TEST_F(CudaFaultsDeathTest, ALostGpuIsReplacedWithOneWarning) {
  EXPECT_GT(outcomes(&cuda::Faults::call, {kNoWarning, kFailed, kLeftOut, kNoDevice})[kFailed], 0);
}

TEST_F(CudaFaultsDeathTest, LittleMemoryIsNoFailure) {
  EXPECT_GT(outcomes(&cuda::Faults::memory, {kNoWarning, kLeftOut, kNoDevice})[kNoWarning], 0);
}

TEST_F(CudaFaultsDeathTest, MethodsOfPapersLoseNothingEither) {
  const std::vector<int> allowed{kNoWarning, kFailed, kLeftOut, kNoDevice};
  EXPECT_GT(outcomes(&cuda::Faults::call, allowed, "sw-cuda")[kFailed], 0);
  EXPECT_GT(outcomes(&cuda::Faults::memory, allowed, "pairalign-bits")[kNoWarning], 0);
}

// The first call of CUDA fails, as it does for a GPU that another process has for itself.
TEST_F(CudaFaultsDeathTest, AutomaticDevicesDoWithoutAGpuThatFails) {
  const auto make_devices = [] {
    cuda::plan_faults({.call = 1});
    std::vector<std::string> warnings;
    const auto devices =
        engine::make_devices({}, [&](const std::string& warning) { warnings.push_back(warning); });
    const bool left_out =
        std::ranges::none_of(devices, [](const auto& device) { return device->info().name == "cuda:0"; });
    const bool cpu_is_active = devices.size() > 1 || !devices.at(0)->info().standby;
    std::_Exit(left_out && cpu_is_active && warnings.size() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(make_devices(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace alnus::test
