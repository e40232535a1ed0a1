// Tiles of all shapes and sizes, sinks with a floor, and estimates.
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <vector>

#include "device/implementations.h"

namespace alnus::test {
namespace {

std::vector<Residues> random_sequences(unsigned seed, std::size_t count, std::size_t longest) {
  Random random(seed);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(random_sequence(random, below(random, longest + 1), k % 3 ? 20 : 3));
  return all;
}

TEST(Tiles, AnyNumberOfSubjects) {
  const std::vector<Residues> queries = random_sequences(31, 2, 40);
  for (std::size_t count = 0; count <= 200; count += count < 70 ? 1 : 13) {
    const Workload work{.queries = queries, .subjects = random_sequences(32, count, 40)};
    for (const ModeAndEnds& mode : main_modes())
      ASSERT_TRUE(equals_reference(work, scoring_of(mode, {11, 1}))) << count << " subjects";
  }
}

TEST(Tiles, AnyNumberOfQueries) {
  const std::vector<Residues> subjects = random_sequences(33, 5, 40);
  for (const std::size_t count : {0, 1, 2, 15, 16, 17, 64, 65, 130}) {
    const Workload work{.queries = random_sequences(34, count, 40), .subjects = subjects};
    for (const ModeAndEnds& mode : main_modes())
      ASSERT_TRUE(equals_reference(work, scoring_of(mode, {11, 1}))) << count << " queries";
  }
}

TEST(Tiles, Triangle) {
  for (const std::size_t count : {0, 1, 2, 3, 65, 90}) {
    const Workload work = triangle_of(random_sequences(35, count, 60));
    for (const ModeAndEnds& mode : main_modes())
      ASSERT_TRUE(equals_reference(work, scoring_of(mode, {11, 1}))) << count << " sequences";
  }
}

TEST(Tiles, List) {
  Random random(36);
  Workload work{.queries = random_sequences(37, 20, 70),
                .subjects = random_sequences(38, 90, 70),
                .shape = TileShape::list};
  const auto check = [&] {
    for (const ModeAndEnds& mode : main_modes())
      EXPECT_TRUE(equals_reference(work, scoring_of(mode, {11, 1}))) << work.pairs.size() << " pairs";
  };
  check();  // without pairs
  for (const std::size_t one_in : {300, 20, 2}) {
    work.pairs.clear();
    for (std::uint32_t query = 0; query < 20; ++query) {
      for (std::uint32_t subject = 0; subject < 90; ++subject)
        if (below(random, one_in) == 0) work.pairs.emplace_back(query, subject);
    }
    std::shuffle(work.pairs.begin(), work.pairs.end(), random);
    check();
  }
}

// Checks for each implementation what a run of this part of the tile hands over.
void check_part(const Workload& work, PositionRange row_range, PositionRange column_range,
                const Problem& problem = {scoring_of({Mode::local}, {11, 1}), Detail::alignment}) {
  for_each_device(implementations(), problem, [&](Device& device) {
    const LoadedWorkload loaded(device, work);
    Tile tile = loaded.tile();
    tile.row_range = row_range;
    tile.column_range = column_range;
    const std::vector<Pair> pairs = pairs_of(tile);
    Collect sink;
    device.run(tile, problem, sink);
    EXPECT_EQ(sink.calls, 1);
    EXPECT_TRUE(sink.repeated.empty());
    ASSERT_EQ(sink.found.size(), pairs.size());
    for (const Pair& pair : pairs) {
      ASSERT_EQ(sink.found.count(pair), 1U);
      ASSERT_EQ(sink.found[pair], align_reference(work.queries[pair.first], work.subjects[pair.second],
                                                  problem.scoring, problem.detail));
    }
  });
}

TEST(Tiles, PartOfARectangle) {
  const Workload work{.queries = random_sequences(39, 12, 50), .subjects = random_sequences(40, 160, 50)};
  check_part(work, positions(3, 7), positions(0, 160));
  check_part(work, positions(0, 12), positions(65, 130));
  check_part(work, positions(11, 12), positions(159, 160));
  check_part(work, positions(5, 5), positions(10, 20));
}

TEST(Tiles, Staircase) {
  Random random(42);
  Workload work{.queries = random_sequences(43, 40, 60),
                .subjects = random_sequences(44, 70, 60),
                .shape = TileShape::staircase};
  for (std::size_t row = 0; row < 40; ++row)
    work.first_columns.emplace_back(static_cast<std::uint32_t>(below(random, 71)));
  std::ranges::sort(work.first_columns);
  for (const ModeAndEnds& mode : main_modes()) EXPECT_TRUE(equals_reference(work, scoring_of(mode, {11, 1})));
}

TEST(Tiles, PartOfATriangle) {
  const Workload work = triangle_of(random_sequences(41, 100, 50));
  check_part(work, positions(0, 10), positions(0, 100));
  check_part(work, positions(40, 50), positions(40, 50));
  check_part(work, positions(40, 50), positions(45, 100));
  check_part(work, positions(10, 20), positions(70, 90));
  check_part(work, positions(50, 60), positions(0, 50));  // no pairs
}

TEST(Tiles, ScoresOfAPartOfATriangle) {
  const Workload work = triangle_of(random_sequences(47, 100, 50));
  for (const ModeAndEnds& mode : main_modes()) {
    const Problem problem{scoring_of(mode, {11, 1}), Detail::score};
    check_part(work, positions(0, 10), positions(0, 100), problem);
    check_part(work, positions(40, 50), positions(40, 50), problem);
    check_part(work, positions(35, 55), positions(45, 100), problem);
    check_part(work, positions(50, 60), positions(0, 50), problem);  // no pairs
  }
}

// A sink that wants no score below a floor. The floor may rise each time the device asks for it.
class CollectAbove : public Collect {
 public:
  CollectAbove(std::int32_t floor, std::int32_t step) : floor_(floor), step_(step) {}
  std::int32_t floor(Position row) const override {
    return static_cast<std::int32_t>(row.value()) + floor_.fetch_add(step_);
  }
  std::int32_t last(Position row) const { return static_cast<std::int32_t>(row.value()) + floor_.load(); }

 private:
  mutable std::atomic<std::int32_t> floor_;
  std::int32_t step_;
};

// The subjects are near and far relatives of the queries, so scores are of all sizes.
class Floor : public testing::TestWithParam<ModeAndEnds> {
 protected:
  Floor() {
    Random random(42);
    for (int k = 0; k < 5; ++k) {
      queries_.push_back(random_sequence(random, 30 + 10 * k));
      for (const std::size_t spacing : {1, 2, 4, 8, 30})
        for (int copy = 0; copy < 4; ++copy)
          subjects_.push_back(relative(random, queries_.back(), spacing, 6));
    }
    for (std::uint32_t query = 0; query < queries_.size(); ++query) {
      for (std::uint32_t subject = 0; subject < subjects_.size(); ++subject)
        expected_[{query, subject}] =
            align_reference(queries_[query], subjects_[subject], scoring_, Detail::alignment);
    }
  }

  void check(Device& device, Detail detail, std::int32_t floor, std::int32_t step) {
    const LoadedWorkload loaded(device, {.queries = queries_, .subjects = subjects_});
    CollectAbove sink(floor, step);
    device.run(loaded.tile(), {scoring_, detail}, sink);
    EXPECT_EQ(sink.calls, 1);
    EXPECT_TRUE(sink.repeated.empty());
    for (Position row = loaded.rows().begin(); row < loaded.rows().end(); ++row) {
      for (std::uint32_t subject = 0; subject < subjects_.size(); ++subject) {
        const Pair pair(loaded.rows().index(row), subject);
        const Alignment expected = at_detail(expected_[pair], detail);
        const auto found = sink.found.find(pair);
        if (found != sink.found.end()) {
          ASSERT_EQ(found->second, expected)
              << describe(found->second) << "; shall be " << describe(expected);
        } else {
          ASSERT_LT(expected.score, sink.last(row)) << "pair " << pair.first << ", " << subject;
        }
      }
    }
    EXPECT_TRUE(sink.slack.empty());
  }

  void check_bounds(Device& device, std::int32_t floor) {
    const LoadedWorkload loaded(device, {.queries = queries_, .subjects = subjects_});
    CollectAbove sink(floor, 0);
    device.run(loaded.tile(), {scoring_, Detail::score, true}, sink);
    EXPECT_EQ(sink.calls, 1);
    EXPECT_TRUE(sink.repeated.empty());
    for (Position row = loaded.rows().begin(); row < loaded.rows().end(); ++row) {
      for (std::uint32_t subject = 0; subject < subjects_.size(); ++subject) {
        const Pair pair(loaded.rows().index(row), subject);
        const std::int32_t score = expected_[pair].score;
        const auto found = sink.found.find(pair);
        if (found == sink.found.end()) {
          EXPECT_LT(score, sink.last(row)) << "pair " << pair.first << ", " << subject;
          continue;
        }
        const auto slack = sink.slack.find(pair);
        EXPECT_GE(score, found->second.score);
        EXPECT_LE(score, std::int64_t{found->second.score} + (slack == sink.slack.end() ? 0 : slack->second));
      }
    }
  }

  void check(std::int32_t floor, std::int32_t step) {
    SCOPED_TRACE(testing::Message() << "floor " << floor);
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment})
      for_each_device(implementations(), {scoring_, detail},
                      [&](Device& device) { check(device, detail, floor, step); });
  }

  void check_bounds(std::int32_t floor) {
    SCOPED_TRACE(testing::Message() << "floor " << floor);
    for_each_device(implementations(), {scoring_, Detail::score, true},
                    [&](Device& device) { check_bounds(device, floor); });
  }

 private:
  const Scoring scoring_ = scoring_of(GetParam(), {11, 1});
  std::vector<Residues> queries_, subjects_;
  std::map<Pair, Alignment> expected_;
};

TEST_P(Floor, AllAtOrAboveItCome) {
  for (const std::int32_t floor : {-50, 0, 1, 40, 126, 127, 128, 200, 254, 255, 256, 300, 100000})
    check(floor, 0);
}

TEST_P(Floor, MayRise) {
  check(0, 1);
  check(100, 3);
}

TEST_P(Floor, BoundsHoldTheScores) {
  for (const std::int32_t floor : {-50, 0, 1, 12, 13, 20, 21, 40, 60, 126, 200, 215, 228, 229, 300, 100000})
    check_bounds(floor);
}

INSTANTIATE_TEST_SUITE_P(Device, Floor, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

TEST(Estimate, GrowsWithTheTile) {
  const auto queries = random_sequences(45, 4, 300), subjects = random_sequences(46, 80, 300);
  for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
    const Problem problem{scoring_of({Mode::local}, {11, 1}), detail};
    for_each_device(implementations(), problem, [&](Device& device) {
      const LoadedWorkload loaded(device, {.queries = queries, .subjects = subjects});
      const Tile& whole = loaded.tile();
      Tile part = whole;
      part.column_range = positions(70, 80);
      part.cells = whole.cells / 20;
      const Estimate of_whole = device.estimate(whole, problem), of_part = device.estimate(part, problem);
      EXPECT_GT(of_part.seconds, 0);
      EXPECT_GT(of_whole.seconds, of_part.seconds);
      EXPECT_GT(of_part.bytes, 0U);
      EXPECT_GE(of_whole.bytes, of_part.bytes);
    });
  }
}

}  // namespace
}  // namespace alnus::test
