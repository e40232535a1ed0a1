// A run whose stop is requested soon throws Interrupted, hands over nothing, and leaves a device that can be
// used again.
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "cpu/cpu_device.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

class StoppableCollect : public Collect {
 public:
  const StopFlag& stop_flag() const override { return flag; }
  StopFlag flag;
};

// A tile that takes much longer than the instants at which it is cancelled.
struct Case {
  std::string name;
  std::string method;
  ModeAndEnds mode;
  Detail detail;
  std::size_t queries, subjects, length;
};

const Case kCases[] = {
    {"local8 scores", "auto", {Mode::local}, Detail::score, 100, 2000, 500},
    {"local8 alignments", "auto", {Mode::local}, Detail::alignment, 60, 1000, 500},
    {"tiny", "tiny", {Mode::global}, Detail::score, 2000, 4000, 128},
    {"interseq", "interseq", {Mode::global}, Detail::ends, 60, 1000, 500},
    {"interseq traces", "interseq", {Mode::global}, Detail::alignment, 60, 1000, 500},
    {"differences", "differences", {Mode::global}, Detail::score, 100, 1000, 500},
    {"differences traces",
     "differences",
     {Mode::semiglobal, FreeEnds::all()},
     Detail::alignment,
     60,
     1000,
     500},
    {"a long pair, local", "auto", {Mode::local}, Detail::alignment, 1, 1, 40'000},
    {"a long pair, global", "striped", {Mode::global}, Detail::alignment, 1, 1, 40'000},
};

Workload workload_of(const Case& c) {
  Random random(7);
  const Residues ancestor = random_sequence(random, c.length);
  Workload work;
  for (std::size_t k = 0; k < c.queries; ++k) work.queries.push_back(relative(random, ancestor, 10, 20));
  for (std::size_t k = 0; k < c.subjects; ++k) work.subjects.push_back(relative(random, ancestor, 10, 20));
  return work;
}

class Cancellation : public testing::TestWithParam<std::string> {};

TEST_P(Cancellation, EndsTheRunSoonAndHandsOverNothing) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kGenerous{20};  // enough for sanitizers on a busy machine
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const Workload work = workload_of(c);
    const auto device = cpu::make_cpu_device({1, GetParam(), c.method, 1 << 30});
    const LoadedWorkload loaded(*device, work);
    for (const int milliseconds : {0, 1, 4, 15, 40}) {
      StoppableCollect sink;
      Clock::time_point requested;
      const auto cancel = [&] {
        requested = Clock::now();
        sink.flag.request();
      };
      std::jthread canceller;
      if (milliseconds == 0) {
        cancel();
      } else {
        canceller = std::jthread([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
          cancel();
        });
      }
      EXPECT_THROW(device->run(loaded.tile(), {scoring_of(c.mode, {11, 1}), c.detail}, sink), Interrupted)
          << milliseconds << " ms";
      const Clock::time_point back = Clock::now();
      if (canceller.joinable()) canceller.join();
      EXPECT_LT(back - requested, kGenerous) << milliseconds << " ms";
      EXPECT_EQ(sink.calls, 0) << milliseconds << " ms";
    }
    Random random(8);
    const Workload small{.queries = {random_sequence(random, 60), random_sequence(random, 90)},
                         .subjects = {random_sequence(random, 75), random_sequence(random, 50)}};
    check_slots(*device, small, {scoring_of(c.mode, {11, 1}), c.detail});
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, Cancellation, testing::ValuesIn(cpu::supported_isas()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace alnus::test
