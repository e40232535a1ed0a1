// Scores of all pairs equal those of align_reference(). They are handed over as arrays, while the next tile
// is computed.
#include <algorithm>
#include <chrono>
#include <future>
#include <gtest/gtest.h>
#include <span>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "cuda/cuda_device.h"
#include "cuda/cuda_sequences.h"
#include "cuda/emulated.h"
#include "cuda/limits.h"
#include "support/device_check.h"
#include "support/positions.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

constexpr std::chrono::seconds kLong{60};

class CollectScores : public Collect {
 public:
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    scores_came = true;
    Sink::accept_scores(tile, scores);
  }
  bool scores_came = false;
};

void expect_scores(const Collect& sink, const Tile& tile, const Workload& work, const Scoring& scoring) {
  const std::vector<Pair> pairs = pairs_of(tile);
  EXPECT_EQ(sink.calls, 1);
  EXPECT_TRUE(sink.repeated.empty());
  ASSERT_EQ(sink.found.size(), pairs.size());
  for (const Pair& pair : pairs)
    ASSERT_EQ(sink.found.at(pair),
              align_reference(work.queries[pair.first], work.subjects[pair.second], scoring, Detail::score))
        << pair.first << ", " << pair.second;
}

// Random sequences of lengths from 0 to `longest`, and relatives of these.
std::vector<Residues> family(Random& random, std::size_t count, std::size_t longest) {
  constexpr std::size_t kFounders = 12;
  std::vector<Residues> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(k < kFounders ? random_sequence(random, longest * k / (kFounders - 1))
                                : relative(random, all[below(random, k)], 30, 8));
  return all;
}

// A sink that wants the pairs of each row that reach the row's floor, a lowest score. Floors differ from row
// to row.
class CollectAboveFloors : public CollectScores {
 public:
  explicit CollectAboveFloors(std::int32_t floor) : floor_(floor) {}
  std::int32_t floor(Position row) const override {
    return floor_ + static_cast<std::int32_t>(row.value() % 3);
  }

 private:
  std::int32_t floor_;
};

class AllScores : public testing::TestWithParam<ModeAndEnds> {
 protected:
  // Calls `check` with tiles of a staircase (the pairs of one set, each once). The set has short and long
  // relatives. The GPU gets much memory, and then so little that it holds the set in several slabs. There are
  // two scorings; with the first one some scores do not fit 16 bits.
  template <class Check>
  void for_each_staircase(const Check& check) {
    const SubstitutionMatrix high = matrix_of([](int q, int s) { return q == s ? 500 : -300; });
    for (unsigned seed = 1; seed <= 2; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      Random random(seed);
      const Scoring scoring =
          seed % 2 == 1 ? scoring_of(GetParam(), {300, 100}, high) : scoring_of(GetParam(), {11, 1});
      const Workload work = triangle_of(family(random, 50, 100));
      for (const std::uint64_t memory_bytes : {std::uint64_t{1} << 30, std::uint64_t{1} << 12}) {
        const auto device = cuda::make_cuda_device({.memory_bytes = memory_bytes});
        const LoadedWorkload loaded(*device, work);
        const auto& subjects = static_cast<const cuda::CudaSequences&>(loaded.device_columns());
        EXPECT_EQ(subjects.slab_count() > 1, memory_bytes < 1 << 20);
        Tile tile = loaded.tile();
        for (const auto& [rows, columns] : {std::pair{positions(0, 50), positions(0, 50)},
                                            {positions(10, 40), positions(20, 50)},
                                            {positions(10, 30), positions(29, 31)},
                                            {positions(30, 50), positions(0, 30)},
                                            {positions(7, 7), positions(0, 50)}}) {
          tile.row_range = rows;
          tile.column_range = columns;
          check(*device, tile, work, scoring);
        }
      }
    }
  }
};

TEST_P(AllScores, OfStaircasesInSeveralSlabsWithSomeBeyond16Bits) {
  std::int32_t highest = 0;
  for_each_staircase([&](Device& device, const Tile& tile, const Workload& work, const Scoring& scoring) {
    CollectScores sink;
    device.run(tile, {scoring, Detail::score}, sink);
    // In tiles that do not begin in row 0 too few pairs may fit 16 bits. Their scores then come in no array.
    EXPECT_TRUE(sink.scores_came || tile.row_range.begin > Position(0));
    expect_scores(sink, tile, work, scoring);
    for (const auto& [pair, alignment] : sink.found) highest = std::max(highest, alignment.score);
  });
  EXPECT_GT(highest, INT16_MAX);
}

TEST_P(AllScores, ThoseAboveFloorsAreListed) {
  std::size_t listed = 0, kept_back = 0;
  for_each_staircase([&](Device& device, const Tile& tile, const Workload&, const Scoring& scoring) {
    Collect all;
    device.run(tile, {scoring, Detail::score}, all);
    for (const std::int32_t floor : {-10, 35}) {
      CollectAboveFloors sink(floor);
      device.run(tile, {scoring, Detail::score}, sink);
      EXPECT_EQ(sink.calls, 1);
      EXPECT_TRUE(!sink.scores_came || tile.row_range.size() == 0);
      EXPECT_TRUE(sink.repeated.empty());
      listed += sink.found.size();
      kept_back += all.found.size() - sink.found.size();
      for (const auto& [pair, alignment] : sink.found) ASSERT_EQ(alignment, all.found.at(pair));
      for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
        for (Position column = tile.columns_of(row).begin; column < tile.columns_of(row).end; ++column) {
          const Pair pair(tile.rows->index(row), tile.columns->index(column));
          ASSERT_TRUE(sink.found.contains(pair) || all.found.at(pair).score < sink.floor(row));
        }
    }
  });
  EXPECT_GT(listed, 1000U);
  EXPECT_GT(kept_back, 1000U);
}

// Long queries take several passes. The rows that one pass hands to the next fill the memory, so that the
// long subjects are divided into two parts, with one or a few thread blocks each.
TEST_P(AllScores, OfLongSubjectsInLittleMemory) {
  for (const std::size_t queries : {1, 3}) {
    SCOPED_TRACE(testing::Message() << queries << " queries");
    Random random(static_cast<unsigned>(queries));
    Workload work;
    for (std::size_t k = 0; k < queries; ++k) work.queries.push_back(random_sequence(random, 1100 - 500 * k));
    for (const std::size_t longest : {300, 800, 1600})
      for (std::size_t k = 0; k < 6; ++k) work.subjects.push_back(random_sequence(random, longest - 20 * k));
    work.subjects.push_back(relative(random, work.queries[0], 30, 8));
    const Scoring scoring = scoring_of(GetParam(), {11, 1});
    const auto device = cuda::make_cuda_device({.memory_bytes = queries == 1 ? 1U << 18 : 1U << 21});
    const LoadedWorkload loaded(*device, work);
    CollectScores sink;
    device->run(loaded.tile(), {scoring, Detail::score}, sink);
    EXPECT_TRUE(sink.scores_came);
    expect_scores(sink, loaded.tile(), work, scoring);
  }
}

// Pairs of short sequences are scored by a kernel of their own, which has versions for queries of up to 8,
// 12, 16, 20, 24 and 32 rows.
class ShortPairs : public testing::TestWithParam<ModeAndEnds> {};

TEST_P(ShortPairs, HaveTheReferencesScores) {
  struct Case {
    std::uint32_t queries, longest_query, subjects, longest_subject;
    std::uint64_t memory_bytes;
  };
  constexpr std::uint64_t kOneSlab = 1 << 30, kSlabs = 1 << 12;
  for (const Case& of : {Case{150, 32, 70, 128, kOneSlab}, Case{33, 8, 40, 33, kOneSlab},
                         Case{70, 16, 300, 40, kSlabs}, Case{64, 20, 530, 12, kOneSlab}}) {
    SCOPED_TRACE(testing::Message() << of.queries << " queries of up to " << of.longest_query);
    Random random(of.queries);
    Workload work;
    for (std::uint32_t k = 0; k < of.queries; ++k)
      work.queries.push_back(random_sequence(random, below(random, of.longest_query + 1)));
    for (std::uint32_t k = 0; k < of.subjects; ++k)
      work.subjects.push_back(random_sequence(random, below(random, of.longest_subject + 1)));
    work.queries.push_back(random_sequence(random, of.longest_query));
    const auto device = cuda::make_cuda_device({.memory_bytes = of.memory_bytes});
    const LoadedWorkload loaded(*device, work);
    const std::vector<Gaps> all = {{11, 1}, {3, 2}, {0, 1}, {5, 0}};
    for (const Gaps gaps : takes_a_sample() ? std::vector(all.begin(), all.begin() + 2) : all) {
      const Scoring scoring = scoring_of(GetParam(), gaps);
      CollectScores sink;
      device->run(loaded.tile(), {scoring, Detail::score}, sink);
      EXPECT_TRUE(sink.scores_came);
      expect_scores(sink, loaded.tile(), work, scoring);
    }
    // Many of these scores do not fit 16 bits in mode local, and those of long pairs in the other modes.
    const Scoring high =
        scoring_of(GetParam(), {300, 100}, matrix_of([](int q, int s) { return q == s ? 3000 : -300; }));
    CollectScores sink;
    device->run(loaded.tile(), {high, Detail::score}, sink);
    expect_scores(sink, loaded.tile(), work, high);
  }
}

// In a staircase the kernel skips whole groups of subjects that come before the first column of their rows.
// This set is large enough for several groups.
TEST_P(ShortPairs, OfAStaircaseHaveTheReferencesScores) {
  Random random(3);
  std::vector<Residues> set;
  for (std::uint32_t k = 0; k < 1200; ++k) set.push_back(random_sequence(random, 5 + below(random, 16)));
  const Workload work = triangle_of(set);
  const Scoring scoring = scoring_of(GetParam(), {11, 1});
  const auto device = cuda::make_cuda_device({});
  const LoadedWorkload loaded(*device, work);
  for (const auto& rows : {positions(0, 70), positions(600, 740), positions(1100, 1200)}) {
    Tile tile = loaded.tile();
    tile.row_range = rows;
    CollectScores sink;
    device->run(tile, {scoring, Detail::score}, sink);
    expect_scores(sink, tile, work, scoring);
    CollectAboveFloors some(12);
    device->run(tile, {scoring, Detail::score}, some);
    std::size_t wanted = 0;
    for (Position row = rows.begin; row < rows.end; ++row)
      for (Position column = tile.columns_of(row).begin; column < tile.columns_of(row).end; ++column)
        wanted +=
            sink.found.at(Pair(tile.rows->index(row), tile.columns->index(column))).score >= some.floor(row);
    EXPECT_EQ(some.found.size(), wanted);
    for (const auto& [pair, alignment] : some.found) ASSERT_EQ(alignment, sink.found.at(pair));
  }
}

INSTANTIATE_TEST_SUITE_P(Cuda, ShortPairs, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

// The device throws Error(memory) for a tile in which too many pairs reach their floors. It can then compute
// a smaller tile, as the scheduler would give it.
TEST(CudaDevice, WhereTooManyReachTheirFloorsTheTileIsCut) {
  constexpr std::uint32_t kRows = 1 << 12, kColumns = cuda::kMostFound / kRows + 1;
  Random random(10);
  Workload work;
  for (std::uint32_t k = 0; k < kRows; ++k) work.queries.push_back(random_sequence(random, 3));
  for (std::uint32_t k = 0; k < kColumns; ++k) work.subjects.push_back(random_sequence(random, 3));
  const Problem problem{scoring_of({Mode::global}, {11, 1}), Detail::score};
  const auto device = cuda::make_cuda_device({});
  const LoadedWorkload loaded(*device, work);
  CollectAboveFloors none(INT32_MIN / 2);
  try {
    device->run(loaded.tile(), problem, none);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
  }
  EXPECT_EQ(none.calls, 0);
  Tile part = loaded.tile();
  part.row_range.end = Position(50);
  CollectAboveFloors sink(INT32_MIN / 2);
  device->run(part, problem, sink);
  expect_scores(sink, part, work, problem.scoring);
}

INSTANTIATE_TEST_SUITE_P(Cuda, AllScores, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

// A sink that takes the results of its tile only when another tile is done.
template <class Base>
class Slow : public Base {
 public:
  using Base::Base;
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    wait_for_the_other();
    Base::accept_scores(tile, scores);
  }
  void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) override {
    wait_for_the_other();
    Base::accept_pairs(tile, pairs);
  }
  std::promise<void> begun, other_is_done;

 private:
  void wait_for_the_other() {
    begun.set_value();
    EXPECT_EQ(other_is_done.get_future().wait_for(kLong), std::future_status::ready);
  }
};

// The sinks want all pairs. If `Sink` has a floor, the device hands over a list of pairs, otherwise the
// scores of the whole tile as an array.
template <class Sink>
void run_while_another_is_taken(Slow<Sink>& slow, Sink& sink) {
  Random random(9);
  const Workload work = triangle_of(family(random, 60, 50));
  const Problem problem{scoring_of({Mode::local}, {11, 1}), Detail::score};
  const auto device = cuda::make_cuda_device({});
  ASSERT_TRUE(device->info().overlaps);
  const LoadedWorkload loaded(*device, work);
  Tile first = loaded.tile(), second = first;
  first.row_range.end = second.row_range.begin = Position(20);
  std::jthread slow_thread([&] { device->run(first, problem, slow); });
  ASSERT_EQ(slow.begun.get_future().wait_for(kLong), std::future_status::ready);
  device->run(second, problem, sink);
  slow.other_is_done.set_value();
  slow_thread.join();
  expect_scores(slow, first, work, problem.scoring);
  expect_scores(sink, second, work, problem.scoring);
}

TEST(CudaDevice, RunsATileWhileAnothersScoresAreTaken) {
  Slow<Collect> slow;
  Collect sink;
  run_while_another_is_taken(slow, sink);
}

TEST(CudaDevice, RunsATileWhileAnothersPairsAreTaken) {
  Slow<CollectAboveFloors> slow(INT32_MIN / 2);
  CollectAboveFloors sink(INT32_MIN / 2);
  run_while_another_is_taken(slow, sink);
}

// Two tiles of as many cells: long subjects take longer than short ones, because a warp does the columns of a
// subject one after the other. It needs 2.9 ms for 8,000 columns, and 0.07 ms for 200; but `estimate` adds no
// more than the time of all cells, which is 0.7 ms on the fastest GPU.
TEST(CudaDevice, TilesOfLongSubjectsAreExpectedToTakeLonger) {
  Random random(10);
  Workload work{.queries = {random_sequence(random, 5000)}, .subjects = {}};
  for (int k = 0; k < 100; ++k) work.subjects.push_back(random_sequence(random, 8000));
  for (int k = 0; k < 4000; ++k) work.subjects.push_back(random_sequence(random, 200));
  const Problem problem{scoring_of({Mode::local}, {11, 1}), Detail::score};
  const auto device = cuda::make_cuda_device({});
  const LoadedWorkload loaded(*device, work);
  Tile of_long = loaded.tile(), of_short = of_long;
  of_long.column_range = positions(0, 100);
  of_short.column_range = positions(100, 4100);
  of_long.cells = of_short.cells = std::uint64_t{5000} * 800'000;
  const double seconds_of_long = device->estimate(of_long, problem).seconds,
               seconds_of_short = device->estimate(of_short, problem).seconds;
  EXPECT_GT(seconds_of_long, seconds_of_short + 0.0003);
}

}  // namespace
}  // namespace alnus::test
