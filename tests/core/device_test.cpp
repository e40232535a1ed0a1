// What a sink gets if it takes nothing but whole results, and which pairs a tile has.
#include "core/device.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "core/coarse_scores.h"
#include "core/matrix_pairs.h"
#include "core/pair_value.h"

namespace alnus {
namespace {

using Found = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;  // row, column, score

class Collector : public Sink {
 public:
  void accept(const Tile&, std::span<const PairResult> results) override {
    for (const PairResult& result : results)
      found.emplace_back(result.row.value(), result.column.value(), result.score);
  }
  std::int32_t floor(Position row) const override {
    return row == with_floor ? lowest_floor : Sink::floor(row);
  }
  std::vector<Found> found;
  Position with_floor{1000};
  std::int32_t lowest_floor = std::numeric_limits<std::int32_t>::min() + 1;
};

PositionRange range(std::uint32_t begin, std::uint32_t end) { return {Position(begin), Position(end)}; }

// Hands over the scores of a tile: 100 times the row plus the column.
std::vector<Found> handed_over(const Tile& tile, PositionRange columns) {
  std::vector<std::int32_t> scores;
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
    for (Position column = columns.begin; column < columns.end; ++column)
      scores.push_back(static_cast<std::int32_t>(100 * row.value() + column.value()));
  Collector collector;
  collector.accept_scores(tile, {columns, scores.data()});
  return collector.found;
}

TEST(Sink, GetsTheScoresOfARectangle) {
  Tile tile;
  tile.row_range = range(3, 5);
  tile.column_range = range(7, 10);
  EXPECT_EQ(
      handed_over(tile, range(7, 10)),
      (std::vector<Found>{{3, 7, 307}, {3, 8, 308}, {3, 9, 309}, {4, 7, 407}, {4, 8, 408}, {4, 9, 409}}));
  tile.row_range = range(3, 3);
  EXPECT_TRUE(handed_over(tile, range(7, 10)).empty());
}

TEST(Sink, GetsTheScoresOfEveryPartOfAStaircase) {
  constexpr std::uint32_t kSize = 6;
  const std::vector<Position> steps = triangle_steps(kSize);
  for (std::uint32_t first_row = 0; first_row < kSize; ++first_row)
    for (std::uint32_t last_row = first_row; last_row <= kSize; ++last_row)
      for (std::uint32_t first = 0; first < kSize; ++first)
        for (std::uint32_t last = first; last <= kSize; ++last) {
          Tile tile;
          tile.shape = TileShape::staircase;
          tile.row_range = range(first_row, last_row);
          tile.column_range = range(first, last);
          tile.first_columns = steps;
          std::vector<Found> expected;
          for (std::uint32_t row = first_row; row < last_row; ++row)
            for (std::uint32_t column = std::max(first, row + 1); column < last; ++column)
              expected.emplace_back(row, column, static_cast<std::int32_t>(100 * row + column));
          // The first row has the most columns, and the device gives no others.
          const std::uint32_t begin = std::clamp(first_row + 1, first, last);
          EXPECT_EQ(handed_over(tile, range(begin, last)), expected)
              << first_row << ' ' << last_row << ' ' << first << ' ' << last;
        }
}

TEST(Sink, GetsTheScoresOfPairs) {
  const std::vector<ScoredPair> pairs = {{Position(2), Position(9), 41}, {Position(5), Position(0), -3}};
  Collector collector;
  collector.accept_pairs({}, pairs);
  EXPECT_EQ(collector.found, (std::vector<Found>{{2, 9, 41}, {5, 0, -3}}));
}

TEST(Sink, HasAFloorIfOneOfTheRowsHas) {
  Collector collector;
  EXPECT_FALSE(has_floors(collector, range(0, 10)));
  collector.with_floor = Position(4);
  for (std::uint32_t begin = 0; begin < 8; ++begin)
    for (std::uint32_t end = begin; end < 8; ++end)
      EXPECT_EQ(has_floors(collector, range(begin, end)), begin <= 4 && 4 < end) << begin << ' ' << end;
}

TEST(MatrixPairs, TakesPairsUpToALimit) {
  constexpr std::size_t kCells = 1 << 28, kLongest = 1 << 16;
  EXPECT_TRUE(MatrixPairs::takes(0, 0));
  EXPECT_TRUE(MatrixPairs::takes(1, kLongest));
  EXPECT_FALSE(MatrixPairs::takes(1, kLongest + 1));
  EXPECT_FALSE(MatrixPairs::takes(0, kLongest + 1));
  EXPECT_TRUE(MatrixPairs::takes(kCells / kLongest, kLongest));
  EXPECT_FALSE(MatrixPairs::takes(kCells / kLongest + 1, kLongest));
  for (const std::size_t subject : {0, 1}) {
    EXPECT_TRUE(MatrixPairs::takes(kCells, subject));
    EXPECT_FALSE(MatrixPairs::takes(kCells + 1, subject));
  }
}

// 8-bit lanes hold the costs of a gap of three residues below zero, and every score of two letters above the
// highest score that is known.
TEST(CoarseScores, FitIn8Bits) {
  using Coarse = CoarseScores;
  for (std::int32_t open = 0; open < 300; open += 1 + open / 50)
    for (std::int32_t extend = 0; extend < 300; extend += 1 + extend / 50) {
      const CoarseScores coarse(open, extend);
      const std::int32_t unit = 1 << coarse.shift;
      EXPECT_LE((open + 3 * extend) / unit, Coarse::kLowest);
      EXPECT_TRUE(coarse.shift == 0 || (open + 3 * extend) / (unit / 2) > Coarse::kLowest);
      EXPECT_EQ(coarse.first, (open + extend) / unit);
      EXPECT_EQ(coarse.extend, extend / unit);
      EXPECT_EQ(coarse.highest_known + Coarse::kHighest + coarse.extend + Coarse::zero, 127);
      // The nearest whole number of units, halves upwards.
      for (std::int32_t score = -2 * unit; score <= 2 * unit; ++score) {
        const std::int32_t twice = 2 * (coarse.rounded(score) * unit - score);
        EXPECT_TRUE(-unit < twice && twice <= unit) << score << " in units of " << unit;
      }
      const std::int32_t lowest = -Coarse::kLowest * unit, highest = Coarse::kHighest * unit;
      const auto fit = [&](std::int32_t least, std::int32_t most) {
        const std::vector<std::int32_t> scores = {0, least, most, 0};
        return coarse.fit(scores);
      };
      EXPECT_TRUE(fit(lowest, highest));
      EXPECT_FALSE(fit(lowest - unit, highest));
      EXPECT_FALSE(fit(lowest, highest + unit));
    }
}

TEST(PairValue, PassesAThresholdThatItReaches) {
  for (const PairValue kind : {PairValue::score, PairValue::identity}) {
    EXPECT_FALSE(is_distance(kind));
    EXPECT_TRUE(passes(kind, 3, 3) && passes(kind, 4, 3));
    EXPECT_FALSE(passes(kind, 2, 3));
  }
  for (const PairValue kind : {PairValue::distance, PairValue::score_distance}) {
    EXPECT_TRUE(is_distance(kind));
    EXPECT_TRUE(passes(kind, 3, 3) && passes(kind, 2, 3));
    EXPECT_FALSE(passes(kind, 4, 3));
  }
  EXPECT_TRUE(is_of_scores(PairValue::score) && is_of_scores(PairValue::score_distance));
  EXPECT_FALSE(is_of_scores(PairValue::identity) || is_of_scores(PairValue::distance));
}

}  // namespace
}  // namespace alnus
