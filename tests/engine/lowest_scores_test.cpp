// The lowest scores of hits, by row and range of columns, compared with a table of the range of each column.
#include "engine/lowest_scores.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "support/positions.h"

namespace alnus::engine {
namespace {

constexpr std::uint32_t kScoredRows = 3;

// Gives each row and range another score, and compares the scores of columns, of ranges of columns, and of
// whole rows. `range_of`: by column. Ranges without columns get scores above all others.
void expect_scores(LowestScores& lowest, const std::vector<std::uint32_t>& range_of, std::mt19937& random) {
  constexpr std::int32_t kAboveAll = 1000;
  for (std::uint32_t row = 0; row < kScoredRows; ++row) {
    for (std::uint32_t range = 0; range < lowest.ranges(); ++range)
      lowest.at(Position(row), range) = std::ranges::find(range_of, range) == range_of.end()
                                            ? kAboveAll
                                            : static_cast<std::int32_t>(random() % kAboveAll);
  }
  const auto count = static_cast<std::uint32_t>(range_of.size());
  for (std::uint32_t row = 0; row < kScoredRows; ++row) {
    std::vector<std::int32_t> scores;
    for (std::uint32_t column = 0; column < count; ++column) {
      scores.push_back(lowest.at(Position(row), range_of[column]));
      ASSERT_EQ(lowest.of(Position(row), Position(column)), scores.back()) << column << " of " << count;
    }
    ASSERT_EQ(lowest.of(Position(row)), std::ranges::min(scores)) << count;
    for (std::uint32_t begin = 0; begin < count; ++begin) {
      std::int32_t expected = kAboveAll;
      for (std::uint32_t end = begin + 1; end <= count; ++end) {
        expected = std::min(expected, scores[end - 1]);
        ASSERT_EQ(lowest.of(Position(row), test::positions(begin, end)), expected)
            << begin << " to " << end << " of " << count;
      }
    }
  }
}

TEST(LowestScores, RangesOfEquallyManyColumns) {
  std::mt19937 random(1);
  for (const std::uint32_t columns : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 96u, 97u}) {
    LowestScores lowest(kScoredRows, columns, 7);
    EXPECT_EQ(lowest.rows(), kScoredRows);
    EXPECT_LE(lowest.ranges(), LowestScores::kMostRanges);
    EXPECT_GE(lowest.ranges(), std::min(columns, LowestScores::kMostRanges / 2)) << columns;
    std::vector<std::uint32_t> range_of;
    for (std::uint32_t range = 0; range < lowest.ranges(); ++range) {
      const PositionRange in = lowest.range(range);
      ASSERT_EQ(in.begin.value(), range_of.size());
      ASSERT_LT(in.begin, in.end);
      EXPECT_TRUE(range + 1 == lowest.ranges() || in.size() == lowest.range(0).size());
      range_of.resize(in.end.value(), range);
    }
    ASSERT_EQ(range_of.size(), columns);
    for (std::uint32_t column = 0; column < columns; ++column)
      EXPECT_EQ(lowest.of(Position(2), Position(column)), 7);
    ASSERT_NO_FATAL_FAILURE(expect_scores(lowest, range_of, random));
  }
}

TEST(LowestScores, RangesThatBeginAnywhere) {
  std::mt19937 random(2);
  for (int round = 0; round < 40; ++round) {
    const auto columns = static_cast<std::uint32_t>(1 + random() % 30);
    std::vector<Position> begins(1);
    for (std::size_t more = random() % 8; more > 0; --more)
      begins.emplace_back(static_cast<std::uint32_t>(random() % (columns + 1)));
    std::ranges::sort(begins);
    std::vector<std::uint32_t> range_of;
    for (std::uint32_t range = 0; range < begins.size(); ++range)
      range_of.resize(range + 1 < begins.size() ? begins[range + 1].value() : columns, range);
    LowestScores lowest(kScoredRows, columns, 7, begins);
    EXPECT_EQ(lowest.ranges(), begins.size());
    EXPECT_EQ(lowest.rows(), kScoredRows);
    ASSERT_NO_FATAL_FAILURE(expect_scores(lowest, range_of, random));
  }
}

TEST(LowestScores, OfNoColumnsAndOfWholeRows) {
  const LowestScores none(2, 0, 5), of_rows(std::vector<std::int32_t>{4, 9});
  EXPECT_EQ(none.ranges(), 1u);
  EXPECT_EQ(none.rows(), 2u);
  EXPECT_EQ(none.of(Position(1)), 5);
  EXPECT_EQ(of_rows.rows(), 2u);
  EXPECT_EQ(of_rows.of(Position(0)), 4);
  EXPECT_EQ(of_rows.of(Position(1), Position(1234)), 9);
  EXPECT_EQ(of_rows.of(Position(1), test::positions(5, 7)), 9);
}

}  // namespace
}  // namespace alnus::engine
