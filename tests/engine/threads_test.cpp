// The results of every driver depend neither on the pool's threads nor on other calls that share the pool.
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/registry.h"
#include "support/drivers.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::Driver;
using test::EngineCall;
using test::FakeDevices;

std::unique_ptr<Device> cpu(int threads) { return make_device("cpu", {.threads = threads}); }

std::vector<double> run(const Driver& driver, std::span<Device* const> devices, ThreadPool& pool) {
  EngineCall call(devices, pool);
  return driver.run(test::short_job(), call, [] {});
}

class DriverThreads : public testing::TestWithParam<std::size_t> {
 protected:
  const Driver& driver = test::drivers()[GetParam()];
};

TEST_P(DriverThreads, OneAndFourGiveTheSame) {
  ThreadPool one(1), four(4);
  const auto single = cpu(1), several = cpu(4);
  Device *const on_one = single.get(), *const on_four = several.get();
  const std::vector<double> expected = run(driver, {&on_one, 1}, one);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(run(driver, {&on_four, 1}, four), expected);
  EXPECT_EQ(run(driver, {&on_four, 1}, one), expected);  // more slots than threads in the pool
  EXPECT_EQ(run(driver, {&on_one, 1}, four), expected);
  if (driver.name == "calibrate") return;  // too slow on fake devices, which compute with align_reference()
  const FakeDevices fake({{.concurrency = 3, .bytes_per_pair = 1 << 24, .computes_on_host = true},
                          {.bytes_per_pair = 1 << 24, .overlaps = true, .hands_over_scores = true}});
  EXPECT_EQ(run(driver, fake.pointers, one), expected);
  EXPECT_EQ(run(driver, fake.pointers, four), expected);
}

TEST_P(DriverThreads, CallsMayShareAPoolAndTheCpu) {
  ThreadPool pool(2);
  const auto device = cpu(2);
  Device* const pointer = device.get();
  const std::vector<double> expected = run(driver, {&pointer, 1}, pool);
  std::vector<std::vector<double>> found(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<double>& of_thread : found)
      threads.emplace_back([&] { of_thread = run(driver, {&pointer, 1}, pool); });
  }
  for (const std::vector<double>& of_thread : found) EXPECT_EQ(of_thread, expected);
}

INSTANTIATE_TEST_SUITE_P(Drivers, DriverThreads, testing::Range<std::size_t>(0, test::drivers().size()),
                         [](const auto& info) { return test::drivers()[info.param].name; });

}  // namespace
}  // namespace alnus::engine
