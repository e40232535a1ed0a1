#include "core/once.h"

#include <chrono>
#include <gmock/gmock.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace alnus {
namespace {

TEST(Once, TheFirstCallWorks) {
  Once once;
  int count = 0;
  for (int call = 0; call < 3; ++call) once.run([&] { ++count; });
  EXPECT_EQ(count, 1);
}

TEST(Once, AfterAnExceptionTheNextCallWorks) {
  Once once;
  int count = 0;
  const auto fail = [&] {
    ++count;
    throw std::runtime_error("no");
  };
  for (int call = 0; call < 2; ++call) EXPECT_THROW(once.run(fail), std::runtime_error);
  once.run([&] { ++count; });
  once.run(fail);
  EXPECT_EQ(count, 3);
}

TEST(Once, ThreadsWaitForTheFirst) {
  Once once;
  std::vector<int> seen(8);
  int value = 0;
  std::vector<std::jthread> threads;
  for (int& found : seen)
    threads.emplace_back([&] {
      once.run([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ++value;
      });
      found = value;
    });
  threads.clear();
  EXPECT_THAT(seen, testing::Each(1));
}

}  // namespace
}  // namespace alnus
