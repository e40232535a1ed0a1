#include "engine/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "alnus/error.h"

namespace alnus::engine {
namespace {

using testing::HasSubstr;

SessionOptions request(const std::string& devices) {
  SessionOptions result;
  result.devices = devices;
  return result;
}

// Returns the kind and the message of the error that make_devices throws.
std::pair<ErrorKind, std::string> refusal(const SessionOptions& request) {
  try {
    make_devices(request);
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {ErrorKind::other, "nothing was thrown"};
}

TEST(Registry, MakesTheCpu) {
  for (const std::string word : {"auto", "cpu"}) {
    SessionOptions asked = request(word);
    asked.threads = 3;
    asked.memory_bytes = 1 << 30;
    const auto devices = make_devices(asked);
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0]->info().kind, DeviceKind::cpu);
    EXPECT_EQ(devices[0]->info().name, "cpu");
    EXPECT_EQ(devices[0]->info().concurrency, 3);
    EXPECT_LE(devices[0]->info().memory_bytes, 1u << 30);
  }
  EXPECT_GE(make_devices({})[0]->info().concurrency, 1);
}

TEST(Registry, TheCpuTakesHalfOfTheMemoryUnlessToldOtherwise) {
  SessionOptions asked = request("cpu");
  asked.memory_bytes = 64 << 20;
  EXPECT_EQ(make_device("cpu", asked)->info().memory_bytes, 32u << 20);
  asked.device_memory_bytes = 5 << 20;
  EXPECT_EQ(make_device("cpu", asked)->info().memory_bytes, 5u << 20);
  asked.device_memory_bytes = UINT64_MAX;
  EXPECT_LT(make_device("cpu", asked)->info().memory_bytes, 1ULL << 50) << "no more than the machine has";
  EXPECT_GT(make_device("cpu", asked)->info().memory_bytes, 64u << 20);
}

// On standby the CPU does what is left by GPUs, whose methods it does not have.
TEST(Registry, OnStandbyTheMethodIsThatOfOthers) {
  SessionOptions asked;
  asked.method = "a GPU's";
  EXPECT_TRUE(make_device("cpu", asked, true)->info().standby);
  EXPECT_THROW(make_device("cpu", asked, false), Error);
  EXPECT_FALSE(make_device("cpu", {})->info().standby);
}

TEST(Registry, NamesSingleDevicesInOrder) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(device_names(request("cuda:3,1,cpu")), (Names{"cuda:3", "cuda:1", "cpu"}));
  EXPECT_EQ(device_names(request("cpu,cuda:0,cuda:12")), (Names{"cpu", "cuda:0", "cuda:12"}));
  EXPECT_EQ(device_names({}), Names{"auto"});
  SessionOptions asked;
  asked.isa = "portable";
  EXPECT_EQ(device_names(asked), Names{"cpu"});
  asked = {};
  asked.method = "striped";
  EXPECT_EQ(device_names(asked), Names{"cpu"});
  for (const char* name : {"cuda:99999999999", "cuda:4294967296"}) {
    const auto [kind, message] = refusal(request(name));
    EXPECT_EQ(kind, ErrorKind::device);
    EXPECT_THAT(message, HasSubstr(std::string("There is no device ") + name));
  }
}

TEST(Registry, SaysWhyThereIsNoGpu) {
  const std::vector<Backend> all = backends();
  const Backend& gpus = all.at(1);
  ASSERT_EQ(gpus.name, "cuda");
  EXPECT_EQ(gpus.available, gpus.unavailable_because.empty());
  if (gpus.available) GTEST_SKIP() << "There is a GPU here.";
  for (const std::string word : {"cuda", "cuda:0", "cuda:0,2", "cpu,cuda", "cpu,cuda:1"}) {
    const auto [kind, message] = refusal(request(word));
    EXPECT_EQ(kind, ErrorKind::device) << word;
    EXPECT_THAT(message, HasSubstr(gpus.unavailable_because));
  }
}

TEST(Registry, NamesTheNearestDevice) {
  const auto [kind, message] = refusal(request("cpi"));
  EXPECT_EQ(kind, ErrorKind::input);
  EXPECT_THAT(message, HasSubstr("did you mean cpu?"));
  EXPECT_THAT(refusal(request("cudda:0")).second, HasSubstr("did you mean cuda?"));
  for (const char* word : {"gpu", "gpu:0"})
    EXPECT_THAT(refusal(request(word)).second, HasSubstr("did you mean cuda?"));
}

TEST(Registry, NamesTheNearestMethodOfAnyBackend) {
  SessionOptions asked;
  asked.method = "strped";
  EXPECT_EQ(refusal(asked).first, ErrorKind::input);
  EXPECT_THAT(refusal(asked).second, HasSubstr("did you mean striped?"));
  asked.method = "quantum";
  EXPECT_THAT(refusal(asked).second, HasSubstr("choose one of auto, tiny"));
  EXPECT_THAT(refusal(asked).second, testing::Not(HasSubstr(", auto"))) << "which every backend has";
  const Backend gpus = backends().at(1);
  for (const PaperMethod& method : gpus.papers) {
    asked.method = std::string(method.name).substr(1);
    EXPECT_THAT(refusal(asked).second, HasSubstr("did you mean " + std::string(method.name) + "?"));
    // If a GPU's method was asked for and there is no GPU, the CPU does not replace it.
    asked.method = method.name;
    if (gpus.available) continue;
    EXPECT_EQ(refusal(asked).first, ErrorKind::device);
  }
}

TEST(Registry, RefusesWhatIsNoList) {
  for (const std::string word :
       {"", ",", "cpu,", "0", "cpu,0", "cuda:", "cuda:x", "auto,cpu", "cpu,cpu", "cuda:0,0"})
    EXPECT_EQ(refusal(request(word)).first, ErrorKind::input) << word;
  SessionOptions asked;
  asked.threads = -1;
  EXPECT_EQ(refusal(asked).first, ErrorKind::input);
  asked = {};
  asked.memory_bytes = 0;
  EXPECT_EQ(refusal(asked).first, ErrorKind::input);
  asked = {};
  asked.isa = "avx3";
  EXPECT_EQ(refusal(asked).first, ErrorKind::input);
  asked = {};
  asked.method = "interseqq";
  EXPECT_EQ(refusal(asked).first, ErrorKind::input);
}

TEST(Registry, DescribesTheBackends) {
  const std::vector<Backend> all = backends();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "cpu");
  EXPECT_TRUE(all[0].available);
  EXPECT_EQ(all[0].devices.size(), 1u);
  EXPECT_THAT(all[0].isas, testing::Contains("portable"));
  EXPECT_THAT(all[0].methods, testing::Contains("auto"));
  EXPECT_EQ(all[1].name, "cuda");
  EXPECT_FALSE(all[1].available);
  EXPECT_FALSE(all[1].unavailable_because.empty());
}

// A thread has a set of processors of its own, as each process of a job on a cluster may have.
TEST(Registry, ThreadsAreAsManyAsTheProcessorsThatTheThreadMayUse) {
  int threads = 0;
  std::thread([&] {
    cpu_set_t all, one;
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    int processor = 0;
    while (!CPU_ISSET(processor, &all)) ++processor;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    threads = engine::available_threads();
  }).join();
  EXPECT_EQ(threads, 1);
}

}  // namespace
}  // namespace alnus::engine
