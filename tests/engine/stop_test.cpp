// Two things end a driver before its work is done: a stop that another thread requests at any instant, and an
// exception of `emit`.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "alnus/error.h"
#include "engine/registry.h"
#include "support/drivers.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::Driver;
using test::EngineCall;
using test::FakeDevices;

// The devices of a test: two fake devices, which compute with align_reference(), or the CPU.
class Devices {
 public:
  explicit Devices(bool cpu) : fake_({{.concurrency = 2}, {.computes_on_host = true}}) {
    if (!cpu) return;
    cpu_ = make_device("cpu", {.threads = 2});
    pointer_ = cpu_.get();
  }
  std::span<Device* const> all() const {
    return cpu_ ? std::span(&pointer_, 1) : std::span<Device* const>(fake_.pointers);
  }

 private:
  FakeDevices fake_;
  std::unique_ptr<Device> cpu_;
  Device* pointer_ = nullptr;
};

class DriverOnDevices : public testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  const Driver& driver = test::drivers()[std::get<0>(GetParam())];
  const Devices devices{std::get<1>(GetParam())};
};

std::string name_of(const testing::TestParamInfo<std::tuple<std::size_t, bool>>& info) {
  const auto [driver, cpu] = info.param;
  return test::drivers()[driver].name + (cpu ? "_on_the_cpu" : "_on_fake_devices");
}

std::vector<double> search_briefly(std::span<Device* const> devices) {
  EngineCall call(devices);
  return test::drivers().front().run(test::short_job(), call, [] {});
}

// The stop is requested at random instants within the first 20 milliseconds.
class Stop : public DriverOnDevices {};

TEST_P(Stop, EndsTheCallAndTheNextOneWorks) {
  constexpr unsigned kLongestMicroseconds = 20'000;
  constexpr int kTimes = 8;
  const test::Job& job = test::long_job();
  const std::vector<double> expected = search_briefly(FakeDevices().pointers);
  std::mt19937 random(static_cast<unsigned>(std::get<0>(GetParam())));
  for (int time = 0; time < kTimes; ++time) {
    EngineCall call(devices.all());
    const std::chrono::microseconds wait(time == 0 ? 0 : random() % kLongestMicroseconds);
    std::jthread other([&] {
      std::this_thread::sleep_for(wait);
      call.progress().stop.request();
    });
    EXPECT_THROW(driver.run(job, call, [] {}), Interrupted) << wait.count() << " microseconds";
    other.join();
    const std::uint64_t planned = call.progress().cells_total;
    EXPECT_TRUE(planned == 0 || call.progress().cells_done < planned);
    EXPECT_TRUE(call.retired().empty());
    EXPECT_TRUE(call.warnings().empty());
    EXPECT_EQ(search_briefly(devices.all()), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Drivers, Stop,
                         testing::Combine(testing::Range<std::size_t>(0, test::drivers().size()),
                                          testing::Bool()),
                         name_of);

class EmitThrows : public DriverOnDevices {};

TEST_P(EmitThrows, EndsTheCallAndTheNextOneWorks) {
  test::Job job = test::short_job();
  job.memory_bytes = 1;  // so each batch is as small as possible
  int all = 0;
  EngineCall whole(devices.all());
  const std::vector<double> expected = driver.run(job, whole, [&] { ++all; });
  ASSERT_GE(all, 6);
  for (const int last : {1, 3, all}) {
    EngineCall call(devices.all());
    int emitted = 0;
    const auto emit = [&] {
      if (++emitted == last) throw std::runtime_error("full disk");
    };
    EXPECT_THROW(driver.run(job, call, emit), std::runtime_error);
    EXPECT_EQ(emitted, last);
    EXPECT_TRUE(call.progress().stop.requested());
    if (last == 1) {
      EXPECT_LT(call.progress().pairs_done, whole.progress().pairs_done);
    }
    EngineCall again(devices.all());
    EXPECT_EQ(driver.run(job, again, [] {}), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Drivers, EmitThrows,
                         testing::Combine(testing::Range<std::size_t>(0, test::kEmittingDrivers),
                                          testing::Bool()),
                         name_of);

}  // namespace
}  // namespace alnus::engine
