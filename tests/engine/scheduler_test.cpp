#include "engine/scheduler.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "support/fake_device.h"
#include "support/positions.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;
using test::random_sequences;

// Counts the pairs that are handed over, and those that are handed over repeatedly.
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
  std::set<PositionPair> pairs_;
  std::size_t repeated_ = 0;
};

class SchedulerTest : public testing::Test {
 protected:
  void run(const FakeDevices& devices, const PairMatrix& matrix = {}) {
    Scheduler scheduler = scheduler_of(devices);
    scheduler.run(matrix, problem, counter);
  }
  Scheduler scheduler_of(const FakeDevices& devices) {
    call.devices = devices.pointers;
    return Scheduler(call, rows, columns, problem);
  }
  // Tiles of these devices have so few pairs that there are many tiles.
  static FakeBehaviour behaviour() { return {.concurrency = 2, .bytes_per_pair = 1 << 25, .dawdle = true}; }
  void expect_all() {
    EXPECT_EQ(counter.pairs(), std::size_t{rows->size()} * columns->size());
    EXPECT_EQ(counter.repeated(), 0u);
  }

  static std::shared_ptr<const SortedSequences> sorted(SequenceSet set) {
    return std::make_shared<const SortedSequences>(std::move(set));
  }

  std::shared_ptr<const SortedSequences> rows = sorted(random_sequences(1, 10, 30)),
                                         columns = sorted(random_sequences(2, 90, 30));
  Problem problem{make_scoring({}), Detail::score};
  ThreadPool threads{4};
  CallState call{{}, threads};
  Progress& progress = call.progress;
  std::mutex mutex;
  std::vector<std::string> warnings;
  std::vector<const Device*> retired;
  Counter counter;

  void SetUp() override {
    progress.warn = [this](const std::string& warning) {
      const std::lock_guard lock(mutex);
      warnings.push_back(warning);
    };
    call.retired = [this](const Device& device) {
      const std::lock_guard lock(mutex);
      retired.push_back(&device);
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

// One of three devices is twice as fast as the other two. A fourth device stands by.
TEST_F(SchedulerTest, DevicesAreToldHowLongTheyWillBeBusy) {
  const FakeDevices devices(
      {{.gcups = 0.001}, {.gcups = 0.001}, {.gcups = 0.002}, {.gcups = 0.001, .standby = true}});
  run(devices);
  expect_all();
  const double cells = 1.0 * rows->residues(rows->all()) * columns->residues(columns->all());
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(devices.owned[k]->announced_seconds(), cells / 0.004e9, 1e-9) << k;
  EXPECT_EQ(devices.owned[3]->announced_seconds(), 0);
}

TEST_F(SchedulerTest, TriangleOfOneSet) {
  columns = rows;
  const std::vector<Position> steps = triangle_steps(rows->size());
  run(FakeDevices({behaviour(), behaviour()}), {.shape = TileShape::staircase, .first_columns = steps});
  EXPECT_EQ(counter.pairs(), 45u);
  EXPECT_EQ(counter.repeated(), 0u);
}

TEST_F(SchedulerTest, DevicesLoadTheColumnsOnce) {
  const FakeDevices devices({behaviour(), behaviour()});
  run(devices);
  expect_all();
  for (const auto& device : devices.owned) EXPECT_EQ(device->loaded(), (std::vector{columns}));
}

TEST_F(SchedulerTest, ScoresOfWholeTilesAreResultsToASinkThatKnowsNoBetter) {
  FakeBehaviour scores = behaviour();
  scores.hands_over_scores = true;
  run(FakeDevices({scores, behaviour()}));
  expect_all();
}

// Holds the first tile back until a second one is handed over.
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
  Scheduler scheduler = scheduler_of(devices);
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
  Scheduler scheduler = scheduler_of(devices);
  const std::ptrdiff_t before = threads_of_this_process();
  ThreadCounter threads;
  scheduler.run({}, problem, threads);
  EXPECT_EQ(devices.owned[0]->runs(), 1);
  EXPECT_EQ(threads.pairs(), 900u);
  EXPECT_LE(threads.most, before);  // fewer if threads of an earlier test have ended meanwhile
}

TEST_F(SchedulerTest, WorkOfAFailedDeviceIsDoneByTheOthersWithOneWarning) {
  FakeBehaviour broken = behaviour(), sound = behaviour();
  broken.concurrency = 3;  // so several tiles fail at the same time
  broken.fail_from = 1;
  let_fail_first(broken, sound);
  const FakeDevices devices({broken, sound});
  run(devices);
  expect_all();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("fake:0 is broken"), std::string::npos) << warnings[0];
  EXPECT_EQ(retired, std::vector<const Device*>{devices.pointers[0]});
}

TEST_F(SchedulerTest, AFailedDeviceStaysRetired) {
  FakeBehaviour broken = behaviour(), sound = behaviour();
  broken.fail_from = 0;
  let_fail_first(broken, sound);
  const FakeDevices devices({broken, sound});
  Scheduler scheduler = scheduler_of(devices);
  scheduler.run({}, problem, counter);
  const int runs = devices.owned[0]->runs();
  Counter again;
  scheduler.run({}, problem, again);
  EXPECT_EQ(devices.owned[0]->runs(), runs);
  EXPECT_EQ(again.pairs(), 900u);
  EXPECT_EQ(warnings.size(), 1u);
}

// Other schedulers of the same call do not try the failed device again.
TEST_F(SchedulerTest, AFailedDeviceStaysRetiredForTheCall) {
  FakeBehaviour broken = behaviour(), unloadable = behaviour(), sound = behaviour();
  broken.fail_from = 0;
  unloadable.fail_load = true;
  let_fail_first(broken, sound);
  const FakeDevices devices({broken, unloadable, sound});
  run(devices);
  const int runs = devices.owned[0]->runs();
  for (int times = 0; times < 3; ++times) {
    Scheduler scheduler = scheduler_of(devices);
    Counter again;
    scheduler.run({}, problem, again);
    EXPECT_EQ(again.pairs(), 900u);
  }
  EXPECT_EQ(devices.owned[0]->runs(), runs);
  EXPECT_EQ(warnings.size(), 2u);
  EXPECT_EQ(retired, (std::vector<const Device*>{devices.pointers[1], devices.pointers[0]}));
}

TEST_F(SchedulerTest, WhenNoDeviceIsLeftItsErrorIsThrown) {
  FakeBehaviour broken = behaviour();
  broken.fail_from = 2;
  const FakeDevices devices({broken, broken});
  try {
    run(devices);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
  EXPECT_EQ(warnings.size(), 1u);
  std::ranges::sort(retired);
  std::vector<const Device*> both(devices.pointers.begin(), devices.pointers.end());
  std::ranges::sort(both);
  EXPECT_EQ(retired, both);
  EXPECT_THROW(scheduler_of(devices), Error);  // the call has no device left
  EXPECT_EQ(counter.repeated(), 0u);
}

TEST_F(SchedulerTest, ADeviceThatStandsByHasNothingToDo) {
  FakeBehaviour standing_by = behaviour();
  standing_by.standby = true;
  standing_by.fail_load = true;  // sequences are not loaded either
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
  Scheduler scheduler = scheduler_of(devices);
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

// A device takes the largest tile that is left (longest processing time first).
TEST_F(SchedulerTest, TilesAreTakenInOrderOfTheirWork) {
  columns = sorted(random_sequences(3, 3000, 30));
  const FakeBehaviour small_tiles{.longest_tile_seconds = 0.001};
  const FakeDevices devices({small_tiles});
  run(devices);
  expect_all();
  const std::vector<std::uint64_t>& cells = devices.owned[0]->cells();
  EXPECT_GT(cells.size(), 1u);
  EXPECT_TRUE(std::ranges::is_sorted(cells, std::greater<>()));
}

// Tiles are planned for slots of equal speed. A device of half the speed takes at most what it computes while
// both devices do half of the remaining work: a sixth of all work.
TEST_F(SchedulerTest, ASlowerDeviceCutsWhatItTakes) {
  columns = sorted(random_sequences(3, 3000, 30));
  FakeBehaviour fast{.gcups = 0.02, .real_gcups = 0.02, .tile_share = 0.99, .longest_tile_seconds = 1e6};
  FakeBehaviour slow = fast;
  slow.gcups = slow.real_gcups = 0.01;
  const FakeDevices devices({fast, slow});
  run(devices);
  expect_all();
  const std::uint64_t all = rows->residues(rows->all()) * columns->residues(columns->all());
  EXPECT_GT(devices.owned[0]->most_cells(), all / 3);
  EXPECT_LE(devices.owned[1]->most_cells(), all / 6);
}

// Both devices expect the same speed of themselves, so tiles are planned alike. One has a fifth of that
// speed. Its last tile is cut by the speed that was measured.
TEST_F(SchedulerTest, ADeviceThatIsSlowerThanItExpectsCutsWhatItTakes) {
  columns = sorted(random_sequences(3, 12000, 30));
  FakeBehaviour fast{.gcups = 0.1, .real_gcups = 0.1, .longest_tile_seconds = 0.003}, slow = fast;
  slow.real_gcups = 0.02;
  const FakeDevices devices({fast, slow});
  run(devices);
  expect_all();
  EXPECT_LT(devices.owned[1]->fewest_cells(), devices.owned[1]->most_cells() / 2);
}

TEST_F(SchedulerTest, AMuchSlowerProcessorLeavesEverythingToTheOthers) {
  const FakeDevices devices({{.gcups = 100}, {.gcups = 1, .computes_on_host = true}});
  run(devices);
  expect_all();
  EXPECT_EQ(devices.owned[1]->runs(), 0);
}

// The CPU computes on all of its slots, so the tiles that were planned for the fast device are cut.
TEST_F(SchedulerTest, AMuchSlowerProcessorDoesTheWorkOfOthersThatFail) {
  columns = sorted(random_sequences(3, 3000, 30));
  const FakeBehaviour fast{.gcups = 0.1, .tile_share = 0.99, .longest_tile_seconds = 1e6, .fail_from = 0},
      slow{.concurrency = 3, .gcups = 0.003, .computes_on_host = true};
  const FakeDevices devices({fast, slow});
  run(devices);
  expect_all();
  EXPECT_GT(devices.owned[1]->runs(), 4);
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
    Scheduler scheduler = scheduler_of(devices);
    scheduler.run({}, problem, counted);
    EXPECT_EQ(counted.pairs(), 900u);
    EXPECT_EQ(counted.repeated(), 0u);
    std::vector<PositionPair> pairs;
    for (const auto& [row, column] :
         {std::pair{0, 1}, {0, 5}, {2, 2}, {3, 0}, {3, 1}, {9, 80}, {9, 81}, {9, 89}})
      pairs.push_back(test::position_pair(row, column));
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

// Hands over what a fake device hands over, but as pairs.
class DeviceOfPairs : public test::FakeDevice {
 public:
  using FakeDevice::FakeDevice;
  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    struct AsPairs : Sink {
      explicit AsPairs(Sink& sink) : to(sink) {}
      void accept(const Tile& of, std::span<const PairResult> results) override {
        std::vector<ScoredPair> pairs;
        for (const PairResult& result : results) pairs.push_back({result.row, result.column, result.score});
        to.accept_pairs(of, pairs);
      }
      Sink& to;
    } as_pairs(sink);
    FakeDevice::run(tile, problem, as_pairs);
  }
};

// Has no memory for what it is handed, and counts how often it is.
class FullSink : public Sink {
 public:
  void accept(const Tile&, std::span<const PairResult>) override { refuse(); }
  void accept_pairs(const Tile&, std::span<const ScoredPair>) override { refuse(); }
  void accept_scores(const Tile&, const TileScores&) override { refuse(); }
  void accept_packed(const Tile&, const PackedResults&) override { refuse(); }
  int calls = 0;

 private:
  void refuse() {
    ++calls;
    throw Error(ErrorKind::memory, "full");
  }
};

// An error of a sink looks like one of the device, after which a smaller tile would be tried.
TEST_F(SchedulerTest, WhatASinkHasSeenIsNotComputedAgainWhateverItWas) {
  const auto expect_one_call = [&](Device& device, Detail detail) {
    std::array<Device*, 1> devices{&device};
    CallState one_device(devices, threads);
    problem.detail = detail;
    Scheduler scheduler(one_device, rows, columns, problem);
    FullSink sink;
    EXPECT_THROW(scheduler.run({}, problem, sink), Error);
    EXPECT_EQ(sink.calls, 1);
  };
  test::FakeDevice results("results", {});
  DeviceOfPairs pairs("pairs", {});
  test::FakeDevice scores("scores", {.hands_over_scores = true}), packed("packed", {.packs = true});
  expect_one_call(results, Detail::score);
  expect_one_call(pairs, Detail::score);
  expect_one_call(scores, Detail::score);
  expect_one_call(packed, Detail::alignment);
}

TEST_F(SchedulerTest, StopsBetweenTiles) {
  std::atomic<int> ticks{0};
  progress.tick = [&] {
    if (++ticks > 3) progress.stop.request();
  };
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
  EXPECT_EQ(retired, std::vector<const Device*>{devices.pointers[1]});
  const FakeDevices alone_unable({unable}), alone_unloadable({unloadable});
  EXPECT_THROW(run(alone_unable), Error);
  EXPECT_THROW(run(alone_unloadable), Error);
}

TEST_F(SchedulerTest, NoPairsNoRun) {
  columns = sorted({});
  const FakeDevices devices({behaviour()});
  run(devices);
  EXPECT_EQ(devices.owned[0]->runs(), 0);
}

// A device that takes tiles of any size and computes nothing.
class AnySizeDevice : public Device {
 public:
  explicit AnySizeDevice(std::uint32_t largest_top_k = 0) {
    info_.name = "any size";
    info_.gcups = 1;
    info_.longest_tile_seconds = 1e6;
    info_.memory_bytes = 1 << 20;
    info_.most_pairs = 1 << 30;
    info_.largest_top_k = largest_top_k;
  }
  const DeviceInfo& info() const override { return info_; }
  std::string declines(const Problem&) const override { return {}; }
  Estimate estimate(const Tile& tile, const Problem&) const override {
    return {0, static_cast<double>(tile.cells) * 1e-9};
  }
  void run(const Tile& tile, const Problem&, Sink& sink) override {
    pairs.push_back(count_pairs(tile));
    sink.accept(tile, {});
  }
  std::vector<std::uint64_t> pairs;  // how many each tile has, in turn

 private:
  DeviceInfo info_;
};

class TopTen : public Sink {
 public:
  void accept(const Tile&, std::span<const PairResult>) override {}
  std::uint32_t limit() const override { return 10; }
};

TEST_F(SchedulerTest, DevicesThatDoNotChooseGetTilesOfFewerPairs) {
  // A rest of fewer than kCrumb pairs joins a tile.
  constexpr std::uint64_t kMostResults = 1 << 20, kCrumb = kMostResults / 16;
  rows = sorted(random_sequences(1, 2000, 1));
  columns = sorted(random_sequences(2, 2000, 1));
  for (const std::uint32_t largest : {10U, 9U}) {
    AnySizeDevice device(largest);
    Device* const pointer = &device;
    call.devices = {&pointer, 1};
    TopTen sink;
    Scheduler(call, rows, columns, problem).run({}, problem, sink);
    if (largest >= sink.limit())
      EXPECT_EQ(device.pairs, std::vector<std::uint64_t>{4'000'000});
    else
      EXPECT_LE(std::ranges::max(device.pairs), kMostResults + kCrumb);
  }
}

TEST_F(SchedulerTest, AlignmentsWithCigarsComeInTilesOfFewerPairs) {
  rows = columns = sorted(random_sequences(1, 2000, 100));
  const double mean = static_cast<double>(rows->residues(rows->all())) / rows->size(),
               most_pairs = (1 << 29) / (sizeof(PairResult) + 2 * mean);
  for (const bool cigars : {false, true}) {
    AnySizeDevice device;
    Device* const pointer = &device;
    call.devices = {&pointer, 1};
    problem = {make_scoring({}), Detail::alignment, false, cigars};
    Counter sink;
    Scheduler(call, rows, columns, problem).run({}, problem, sink);
    if (cigars)
      // A tile may be larger by a rest of up to 1/16.
      EXPECT_LE(static_cast<double>(std::ranges::max(device.pairs)), most_pairs * 17 / 16);
    else
      EXPECT_EQ(device.pairs, std::vector<std::uint64_t>{4'000'000});
  }
}

class WithFloor : public Counter {
 public:
  std::int32_t floor(Position) const override { return 5; }
};

TEST_F(SchedulerTest, ScoresOfEveryPairComeInTilesOfFewerPairsThanThoseAboveAFloor) {
  constexpr std::uint64_t kMostScores = 1 << 22, kAll = 9'000'000;
  rows = sorted(random_sequences(1, 3000, 1));
  columns = sorted(random_sequences(2, 3000, 1));
  const auto tiles = [&](Sink& sink) {
    AnySizeDevice device;
    Device* const pointer = &device;
    call.devices = {&pointer, 1};
    Scheduler(call, rows, columns, problem).run({}, problem, sink);
    EXPECT_EQ(std::accumulate(device.pairs.begin(), device.pairs.end(), std::uint64_t{0}), kAll);
    return device.pairs;
  };
  Counter every;
  WithFloor above;
  EXPECT_LE(std::ranges::max(tiles(every)), kMostScores * 17 / 16);  // a rest joins a tile
  EXPECT_LE(tiles(every).size(), 6u);
  EXPECT_EQ(tiles(above), std::vector<std::uint64_t>{kAll});
}

}  // namespace
}  // namespace alnus::engine
