#include "engine/pair_floors.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "engine/adjusted_scores.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/scorings.h"

namespace alnus::engine {
namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();

TEST(PairFloors, KnowTheLowestRow) {
  const PairFloors floors({7, 3, 9});
  EXPECT_EQ(floors.of_row(2), 9);
  EXPECT_EQ(floors.lowest(), 3);
  EXPECT_EQ(floors.of_lengths(100, 100), kNone);
  EXPECT_EQ(PairFloors({}).lowest(), kNone);
}

// No score below a floor of lengths has a low enough E-value, and floors of long sequences are higher.
TEST(PairFloors, OfLengthsAreBounds) {
  const SequenceSet queries = test::random_sequences(1, 300, 900),
                    subjects = test::random_sequences(2, 400, 700);
  const Scoring scoring = test::protein("BLOSUM62", "11", "1");
  const ResolvedStatistics statistics = test::published_statistics(scoring, subjects);
  const test::FakeDevices devices;
  test::EngineCall call(devices.pointers);
  const std::vector<stats::ScoreJudgePtr> judges =
      judges_of(queries, statistics, scoring, call.progress().stop);
  for (const double evalue : {1e-3, 10.0}) {
    PairFloors floors(std::vector<std::int32_t>(queries.size(), 1));
    floors.add_lengths(queries, subjects, judges, evalue, call);
    for (SequenceSet::Index i = 0; i < queries.size(); ++i)
      for (SequenceSet::Index j = 0; j < subjects.size(); ++j) {
        const std::int32_t floor = floors.of_lengths(queries.length(i), subjects.length(j));
        if (!judges[i] || subjects.length(j) == 0) {
          EXPECT_EQ(floor, kNone);
        } else if (floor > 0) {
          EXPECT_GT(judges[i]->of(floor - 1, subjects.length(j)).evalue.value(), evalue)
              << queries.length(i) << " " << subjects.length(j);
        }
      }
    EXPECT_GT(floors.of_lengths(800, 600), floors.of_lengths(50, 50) + 3);
    EXPECT_GE(floors.of_lengths(2000, 2000), floors.of_lengths(800, 600));
  }
}

}  // namespace
}  // namespace alnus::engine
