// The memory that the calls of a session share: who gets how much of it, and in which order.
#include "session/memory_budget.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <utility>

#include "alnus/error.h"
#include "api/support/process.h"

namespace alnus::test {
namespace {

using session::MemoryBudget;
using Reservation = MemoryBudget::Reservation;

// Reserves memory that must be free: gives up after having waited.
Reservation reserve_now(MemoryBudget& budget, std::uint64_t bytes) {
  return budget.reserve(bytes, StopFlag::never(), [] { throw std::runtime_error("it waits"); });
}

TEST(MemoryBudget, GivesWhatIsFree) {
  for (const std::uint64_t bytes : {0U, 1U, 99U, 100U, 101U}) {
    SCOPED_TRACE(bytes);
    MemoryBudget budget(100);
    const std::uint64_t given = bytes > 100 ? 100 : bytes;
    {
      const Reservation reservation = reserve_now(budget, bytes);
      EXPECT_EQ(reservation.bytes(), given);
      EXPECT_EQ(budget.reserved(), given);
      const Reservation rest = reserve_now(budget, 100 - given);
      EXPECT_EQ(budget.reserved(), 100u);
      EXPECT_THROW(reserve_now(budget, 1), std::runtime_error);
      EXPECT_NO_THROW(reserve_now(budget, 0));
    }
    EXPECT_EQ(budget.reserved(), 0u);
    EXPECT_EQ(budget.peak(), 100u);
    EXPECT_EQ(budget.total(), 100u);
  }
}

TEST(MemoryBudget, IsGivenBackOnce) {
  MemoryBudget budget(100);
  Reservation first = reserve_now(budget, 30);
  {
    Reservation moved = std::move(first);
    EXPECT_EQ(moved.bytes(), 30u);
    Reservation other = reserve_now(budget, 20);
    other = std::move(moved);
    EXPECT_EQ(other.bytes(), 30u);
    EXPECT_LE(budget.reserved(), 50u);
  }
  EXPECT_EQ(budget.reserved(), 0u);
  EXPECT_EQ(budget.peak(), 50u);
}

// A large request is served before a small one that came later, although the small one would fit.
TEST(MemoryBudget, ServesInTheOrderOfArrival) {
  MemoryBudget budget(100);
  Reservation most = reserve_now(budget, 80), some = reserve_now(budget, 20);
  std::atomic<int> looks_of_large = 0, looks_of_small = 0;
  std::atomic<bool> large_served = false, small_served = false;
  const auto wait_for = [&](std::uint64_t bytes, std::atomic<int>& looks, std::atomic<bool>& served) {
    return std::jthread([&budget, &looks, &served, bytes] {
      const Reservation reservation = budget.reserve(bytes, StopFlag::never(), [&] { ++looks; });
      EXPECT_EQ(reservation.bytes(), bytes);
      served = true;
    });
  };
  const std::jthread large = wait_for(90, looks_of_large, large_served);
  EXPECT_TRUE(soon([&] { return looks_of_large > 0; }));
  const std::jthread small = wait_for(10, looks_of_small, small_served);
  EXPECT_TRUE(soon([&] { return looks_of_small > 0; }));
  { const Reservation given_back = std::move(some); }
  const int before = looks_of_small;
  EXPECT_TRUE(soon([&] { return looks_of_small > before + 2; }));
  EXPECT_FALSE(large_served || small_served);
  { const Reservation given_back = std::move(most); }
  EXPECT_TRUE(soon([&] { return large_served && small_served; }));
}

// A call that gives up its wait is no longer in the way of others.
TEST(MemoryBudget, ServesOthersAfterACallThatStopped) {
  MemoryBudget budget(100);
  const Reservation most = reserve_now(budget, 90);
  StopFlag stop;
  EXPECT_THROW(budget.reserve(20, stop, [&] { stop.request(); }), Interrupted);
  EXPECT_THROW(budget.reserve(20, StopFlag::never(), [] { throw std::runtime_error("no more"); }),
               std::runtime_error);
  EXPECT_EQ(reserve_now(budget, 10).bytes(), 10u);
  EXPECT_EQ(budget.reserved(), 90u);
}

}  // namespace
}  // namespace alnus::test
