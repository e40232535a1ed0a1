#include "core/once.h"

#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
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

TEST(Once, AChildOfForkDoesNotWaitForItsParent) {
  Once once;
  std::atomic<bool> begun = false, forked = false;
  std::jthread worker([&] {
    once.run([&] {
      begun = true;
      while (!forked) std::this_thread::yield();
    });
  });
  while (!begun) std::this_thread::yield();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // a signal ends the child if it waits for ever
    bool ran = false;
    once.run([&] { ran = true; });
    ::_exit(ran ? 0 : 1);
  }
  forked = true;
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
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
