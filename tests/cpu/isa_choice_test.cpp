// Which instruction set a device uses: the one that is forced, the newest, or the fastest by the probe.
#include "cpu/isa_choice.h"

#include <array>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "cpu/cpu_device.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

using cpu::KernelSet;

constexpr double kMuchWork = 10;  // seconds

// A set of kernels that counts its runs, and whose runs can be delayed.
struct Watched {
  const KernelSet* original = nullptr;
  KernelSet kernels;
  std::atomic<int> local8_runs{0}, interseq_runs{0}, striped_runs{0};
  std::atomic<std::chrono::microseconds> local8_delay{}, interseq_delay{};
};
std::array<Watched, 4> watched;  // global, because kernels are plain functions

template <std::size_t kNumber>
void watch(const KernelSet& original) {
  Watched& set = watched[kNumber];
  set.original = &original;
  set.kernels = original;
  set.kernels.plain_local8 = {};
  set.local8_runs = set.interseq_runs = set.striped_runs = 0;
  set.local8_delay = set.interseq_delay = std::chrono::microseconds(0);
  set.kernels.local8.run = [](const cpu::Local8Job& job) {
    ++watched[kNumber].local8_runs;
    std::this_thread::sleep_for(watched[kNumber].local8_delay.load());
    watched[kNumber].original->local8.run(job);
  };
  set.kernels.wide16.interseq = [](const cpu::InterseqJob& job) {
    ++watched[kNumber].interseq_runs;
    std::this_thread::sleep_for(watched[kNumber].interseq_delay.load());
    watched[kNumber].original->wide16.interseq(job);
  };
  set.kernels.wide16.striped = [](cpu::StripedJob& job) {
    ++watched[kNumber].striped_runs;
    watched[kNumber].original->wide16.striped(job);
  };
}

class IsaChoice : public testing::Test {
 protected:
  void SetUp() override {
    const auto sets = cpu::supported_kernels();
    watch<0>(*sets[0]);
    watch<1>(*sets[1 % sets.size()]);
    watch<2>(*sets[2 % sets.size()]);
    watch<3>(*sets[3 % sets.size()]);
    for (std::size_t k = 0; k < sets.size(); ++k) supported.push_back(&watched[k].kernels);
  }
  // Makes two sets of kernels that differ only in their names and delays.
  void use_two_equal_sets() {
    const KernelSet& set = *cpu::supported_kernels().back();
    watch<0>(set);
    watch<1>(set);
    watched[0].kernels.isa = "new";
    watched[1].kernels.isa = "old";
    supported = {&watched[0].kernels, &watched[1].kernels};
  }
  static void forget_runs() {
    for (Watched& set : watched) set.local8_runs = set.interseq_runs = set.striped_runs = 0;
  }
  std::vector<const KernelSet*> supported;
};

// The results of a small workload in each main mode and detail.
std::vector<std::map<Pair, Alignment>> results_of(Device& device) {
  Random random(5);
  Workload work;
  for (int k = 0; k < 5; ++k) work.queries.push_back(random_sequence(random, 30 + below(random, 90)));
  for (int k = 0; k < 150; ++k) work.subjects.push_back(relative(random, work.queries[k % 5], 7, 9));
  const LoadedWorkload loaded(device, work);
  std::vector<std::map<Pair, Alignment>> found;
  for (const ModeAndEnds& mode : main_modes()) {
    for (const Detail detail : work.details) {
      Collect sink;
      device.run(loaded.tile(), {scoring_of(mode, {11, 1}), detail}, sink);
      found.push_back(sink.found);
    }
  }
  return found;
}

TEST_F(IsaChoice, AForcedSetRunsAlone) {
  std::vector<std::map<Pair, Alignment>> expected;
  for (std::size_t forced = 0; forced < supported.size(); ++forced) {
    forget_runs();
    const auto device = cpu::make_cpu_device({.isa = supported[forced]->isa}, supported);
    device->prepare(kMuchWork);
    const auto found = results_of(*device);
    if (forced == 0) expected = found;
    EXPECT_EQ(found, expected) << supported[forced]->isa;
    device->align_pair(encode("ACDEF"), encode("ACDF"), make_scoring({}), Detail::score, StopFlag::never());
    for (std::size_t k = 0; k < supported.size(); ++k) {
      EXPECT_EQ(watched[k].local8_runs > 0, k == forced) << supported[k]->isa;
      EXPECT_EQ(watched[k].striped_runs > 0, k == forced) << supported[k]->isa;
    }
  }
}

TEST_F(IsaChoice, LittleWorkIsDoneByTheNewestSetWithoutAProbe) {
  const auto device = cpu::make_cpu_device({}, supported);
  device->prepare(0.001);
  results_of(*device);
  EXPECT_GT(watched[0].local8_runs, 0);
  for (std::size_t k = 1; k < supported.size(); ++k) {
    EXPECT_EQ(watched[k].local8_runs, 0);
    EXPECT_EQ(watched[k].striped_runs, 0);
  }
}

TEST_F(IsaChoice, TheProbePicksTheFasterSetForEachFamilyOfKernels) {
  for (const std::size_t fast8 : {0, 1}) {
    for (const std::size_t fast16 : {0, 1}) {
      use_two_equal_sets();
      watched[1 - fast8].local8_delay = watched[1 - fast16].interseq_delay = std::chrono::milliseconds(20);
      const auto device = cpu::make_cpu_device({.method = "interseq"}, supported);
      device->prepare(kMuchWork);
      for (Watched& set : watched) set.local8_delay = set.interseq_delay = std::chrono::microseconds(0);
      EXPECT_GT(watched[0].local8_runs, 1);
      EXPECT_GT(watched[1].local8_runs, 1);
      forget_runs();
      results_of(*device);
      for (const std::size_t k : {0, 1}) {
        EXPECT_EQ(watched[k].local8_runs > 0, k == fast8);
        EXPECT_EQ(watched[k].interseq_runs > 0, k == fast16);
      }
    }
  }
}

// The faster one of the two forms of the 8-bit kernel is taken, also within a single instruction set.
TEST_F(IsaChoice, TheFasterFormOfThe8BitKernelIsTaken) {
  use_two_equal_sets();
  watched[0].kernels.plain_local8 = watched[1].kernels.local8;
  for (const bool plain_is_faster : {false, true}) {
    watched[plain_is_faster ? 0 : 1].local8_delay = std::chrono::milliseconds(20);
    watched[plain_is_faster ? 1 : 0].local8_delay = std::chrono::microseconds(0);
    const auto device = cpu::make_cpu_device({.isa = "auto"}, {&watched[0].kernels});
    device->prepare(kMuchWork);
    forget_runs();
    results_of(*device);
    EXPECT_EQ(watched[1].local8_runs > 0, plain_is_faster);
    EXPECT_EQ(watched[0].local8_runs > 0, !plain_is_faster);
  }
}

TEST_F(IsaChoice, ManySmallRunsAreWorthOneProbe) {
  use_two_equal_sets();
  const auto device = cpu::make_cpu_device({}, supported);
  const int runs_before = watched[1].local8_runs;
  for (int k = 0; k < 1000 && watched[1].local8_runs == runs_before; ++k) device->prepare(0.001);
  const int runs_of_probe = watched[1].local8_runs;
  EXPECT_GT(runs_of_probe, 0);
  device->prepare(kMuchWork);
  EXPECT_EQ(watched[1].local8_runs, runs_of_probe);
}

TEST_F(IsaChoice, TheProbeChangesNeitherResultsNorWhatPlansDependOn) {
  const auto sets = cpu::supported_kernels();
  watch<0>(*sets.front());
  watch<1>(*sets.back());
  const auto device = cpu::make_cpu_device({.threads = 2}, {&watched[0].kernels, &watched[1].kernels});
  const auto found = results_of(*device);
  const DeviceInfo info = device->info();
  watched[0].local8_delay = watched[0].interseq_delay = std::chrono::milliseconds(20);
  device->prepare(kMuchWork);
  forget_runs();
  EXPECT_EQ(results_of(*device), found);
  EXPECT_GT(watched[1].local8_runs, 0);
  EXPECT_EQ(watched[0].local8_runs, 0);
  EXPECT_EQ(device->info().gcups, info.gcups);
  EXPECT_EQ(device->info().description, info.description);
}

}  // namespace
}  // namespace alnus::test
