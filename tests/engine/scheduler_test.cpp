#include "engine/scheduler.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;
using test::random_sequences;

// Counts how often each pair comes.
class Counter : public Sink {
 public:
  void accept(const Tile&, std::span<const PairResult> results) override {
    const std::lock_guard lock(mutex_);
    for (const PairResult& result : results) repeated_ += !pairs_.insert({result.row, result.column}).second;
    if (fail) throw std::bad_alloc();
  }
  std::size_t pairs() const { return pairs_.size(); }
  std::size_t repeated() const { return repeated_; }
  bool fail = false;

 private:
  std::mutex mutex_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::size_t repeated_ = 0;
};

class SchedulerTest : public testing::Test {
 protected:
  void run(const FakeDevices& devices, const PairMatrix& matrix = {}) {
    Scheduler scheduler(devices.pointers, rows, columns, problem, progress);
    scheduler.run(matrix, problem, counter);
  }
  // Enough tiles that every device gets some.
  static FakeBehaviour behaviour() { return {.concurrency = 2, .bytes_per_pair = 1 << 25, .dawdle = true}; }
  void expect_all() {
    EXPECT_EQ(counter.pairs(), std::size_t{rows.size()} * columns.size());
    EXPECT_EQ(counter.repeated(), 0u);
  }

  SequenceSet rows = random_sequences(1, 10, 30), columns = random_sequences(2, 90, 30);
  Problem problem{make_scoring({}), Detail::score};
  Progress progress;
  std::mutex mutex;
  std::vector<std::string> warnings;
  Counter counter;

  void SetUp() override {
    progress.warn = [this](const std::string& warning) {
      const std::lock_guard lock(mutex);
      warnings.push_back(warning);
    };
  }
};

TEST_F(SchedulerTest, AllDevicesWork) {
  const FakeDevices devices({behaviour(), behaviour(), behaviour()});
  run(devices);
  expect_all();
  for (const auto& device : devices.owned) EXPECT_GT(device->runs(), 0);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(progress.pairs_done, 900u);
}

TEST_F(SchedulerTest, TriangleOfOneSet) {
  columns = rows;
  const std::vector<std::uint32_t> steps = triangle_steps(rows.size());
  run(FakeDevices({behaviour(), behaviour()}), {.shape = TileShape::staircase, .first_columns = steps});
  EXPECT_EQ(counter.pairs(), 45u);
  EXPECT_EQ(counter.repeated(), 0u);
}

TEST_F(SchedulerTest, ScoresOfWholeTilesAreResultsToASinkThatKnowsNoBetter) {
  FakeBehaviour scores = behaviour();
  scores.hands_over_scores = true;
  run(FakeDevices({scores, behaviour()}));
  expect_all();
}

// Holds the first tile back until a second one has come.
class PatientCounter : public Counter {
 public:
  void accept(const Tile& tile, std::span<const PairResult> results) override {
    constexpr std::chrono::seconds kLong{60};
    std::unique_lock lock(mutex_);
    ++tiles_;
    changed_.notify_all();
    EXPECT_TRUE(changed_.wait_for(lock, kLong, [this] { return tiles_ >= 2; }));
    lock.unlock();
    Counter::accept(tile, results);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int tiles_ = 0;
};

TEST_F(SchedulerTest, ADeviceThatOverlapsComputesBesideTheSink) {
  FakeBehaviour overlapping = behaviour();
  overlapping.concurrency = 1;
  overlapping.overlaps = true;
  const FakeDevices devices({overlapping});
  Scheduler scheduler(devices.pointers, rows, columns, problem, progress);
  PatientCounter patient;
  scheduler.run({}, problem, patient);
  EXPECT_EQ(patient.pairs(), 900u);
  EXPECT_FALSE(devices.owned[0]->was_crowded());
}

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

class ThreadCounter : public Counter {
 public:
  void accept(const Tile& tile, std::span<const PairResult> results) override {
    most = std::max(most, threads_of_this_process());
    Counter::accept(tile, results);
  }
  std::ptrdiff_t most = 0;
};

TEST_F(SchedulerTest, OneTileOfADeviceThatOverlapsTakesNoOtherThread) {
  const FakeDevices devices({{.tile_share = 1, .overlaps = true}});
  Scheduler scheduler(devices.pointers, rows, columns, problem, progress);
  const std::ptrdiff_t before = threads_of_this_process();
  ThreadCounter threads;
  scheduler.run({}, problem, threads);
  EXPECT_EQ(devices.owned[0]->runs(), 1);
  EXPECT_EQ(threads.pairs(), 900u);
  EXPECT_LE(threads.most, before);  // others may just have ended
}

TEST_F(SchedulerTest, WorkOfAFailedDeviceIsDoneByTheOthersWithOneWarning) {
  FakeBehaviour broken = behaviour();
  broken.fail_from = 1;
  run(FakeDevices({broken, behaviour()}));
  expect_all();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("fake:0 is broken"), std::string::npos) << warnings[0];
}

TEST_F(SchedulerTest, AFailedDeviceStaysRetired) {
  FakeBehaviour broken = behaviour();
  broken.fail_from = 0;
  const FakeDevices devices({broken, behaviour()});
  Scheduler scheduler(devices.pointers, rows, columns, problem, progress);
  scheduler.run({}, problem, counter);
  const int runs = devices.owned[0]->runs();
  Counter again;
  scheduler.run({}, problem, again);
  EXPECT_EQ(devices.owned[0]->runs(), runs);
  EXPECT_EQ(again.pairs(), 900u);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST_F(SchedulerTest, WhenNoDeviceIsLeftItsErrorIsThrown) {
  FakeBehaviour broken = behaviour();
  broken.fail_from = 2;
  try {
    run(FakeDevices({broken, broken}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(counter.repeated(), 0u);
}

TEST_F(SchedulerTest, ADeviceThatStandsByHasNothingToDo) {
  FakeBehaviour standing_by = behaviour();
  standing_by.standby = true;
  standing_by.fail_load = true;  // nor to load
  const FakeDevices devices({standing_by, behaviour()});
  run(devices);
  expect_all();
  EXPECT_EQ(devices.owned[0]->runs(), 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(SchedulerTest, ADeviceThatStandsByDoesTheWorkOfThoseThatFail) {
  FakeBehaviour broken = behaviour(), standing_by = behaviour();
  broken.fail_from = 1;
  standing_by.standby = true;
  standing_by.concurrency = 3;
  standing_by.gcups = 0.01;
  const FakeDevices devices({broken, standing_by});
  Scheduler scheduler(devices.pointers, rows, columns, problem, progress);
  scheduler.run({}, problem, counter);
  expect_all();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("fake:0 is broken"), std::string::npos) << warnings[0];
  Counter again;
  scheduler.run({}, problem, again);
  EXPECT_EQ(again.pairs(), 900u);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST_F(SchedulerTest, ADeviceThatStandsByDoesPairsThatAreTooLargeForTheOthers) {
  FakeBehaviour small = behaviour(), standing_by = behaviour();
  small.most_cells_of_pair = 100;
  standing_by.standby = true;
  const FakeDevices devices({small, standing_by});
  run(devices);
  expect_all();
  EXPECT_GT(devices.owned[1]->runs(), 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(SchedulerTest, ADeviceThatStandsByIsLoadedWhenNoOtherCanBe) {
  FakeBehaviour broken = behaviour(), standing_by = behaviour();
  broken.fail_load = true;
  standing_by.standby = true;
  run(FakeDevices({broken, standing_by}));
  expect_all();
  EXPECT_EQ(warnings.size(), 1u);
}

// The longest first (LPT): a device takes the longest tile that is left.
TEST_F(SchedulerTest, TilesAreTakenInOrderOfTheirWork) {
  columns = random_sequences(3, 3000, 30);
  const FakeBehaviour small_tiles{.longest_tile_seconds = 0.001};
  const FakeDevices devices({small_tiles});
  run(devices);
  expect_all();
  const std::vector<std::uint64_t>& cells = devices.owned[0]->cells();
  EXPECT_GT(cells.size(), 1u);
  EXPECT_TRUE(std::ranges::is_sorted(cells, std::greater<>()));
}

// Tiles are planned for equal slots; one of half the speed takes no more than it does while both do half of
// what is left: a sixth of all.
TEST_F(SchedulerTest, ASlowerDeviceCutsWhatItTakes) {
  columns = random_sequences(3, 3000, 30);
  FakeBehaviour fast{.gcups = 0.02, .real_gcups = 0.02, .tile_share = 0.99, .longest_tile_seconds = 1e6};
  FakeBehaviour slow = fast;
  slow.gcups = slow.real_gcups = 0.01;
  const FakeDevices devices({fast, slow});
  run(devices);
  expect_all();
  const std::uint64_t all = rows.total_residues() * columns.total_residues();
  EXPECT_GT(devices.owned[0]->most_cells(), all / 3);
  EXPECT_LE(devices.owned[1]->most_cells(), all / 6);
}

// All expect the same of themselves, so that all tiles are planned alike. One has a fifth of that speed, and
// the last that it takes is cut to what it was seen to do.
TEST_F(SchedulerTest, ADeviceThatIsSlowerThanItExpectsCutsWhatItTakes) {
  columns = random_sequences(3, 12000, 30);
  FakeBehaviour fast{.gcups = 0.1, .real_gcups = 0.1, .longest_tile_seconds = 0.003}, slow = fast;
  slow.real_gcups = 0.02;
  const FakeDevices devices({fast, slow});
  run(devices);
  expect_all();
  EXPECT_LT(devices.owned[1]->fewest_cells(), devices.owned[1]->most_cells() / 2);
}

TEST_F(SchedulerTest, OtherErrorsStopTheRun) {
  FakeBehaviour broken = behaviour();
  broken.fail_from = 0;
  broken.fail_kind = ErrorKind::input;
  const FakeDevices devices({broken});
  try {
    run(devices);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
  }
  EXPECT_LE(devices.owned[0]->runs(), 2);
}

TEST_F(SchedulerTest, TilesAreCutUntilTheyFit) {
  for (const std::uint64_t most : {1u, 7u, 100u}) {
    Counter counted;
    const FakeDevices devices({{.concurrency = 2, .most_pairs = most}});
    Scheduler scheduler(devices.pointers, rows, columns, problem, progress);
    scheduler.run({}, problem, counted);
    EXPECT_EQ(counted.pairs(), 900u);
    EXPECT_EQ(counted.repeated(), 0u);
    const std::vector<PairIndex> pairs{{0, 1}, {0, 5}, {2, 2}, {3, 0}, {3, 1}, {9, 80}, {9, 81}, {9, 89}};
    Counter of_list;
    scheduler.run({.shape = TileShape::list, .pairs = pairs}, problem, of_list);
    EXPECT_EQ(of_list.pairs(), pairs.size());
  }
}

TEST_F(SchedulerTest, APairTooLargeForOneDeviceGoesToAnother) {
  run(FakeDevices({{.concurrency = 2, .most_cells_of_pair = 300}, {.dawdle = true}}));
  expect_all();
  EXPECT_TRUE(warnings.empty());
}

TEST_F(SchedulerTest, APairTooLargeForAllIsAnError) {
  try {
    run(FakeDevices({{.concurrency = 2, .most_cells_of_pair = 300}, {.most_cells_of_pair = 200}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
  }
  EXPECT_EQ(counter.repeated(), 0u);
}

TEST_F(SchedulerTest, AFailingSinkStopsTheRunAndNothingIsRepeated) {
  counter.fail = true;
  EXPECT_THROW(run(FakeDevices({behaviour()})), std::bad_alloc);
  EXPECT_EQ(counter.repeated(), 0u);
}

TEST_F(SchedulerTest, StopsBetweenTiles) {
  std::atomic<int> ticks{0};
  progress.tick = [&] { progress.stop = ++ticks > 3; };
  EXPECT_THROW(run(FakeDevices({behaviour(), behaviour()})), Interrupted);
  EXPECT_LT(counter.pairs(), 900u);
}

TEST_F(SchedulerTest, WhatTickThrowsEndsTheRun) {
  progress.tick = [&] {
    if (progress.pairs_done > 0) throw std::runtime_error("tick");
  };
  EXPECT_THROW(run(FakeDevices({behaviour()})), std::runtime_error);
}

TEST_F(SchedulerTest, DevicesThatCannotLoadOrSolveAreLeftOut) {
  FakeBehaviour unable = behaviour(), unloadable = behaviour();
  unable.declines = "It is unable.";
  unloadable.fail_load = true;
  const FakeDevices devices({unable, unloadable, behaviour()});
  run(devices);
  expect_all();
  EXPECT_EQ(devices.owned[0]->runs(), 0);
  EXPECT_EQ(devices.owned[1]->runs(), 0);
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_THROW(run(FakeDevices({unable})), Error);
  EXPECT_THROW(run(FakeDevices({unloadable})), Error);
}

TEST_F(SchedulerTest, NoPairsNoRun) {
  columns = SequenceSet{};
  const FakeDevices devices({behaviour()});
  run(devices);
  EXPECT_EQ(devices.owned[0]->runs(), 0);
}

}  // namespace
}  // namespace alnus::engine
