// Batches that are made while others are used, what ends this, and the progress of nested extra work.
#include "engine/overlap.h"

#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "engine/progress.h"

namespace alnus::engine {
namespace {

class MakeAndUse : public testing::Test {
 protected:
  static constexpr int kNever = -1;

  // Makes and uses `count` batches, the numbers from 0. The batches with the given numbers fail.
  void run(int count, int make_fails = kNever, int use_fails = kNever) {
    make_and_use(
        call_, [&] { return made_ == count; },
        [&] {
          EXPECT_TRUE(made_ > 0 || std::this_thread::get_id() == here_) << "the first batch";
          if (made_ == make_fails) {
            failed_.test_and_set();
            failed_.notify_all();
            throw Error(ErrorKind::device, "made nothing");
          }
          return made_++;
        },
        [&](int batch) {
          EXPECT_EQ(std::this_thread::get_id(), here_);
          used_.push_back(batch);
          if (batch != use_fails) return;
          if (make_fails != kNever) {
            failed_.wait(false);
            throw Interrupted{};
          }
          throw std::runtime_error("used nothing");
        });
  }
  std::vector<int> first(int count) const {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }
  bool stopped() const { return call_.progress.stop.requested(); }

  ThreadPool threads_{2};
  CallState call_{{}, threads_};
  const std::thread::id here_ = std::this_thread::get_id();
  std::atomic<int> made_ = 0;
  std::atomic_flag failed_;
  std::vector<int> used_;
};

TEST_F(MakeAndUse, EveryBatchOnceInOrder) {
  for (const int count : {0, 1, 2, 3, 10}) {
    made_ = 0;
    used_.clear();
    run(count);
    EXPECT_EQ(made_, count);
    EXPECT_EQ(used_, first(count));
  }
  EXPECT_FALSE(stopped());
}

TEST_F(MakeAndUse, AFailedUseEndsItAndStopsTheCall) {
  EXPECT_THROW(run(5, kNever, 2), std::runtime_error);
  EXPECT_EQ(used_, first(3));
  EXPECT_LE(made_, 4) << "no more than the next batch";
  EXPECT_TRUE(stopped());
}

TEST_F(MakeAndUse, AFailedMakeEndsItAfterTheBatchesBefore) {
  for (const int failing : {0, 1, 3}) {
    made_ = 0;
    used_.clear();
    EXPECT_THROW(run(5, failing), Error);
    EXPECT_EQ(used_, first(failing));
  }
}

// The failure of `make` is the reason, and the interruption only what followed from it.
TEST_F(MakeAndUse, TheErrorOfMakeCountsIfUseIsInterrupted) {
  EXPECT_THROW(run(5, 3, 2), Error);
  EXPECT_EQ(used_, first(3));
  EXPECT_TRUE(stopped());
}

TEST_F(MakeAndUse, AnInterruptedUseEndsIt) {
  for (const int last : {0, 2}) {  // with and without a batch that is being made
    std::vector<int> used;
    int made = 0;
    EXPECT_THROW(make_and_use(
                     call_, [&] { return made == 3; }, [&] { return made++; },
                     [&](int batch) {
                       used.push_back(batch);
                       if (batch == last) throw Interrupted{};
                     }),
                 Interrupted);
    EXPECT_EQ(used, first(last + 1));
  }
}

TEST(ProgressOfCalls, ExtraWorkIsCountedApart) {
  Progress progress;
  const auto work = [&](std::uint64_t cells, std::uint64_t pairs) {
    progress.expect(2 * cells, 2 * pairs);
    progress.report(cells, pairs);
  };
  work(10, 1);
  {
    const PlannedProgress planned(progress);
    EXPECT_TRUE(progress.counting().planned);
    {
      const ExtraWork extra(progress);
      EXPECT_TRUE(progress.counting().extra);
      EXPECT_FALSE(progress.counting().planned) << "schedulers count extra work themselves";
      work(100, 2);
      {
        const ExtraWork again(progress);
        const PlannedProgress twice(progress);
        work(1000, 3);
      }
      EXPECT_TRUE(progress.counting().extra);
      EXPECT_FALSE(progress.counting().planned);
    }
    EXPECT_TRUE(progress.counting().planned);
    EXPECT_FALSE(progress.counting().extra);
    work(10'000, 4);
  }
  EXPECT_FALSE(progress.counting().planned);
  EXPECT_EQ(progress.cells_done, 10'010u);
  EXPECT_EQ(progress.cells_total, 20'020u);
  EXPECT_EQ(progress.pairs_done, 5u);
  EXPECT_EQ(progress.pairs_total, 10u);
  EXPECT_EQ(progress.extra_cells_done, 1100u);
  EXPECT_EQ(progress.extra_cells_total, 2200u);
}

}  // namespace
}  // namespace alnus::engine
