// ListScorer: on the host and beside it, the scores are those of a plain list.
#include "engine/list_scorer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/planner.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/positions.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevices;
using test::random_sequences;

// Sorted pairs of a staircase: in each block of 64 rows the first columns are dense, and those behind them
// are sparse. `density`: how many of 100 pairs are there.
std::vector<PositionPair> some_pairs(std::mt19937& random, std::span<const Position> steps,
                                     std::uint32_t columns, std::uint32_t density) {
  std::vector<PositionPair> pairs;
  std::uint32_t dense_end = 0;
  for (std::uint32_t row = 0; row < steps.size(); ++row) {
    if (row % 64 == 0) dense_end = static_cast<std::uint32_t>(random() % (columns + 1));
    for (std::uint32_t column = steps[row].value(); column < columns; ++column)
      if (random() % 100 < (column < dense_end ? density : 1))
        pairs.push_back(test::position_pair(row, column));
  }
  return pairs;
}

void expect_scores(const FakeBehaviour& behaviour, std::uint32_t density, unsigned seed) {
  std::mt19937 random(seed);
  const SortedPtr rows = test::sorted(random_sequences(random(), 150, 12)),
                  columns = test::sorted(random_sequences(random(), 170, 12));
  const Scoring scoring = make_scoring({});
  for (const bool triangle : {false, true}) {
    const SortedPtr& others = triangle ? rows : columns;
    const std::vector<Position> steps =
        triangle ? triangle_steps(rows->size()) : std::vector<Position>(rows->size());
    const std::vector<PositionPair> pairs = some_pairs(random, steps, others->size(), density);
    std::vector<std::int32_t> expected;
    expected.reserve(pairs.size());
    for (const PositionPair& pair : pairs)
      expected.push_back(
          align_reference(rows->residues(pair.row), others->residues(pair.column), scoring, Detail::score)
              .score);
    const FakeDevices devices({behaviour, behaviour});
    EngineCall call(devices.pointers);
    const ListScorer scorer(call, rows, others, steps, pairs);
    EXPECT_EQ(scorer.scores(scoring), expected) << density << (triangle ? ", triangle" : "");
    EXPECT_EQ(scorer.scores(scoring), expected) << "a second time";
    EXPECT_TRUE(call.warnings().empty());
  }
}

TEST(ListScorer, HasTheScoresOfThePairsInTheirOrder) {
  for (const bool on_host : {true, false})
    for (const bool scores : {false, true})
      for (const std::uint32_t density : {0U, 3U, 40U, 100U})
        expect_scores({.concurrency = 2, .computes_on_host = on_host, .hands_over_scores = scores}, density,
                      density + 1);
}

TEST(ListScorer, OfDevicesWithLittleMemory) {
  expect_scores({.concurrency = 2, .bytes_per_pair = 1 << 25, .overlaps = true, .hands_over_scores = true},
                60, 5);
}

TEST(ListScorer, OfNoPairsHasNoScores) {
  const SortedPtr none = test::sorted(SequenceSet()), some = test::sorted(random_sequences(1, 70, 12));
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  for (const SortedPtr* rows : {&none, &some}) {
    const std::vector<Position> steps((*rows)->size());
    EXPECT_TRUE(ListScorer(call, *rows, some, steps, {}).scores(make_scoring({})).empty());
  }
  EXPECT_EQ(devices.owned.front()->runs(), 0);
}

// The last column is a multiple of 64 or not, and pairs are at both ends of it.
TEST(ListScorer, PairsInTheLastColumns) {
  for (const std::uint32_t count : {1U, 63U, 64U, 65U, 128U, 129U}) {
    const SortedPtr rows = test::sorted(random_sequences(1, 65, 12)),
                    columns = test::sorted(random_sequences(2, count, 12));
    const std::vector<Position> steps(rows->size());
    std::vector<PositionPair> pairs;
    std::vector<std::int32_t> expected;
    const Scoring scoring = make_scoring({});
    for (const bool every : {false, true}) {
      pairs.clear();
      expected.clear();
      for (std::uint32_t row = 0; row < rows->size(); ++row)
        for (std::uint32_t column = every ? 0 : count - 1; column < count; ++column) {
          pairs.push_back(test::position_pair(row, column));
          expected.push_back(align_reference(rows->residues(Position(row)),
                                             columns->residues(Position(column)), scoring, Detail::score)
                                 .score);
        }
      const FakeDevices devices;
      EngineCall call(devices.pointers);
      EXPECT_EQ(ListScorer(call, rows, columns, steps, pairs).scores(scoring), expected) << count;
    }
  }
}

TEST(ListScorer, Stops) {
  const SortedPtr rows = test::sorted(random_sequences(1, 70, 12));
  const std::vector<Position> steps(rows->size());
  std::vector<PositionPair> pairs;
  for (std::uint32_t row = 0; row < rows->size(); ++row) pairs.push_back(test::position_pair(row, 3));
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  const ListScorer scorer(call, rows, rows, steps, pairs);
  call.progress().stop.request();
  EXPECT_THROW(scorer.scores(make_scoring({})), Interrupted);
}

}  // namespace
}  // namespace alnus::engine
