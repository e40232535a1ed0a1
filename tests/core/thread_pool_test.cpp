// A pool keeps its threads, its permits limit how many threads compute, and exceptions of a task reach the
// thread that waits for the task.
#include "core/thread_pool.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "core/stack.h"

namespace alnus {
namespace {

using namespace std::chrono_literals;

TEST(ThreadPool, ATaskRunsOnAnotherThreadAndIsWaitedFor) {
  ThreadPool pool(1);
  std::thread::id ran_on;
  ThreadPool::Task task = pool.start([&] { ran_on = std::this_thread::get_id(); });
  EXPECT_TRUE(task.valid());
  task.wait();
  EXPECT_FALSE(task.valid());
  EXPECT_NE(ran_on, std::this_thread::get_id());
  EXPECT_NE(ran_on, std::thread::id());
}

TEST(ThreadPool, ThreadsAreKept) {
  ThreadPool pool(1);
  std::set<std::thread::id> ids;
  for (int i = 0; i < 50; ++i) pool.start([&] { ids.insert(std::this_thread::get_id()); }).wait();
  EXPECT_LE(ids.size(), 10u);  // on a busy machine a thread may not be idle again when the next task comes
}

TEST(ThreadPool, ThreadsHaveEnoughStackWhateverTheDefaultIs) {
  pthread_attr_t attributes, before;
  ASSERT_EQ(::pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(::pthread_attr_init(&attributes), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&attributes, 64 << 10), 0);  // as after ulimit -s 64
  ASSERT_EQ(::pthread_setattr_default_np(&attributes), 0);
  {
    ThreadPool pool(1);
    std::size_t left = 0;
    pool.start([&] {
          volatile char bytes[512 << 10];
          for (std::size_t k = 0; k < sizeof bytes; k += 4096) bytes[k] = 1;
          left = stack_left();
        })
        .wait();
    EXPECT_GE(left, 128u << 10);
  }
  ::pthread_setattr_default_np(&before);
  ::pthread_attr_destroy(&attributes);
}

TEST(ThreadPool, TasksThatWaitForEachOtherAllRun) {
  ThreadPool pool(1);
  std::atomic<int> arrived{0};
  std::vector<ThreadPool::Task> tasks;
  for (int i = 0; i < 20; ++i)
    tasks.push_back(pool.start([&] {
      ++arrived;
      while (arrived < 20) std::this_thread::yield();
    }));
  for (ThreadPool::Task& task : tasks) task.wait();
  EXPECT_EQ(arrived, 20);
}

TEST(ThreadPool, WhatATaskThrowsComesOutOfWait) {
  ThreadPool pool(2);
  ThreadPool::Task task = pool.start([] { throw std::runtime_error("lost"); });
  EXPECT_THROW(task.wait(), std::runtime_error);
  {
    const ThreadPool::Task dropped = pool.start([] { throw std::runtime_error("nobody waits"); });
  }
  pool.start([] {}).wait();
}

TEST(ThreadPool, NoMoreThreadsComputeThanThereArePermits) {
  constexpr int kPermits = 3;
  ThreadPool pool(kPermits);
  std::atomic<int> computing{0}, most{0};
  std::vector<ThreadPool::Task> tasks;
  for (int i = 0; i < 24; ++i)
    tasks.push_back(pool.start([&] {
      const ThreadPool::Permit permit(pool);
      const ThreadPool::Permit again(pool);  // a thread that holds a permit takes no second one
      const int now = ++computing;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(2ms);
      --computing;
    }));
  for (ThreadPool::Task& task : tasks) task.wait();
  EXPECT_LE(most, kPermits);
  EXPECT_GE(most, 1);
}

TEST(ThreadPool, WhoWaitsForAPermitCanBeStopped) {
  ThreadPool pool(1);
  const ThreadPool::Permit mine(pool);
  StopFlag stop;
  ThreadPool::Task task = pool.start([&] { const ThreadPool::Permit none(pool, stop); });
  std::this_thread::sleep_for(5ms);
  stop.request();
  EXPECT_THROW(task.wait(), Interrupted);
}

TEST(ThreadPool, APauseLetsOthersCompute) {
  ThreadPool pool(1);
  const ThreadPool::Permit mine(pool);
  const ThreadPool::Permit twice(pool);
  bool computed = false;
  {
    const ThreadPool::Pause pause(pool, StopFlag::never());
    pool.start([&] {
          const ThreadPool::Permit permit(pool);
          computed = true;
        })
        .wait();
  }
  EXPECT_TRUE(computed);
  StopFlag stopped;
  stopped.request();
  EXPECT_THROW(pool.start([&] { const ThreadPool::Permit none(pool, stopped); }).wait(), Interrupted)
      << "the pause has ended, and the permit is this thread's again";
}

TEST(ThreadPool, APauseOfStoppedWorkEndsAtOnce) {
  ThreadPool pool(1);
  StopFlag stop;
  std::atomic<bool> computing = false, paused_ended = false;
  ThreadPool::Task other;
  {
    const ThreadPool::Permit mine(pool);
    {
      const ThreadPool::Pause pause(pool, stop);
      other = pool.start([&] {
        const ThreadPool::Permit permit(pool);
        computing = true;
        while (!paused_ended) std::this_thread::sleep_for(1ms);
      });
      while (!computing) std::this_thread::sleep_for(1ms);
      stop.request();
    }
    paused_ended = true;  // the pause has ended, though the other thread has the only permit
  }
  other.wait();
  std::atomic<int> done = 0;
  pool.for_each(10, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
  const ThreadPool::Permit as_before(pool);
}

TEST(ThreadPool, ForEachDoesEveryPieceOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::vector<std::atomic<int>> done(1000);
    pool.for_each(done.size(), [&](std::size_t k) { ++done[k]; });
    for (const auto& count : done) ASSERT_EQ(count, 1);
    pool.for_each(0, [](std::size_t) { FAIL(); });
  }
}

TEST(ThreadPool, ForEachWithinForEachWaitsForNobody) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    std::vector<std::atomic<int>> done(20 * 30);
    const auto all = [&] {
      pool.for_each(20, [&](std::size_t outer) {
        pool.for_each(30, [&](std::size_t inner) { ++done[outer * 30 + inner]; });
      });
    };
    all();
    for (const auto& count : done) ASSERT_EQ(count, 1);
    // The same work from threads that already hold permits.
    std::vector<ThreadPool::Task> tasks;
    for (int i = 0; i < 6; ++i)
      tasks.push_back(pool.start([&] {
        const ThreadPool::Permit permit(pool);
        all();
      }));
    for (ThreadPool::Task& task : tasks) task.wait();
    for (const auto& count : done) ASSERT_EQ(count, 7);
  }
}

TEST(ThreadPool, ForEachThrowsTheFirstExceptionAndBeginsNoMore) {
  ThreadPool pool(4);
  std::atomic<int> begun{0};
  EXPECT_THROW(pool.for_each(100000,
                             [&](std::size_t) {
                               ++begun;
                               throw std::runtime_error("one is enough");
                             }),
               std::runtime_error);
  EXPECT_LE(begun, 5);
  pool.for_each(10, [](std::size_t) {});
}

TEST(ThreadPool, ForEachHelpersTakeFreePermitsOnly) {
  ThreadPool pool(2);
  const ThreadPool::Permit mine(pool);
  ThreadPool::Task busy;
  std::atomic<bool> holds{false}, end{false};
  busy = pool.start([&] {
    const ThreadPool::Permit other(pool);
    holds = true;
    while (!end) std::this_thread::yield();
  });
  while (!holds) std::this_thread::yield();
  std::mutex mutex;
  std::set<std::thread::id> ids;
  pool.for_each(100, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  end = true;
  busy.wait();
  EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

// Waits until the condition holds, but not for ever.
template <class Condition>
bool comes_true(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// A for_each() on a thread of its own. Its only helper stays in a body of the loop until let_helper_go() or
// end().
class OccupiedLoop {
 public:
  // `later`: the number of bodies that nobody has begun when the helper is free again.
  OccupiedLoop(ThreadPool& pool, std::size_t later) {
    task_ = pool.start([this, &pool, later] {
      const std::thread::id own = std::this_thread::get_id();
      pool.for_each(2 + later, [&](std::size_t k) {
        ++done_;
        if (k >= 2) return;
        const bool is_own = std::this_thread::get_id() == own;
        if (!is_own) has_helper_ = true;
        EXPECT_TRUE(comes_true([&] { return is_own ? own_ends_.load() : helper_ends_.load(); }));
      });
    });
    EXPECT_TRUE(comes_true([&] { return has_helper_.load(); }));
  }
  void let_helper_go() { helper_ends_ = true; }
  std::size_t end() {
    own_ends_ = helper_ends_ = true;
    task_.wait();
    return done_;
  }

 private:
  std::atomic<bool> has_helper_{false}, own_ends_{false}, helper_ends_{false};
  std::atomic<std::size_t> done_{0};
  ThreadPool::Task task_;
};

// The only helper is in the first loop when the second loop begins, and helps the second loop afterwards.
TEST(ThreadPool, ForEachHelpersGoOnToOtherLoops) {
  for (const std::size_t later : {0u, 100u}) {
    ThreadPool pool(1);
    OccupiedLoop first(pool, later);
    std::atomic<int> at_work{0};
    pool.for_each(2, [&](std::size_t) {
      first.let_helper_go();
      ++at_work;
      EXPECT_TRUE(comes_true([&] { return at_work == 2; }));
    });
    EXPECT_EQ(first.end(), 2 + later);
    const ThreadPool::Permit is_free_again(pool);
  }
}

// The helper of the first loop helps the second loop, which is long. When the third loop begins, it gets the
// helper.
TEST(ThreadPool, ALongLoopDoesNotKeepTheHelpersOfOthers) {
  ThreadPool pool(1);
  OccupiedLoop first(pool, 0);
  std::atomic<bool> second_has_helper{false}, third_done{false};
  ThreadPool::Task second = pool.start([&] {
    const std::thread::id own = std::this_thread::get_id();
    pool.for_each(100'000, [&](std::size_t) {
      if (third_done) return;
      first.let_helper_go();
      if (std::this_thread::get_id() == own) {
        EXPECT_TRUE(comes_true([&] { return third_done.load(); }));
      } else {
        second_has_helper = true;
        std::this_thread::sleep_for(1ms);
      }
    });
  });
  EXPECT_TRUE(comes_true([&] { return second_has_helper.load(); }));
  std::atomic<int> at_work{0};
  pool.for_each(2, [&](std::size_t) {
    ++at_work;
    EXPECT_TRUE(comes_true([&] { return at_work == 2; }));
  });
  third_done = true;
  second.wait();
  EXPECT_EQ(first.end(), 2u);
}

TEST(ThreadPool, AForEachHelperOfAnotherLoopThrows) {
  ThreadPool pool(1);
  OccupiedLoop first(pool, 0);
  const std::thread::id own = std::this_thread::get_id();
  std::atomic<bool> threw{false};
  EXPECT_THROW(pool.for_each(2,
                             [&](std::size_t) {
                               first.let_helper_go();
                               if (std::this_thread::get_id() != own && !threw.exchange(true))
                                 throw std::runtime_error("of the second loop");
                               EXPECT_TRUE(comes_true([&] { return threw.load(); }));
                             }),
               std::runtime_error);
  EXPECT_EQ(first.end(), 2u);
  const ThreadPool::Permit is_free_again(pool);
}

// A thread that waits for a permit gets the permit of the helper, although a loop has work for the helper.
TEST(ThreadPool, ForEachHelpersLeaveIfSomeoneWaitsForAPermit) {
  ThreadPool pool(1);
  OccupiedLoop first(pool, 0);
  std::atomic<bool> has_permit{false};
  ThreadPool::Task waits = pool.start([&] {
    const ThreadPool::Permit permit(pool);
    has_permit = true;
  });
  std::this_thread::sleep_for(50ms);  // so that the task waits for a permit
  const std::thread::id own = std::this_thread::get_id();
  std::atomic<int> by_others{0};
  pool.for_each(2, [&](std::size_t) {
    first.let_helper_go();
    if (std::this_thread::get_id() != own) ++by_others;
    EXPECT_TRUE(comes_true([&] { return has_permit.load(); }));
  });
  EXPECT_EQ(by_others, 0);
  waits.wait();
  EXPECT_EQ(first.end(), 2u);
}

TEST(ThreadPool, ThreadsBlockAllSignals) {
  ThreadPool pool(1);
  bool blocked = false;
  pool.start([&] {
        sigset_t now;
        ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
        blocked = ::sigismember(&now, SIGINT) == 1 && ::sigismember(&now, SIGTERM) == 1;
      })
      .wait();
  EXPECT_TRUE(blocked);
  sigset_t here;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &here);
  EXPECT_EQ(::sigismember(&here, SIGINT), 0);
}

}  // namespace
}  // namespace alnus
