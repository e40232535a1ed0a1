#include "io/html_report/heat_map.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "stripes.h"

namespace alnus::io {
namespace {

using Json = nlohmann::json;

// Identities from 0 to 100 with two decimals, the same in either order of the pair.
double identity(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t low = std::min(a, b), high = std::max(a, b);
  return a == b ? 100 : static_cast<double>((low * 7919 + high * 104729 + low * high * 31) % 10001) / 100;
}

ReportMatrix map_of(HeatMap& map, const HeatMap::Shape& shape, const ValueOfPair& value, std::uint64_t step,
                    const std::vector<std::uint32_t>& order = {}) {
  for (std::uint64_t begin = 0; begin < shape.rows; begin += step) {
    const std::uint64_t end = std::min<std::uint64_t>(shape.rows, begin + step);
    map.add(shape.one_set ? Block::of_triangle(begin, end, value).stripe()
                          : Block::of_rectangle(begin, end, shape.columns, value).stripe());
  }
  return map.finish(order);
}

int byte(const std::string& cells, std::size_t at) { return static_cast<unsigned char>(cells[at]); }

int cell_of(double value, double low, double high) {
  return static_cast<int>(std::floor(200 * (value - low) / (high - low) + 0.5));
}

TEST(HeatMap, CellsOfATriangleInAnOrder) {
  constexpr SequenceSet::Index kSize = 9;
  const HeatMap::Shape shape{kSize, kSize, true, true};
  HeatMap map(PairValue::identity, shape);
  EXPECT_TRUE(map.is_ordered());
  const std::vector<std::uint32_t> order = {4, 0, 8, 2, 6, 1, 3, 5, 7};
  const ReportMatrix matrix = map_of(map, shape, identity, 4, order);
  const Json json = Json::parse(matrix.json);
  EXPECT_EQ(json["order"], order);
  EXPECT_EQ(json["low"], 0);
  EXPECT_EQ(json["high"], 100);
  EXPECT_EQ(json["alike"], "high");
  EXPECT_EQ(json["unit"], "% identity");
  EXPECT_TRUE(matrix.mean.empty());
  ASSERT_EQ(matrix.cells.size(), kSize * (kSize + 1) / 2);
  for (std::size_t i = 0; i < kSize; ++i)
    for (std::size_t j = i; j < kSize; ++j)
      EXPECT_EQ(byte(matrix.cells, i * kSize - i * (i - 1) / 2 + j - i),
                cell_of(identity(order[i], order[j]), 0, 100));
}

TEST(HeatMap, CellsOfARectangleOfScores) {
  const HeatMap::Shape shape{3, 5, false, false};
  const auto score = [](std::uint64_t row, std::uint64_t column) {
    return row == 1 && column == 1 ? std::nan("") : static_cast<double>(row * 10 + column) - 7;
  };
  HeatMap map(PairValue::score, shape);
  EXPECT_FALSE(map.is_ordered());
  const ReportMatrix matrix = map_of(map, shape, score, 2);
  const Json json = Json::parse(matrix.json);
  EXPECT_FALSE(json.contains("order"));
  EXPECT_EQ(json["low"], -7);
  EXPECT_EQ(json["high"], 17);
  ASSERT_EQ(matrix.cells.size(), 15);
  for (std::uint64_t i = 0; i < 3; ++i)
    for (std::uint64_t j = 0; j < 5; ++j)
      EXPECT_EQ(byte(matrix.cells, i * 5 + j), i == 1 && j == 1 ? 255 : cell_of(score(i, j), -7, 17));
}

TEST(HeatMap, UnknownScoreDistancesAndWithoutADiagonal) {
  const HeatMap::Shape shape{3, 3, true, false};
  const auto value = [](std::uint64_t row, std::uint64_t) { return row == 2 ? kLargestScoreDistance : 12.0; };
  HeatMap map(PairValue::score_distance, shape);
  const ReportMatrix matrix = map_of(map, shape, value, 3, {0, 1, 2});
  EXPECT_EQ(matrix.cells,
            std::string("\xff\x00\xff\xff\xff\xff", 6));  // one known value: low and high are equal
  EXPECT_EQ(Json::parse(matrix.json)["alike"], "low");
  const std::vector<float> distances = map.distances();
  EXPECT_EQ(distances.size(), 3);
  EXPECT_LT(distances[0], distances[1]);
}

TEST(HeatMap, TilesOfATriangleAreTheMostAlikePairAndTheMean) {
  constexpr SequenceSet::Index kSize = HeatMap::kMostOrdered + 1, kGroup = 3;
  const HeatMap::Shape shape{kSize, kSize, true, true};
  HeatMap map(PairValue::distance, shape);
  const auto distance = [](std::uint64_t a, std::uint64_t b) { return 1 - identity(a, b) / 100; };
  EXPECT_FALSE(map.is_ordered());
  const ReportMatrix matrix = map_of(map, shape, distance, 1000);
  const Json json = Json::parse(matrix.json);
  EXPECT_EQ(json["group"], kGroup);
  EXPECT_EQ(json["column_group"], kGroup);
  const std::size_t cells = (kSize + kGroup - 1) / kGroup;
  EXPECT_EQ(json["rows"], cells);
  ASSERT_EQ(matrix.cells.size(), cells * (cells + 1) / 2);
  for (std::size_t i = 0; i < cells; i += 97)
    for (std::size_t j = i; j < cells; j += 89) {
      double best = 2, sum = 0;
      int pairs = 0;
      for (std::size_t b = j * kGroup; b < std::min<std::size_t>(kSize, (j + 1) * kGroup); ++b)
        for (std::size_t a = i * kGroup; a < std::min<std::size_t>(b, (i + 1) * kGroup); ++a) {
          const double value = static_cast<float>(distance(a, b));
          best = std::min(best, value);
          sum += value;
          ++pairs;
        }
      const std::size_t at = i * cells - i * (i - 1) / 2 + j - i;
      EXPECT_EQ(byte(matrix.cells, at), cell_of(best, 0, 1));
      EXPECT_EQ(byte(matrix.mean, at), cell_of(sum / pairs, 0, 1));
    }
}

TEST(HeatMap, EachSideOfARectangleHasTilesOfItsOwn) {
  constexpr SequenceSet::Index kRows = 2'003, kColumns = 5'001, kRowGroup = 2, kColumnGroup = 3;
  const HeatMap::Shape shape{kRows, kColumns, false, false};
  const auto score = [](std::uint64_t row, std::uint64_t column) {
    return column % 6 < 3 && row / 4 == 97 ? std::nan("")
                                           : static_cast<double>((row * 5 + column * 37) % 1001) - 70;
  };
  HeatMap map(PairValue::score, shape);
  const ReportMatrix matrix = map_of(map, shape, score, 77);
  const Json json = Json::parse(matrix.json);
  EXPECT_EQ(json["group"], kRowGroup);
  EXPECT_EQ(json["column_group"], kColumnGroup);
  const std::size_t rows = (kRows + kRowGroup - 1) / kRowGroup,
                    columns = (kColumns + kColumnGroup - 1) / kColumnGroup;
  EXPECT_EQ(json["rows"], rows);
  EXPECT_EQ(json["columns"], columns);
  ASSERT_EQ(matrix.cells.size(), rows * columns);
  int unknown = 0;
  for (std::size_t i = 0; i < rows; i += 13)  // with the rows 195 and 1001, unknown ones and the last
    for (std::size_t j = 0; j < columns; ++j) {
      double best = -1000, sum = 0;
      int pairs = 0;
      for (std::size_t a = i * kRowGroup; a < std::min<std::size_t>(kRows, (i + 1) * kRowGroup); ++a)
        for (std::size_t b = j * kColumnGroup; b < std::min<std::size_t>(kColumns, (j + 1) * kColumnGroup);
             ++b) {
          if (std::isnan(score(a, b))) continue;
          best = std::max(best, score(a, b));
          sum += score(a, b);
          ++pairs;
        }
      const std::size_t at = i * columns + j;
      EXPECT_EQ(byte(matrix.cells, at), pairs == 0 ? 255 : cell_of(best, -70, 930));
      EXPECT_EQ(byte(matrix.mean, at), pairs == 0 ? 255 : cell_of(sum / pairs, -70, 930));
      unknown += pairs == 0 ? 1 : 0;
    }
  EXPECT_EQ(unknown, (columns + 1) / 2);
}

TEST(HeatMap, BoundsOfStripesAndFloatsOfPartsDoNotMatter) {
  // Two sets with tiles of three rows, all pairs of one set, and two sets whose cells are pairs.
  const HeatMap::Shape shapes[] = {{5'001, 50, false, false}, {40, 40, true, false}, {30, 20, false, false}};
  for (const HeatMap::Shape& shape : shapes)
    for (const PairValue kind : {PairValue::identity, PairValue::distance, PairValue::score}) {
      const auto value = [&](std::uint64_t a, std::uint64_t b) {
        const double percent = identity(a, b + 1);
        return kind == PairValue::score      ? percent * 10.01
               : kind == PairValue::distance ? percent / 100
                                             : percent;
      };
      const auto as_float = [&](std::uint64_t a, std::uint64_t b) {
        return static_cast<double>(static_cast<float>(value(a, b)));
      };
      HeatMap whole(kind, shape), stripes(kind, shape), parts(kind, shape);
      const ReportMatrix wanted = map_of(whole, shape, value, shape.rows);
      EXPECT_EQ(wanted.mean.empty(), shape.rows <= HeatMap::kMostOrdered);
      for (const ReportMatrix& other :
           {map_of(stripes, shape, value, 7), map_of(parts, shape, as_float, shape.rows / 3)}) {
        EXPECT_EQ(other.cells, wanted.cells);
        EXPECT_EQ(other.mean, wanted.mean);
        EXPECT_EQ(other.json, wanted.json);
      }
    }
}

TEST(HeatMap, GroupsFollowTheSizes) {
  const auto groups = [](SequenceSet::Index rows, SequenceSet::Index columns) {
    const HeatMap map(PairValue::score, {rows, columns, false, false});
    const Json json = Json::parse(map.finish({}).json);
    return std::vector<int>{json["group"], json["column_group"], json["rows"], json["columns"]};
  };
  EXPECT_EQ(groups(1, 5'000), (std::vector{1, 1, 1, 5'000}));
  EXPECT_EQ(groups(1, 5'001), (std::vector{1, 3, 1, 1'667}));
  EXPECT_EQ(groups(4'000, 6'000), (std::vector{2, 3, 2'000, 2'000}));
  EXPECT_EQ(groups(1'000'001, 10), (std::vector{501, 1, 1'997, 10}));
}

TEST(HeatMap, DecimalScoresAndEqualOnes) {
  const HeatMap::Shape shape{2, 2, false, false};
  HeatMap map(PairValue::score, shape);
  const Json json =
      Json::parse(map_of(
                      map, shape, [](auto a, auto b) { return 10.1 + 0.3 * static_cast<double>(a + b); }, 1)
                      .json);
  EXPECT_EQ(json["low"], 10.1);
  EXPECT_EQ(json["high"], 10.7);
  HeatMap equal(PairValue::score, shape);
  const ReportMatrix matrix = map_of(
      equal, shape, [](auto, auto) { return 12; }, 1);
  EXPECT_EQ(matrix.cells, std::string(4, '\0'));
  EXPECT_EQ(Json::parse(matrix.json)["low"], 12);
  EXPECT_EQ(Json::parse(matrix.json)["high"], 12);
  HeatMap unknown(PairValue::score, shape);
  const ReportMatrix none = map_of(
      unknown, shape,
      [](auto a, auto) { return a == 0 ? std::nan("") : std::numeric_limits<double>::infinity(); }, 1);
  EXPECT_EQ(none.cells, std::string(4, '\xff'));
  EXPECT_EQ(Json::parse(none.json)["low"], 0);
  EXPECT_TRUE(Json::parse(none.json)["histogram"]["rows"].empty());
}

TEST(HeatMap, TheHistogramHasAllPairsOfDifferentSequences) {
  constexpr SequenceSet::Index kSize = 40;
  const HeatMap::Shape shape{kSize, kSize, true, true};
  HeatMap map(PairValue::identity, shape);
  const Json rows = Json::parse(map_of(map, shape, identity, 40, {}).json)["histogram"]["rows"];
  ASSERT_EQ(rows.size(), 20);
  EXPECT_EQ(rows[3][0], "15% to 20%");
  std::vector<int> counts(20);
  for (std::uint64_t i = 0; i < kSize; ++i)
    for (std::uint64_t j = 0; j < i; ++j)
      ++counts[std::min<std::size_t>(19, static_cast<std::size_t>(identity(i, j) / 5))];
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(rows[k][1], counts[k]) << k;
}

TEST(ValueCounts, BoundsOfFractionsAreInTheBinThatTheyBegin) {
  for (const PairValue kind : {PairValue::identity, PairValue::distance}) {
    ValueCounts counts(kind);
    for (int k = 0; k <= 20; ++k)
      counts.add(kind == PairValue::identity ? 5.0F * k : static_cast<float>(k / 20.0));
    const std::vector<ReportSection::Bar> bars = counts.bars().bars;
    ASSERT_EQ(bars.size(), 20);
    for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(bars[k].number, k == 19 ? 2 : 1) << k;
    EXPECT_EQ(bars[14].label, kind == PairValue::identity ? "70% to 75%" : "0.70 to 0.75");
    EXPECT_EQ(bars[14].more, "4.76%");
  }
}

// The bars by their definition: the lowest round width that makes at most 25 of them.
std::vector<ReportSection::Bar> bars_by_definition(const std::vector<float>& scores) {
  const auto [low, high] = std::ranges::minmax(scores);
  std::int64_t width = 0, first = 0, last = 0;
  for (std::int64_t power = 1; width == 0; power *= 10)
    for (const std::int64_t one : {power, 2 * power, 5 * power}) {
      first = static_cast<std::int64_t>(std::floor(double{low} / static_cast<double>(one)));
      last = static_cast<std::int64_t>(std::floor(double{high} / static_cast<double>(one)));
      if (last - first < 25) {
        width = one;
        break;
      }
    }
  std::vector<ReportSection::Bar> bars;
  for (std::int64_t bar = first; bar <= last; ++bar) {
    const auto in_bar = [&](float score) {
      return score >= static_cast<double>(bar * width) && score < static_cast<double>((bar + 1) * width);
    };
    bars.push_back({std::to_string(bar * width) + " to " + std::to_string((bar + 1) * width),
                    static_cast<std::uint64_t>(std::ranges::count_if(scores, in_bar)), ""});
  }
  return bars;
}

TEST(ValueCounts, BarsOfScoresAreRoundAndComplete) {
  std::mt19937 generator(5);
  for (int round = 0; round < 120; ++round) {
    std::vector<float> scores(200);
    const std::uint64_t range = std::uint64_t{1} << (round % 32);
    for (float& score : scores)
      score = static_cast<float>(static_cast<double>(generator() % range) / (round % 3 + 1) - 50);
    const std::vector<ReportSection::Bar> wanted = bars_by_definition(scores);
    for (int order = 0; order < 3; ++order) {
      if (order == 1) std::ranges::sort(scores);
      if (order == 2) std::ranges::reverse(scores);
      ValueCounts counts(PairValue::score);
      for (const float score : scores) counts.add(score);
      const std::vector<ReportSection::Bar> bars = counts.bars().bars;
      ASSERT_EQ(bars.size(), wanted.size());
      for (std::size_t k = 0; k < bars.size(); ++k) {
        EXPECT_EQ(bars[k].label, wanted[k].label);
        EXPECT_EQ(bars[k].number, wanted[k].number) << bars[k].label;
      }
    }
  }
  EXPECT_TRUE(ValueCounts(PairValue::score).bars().bars.empty());
}

}  // namespace
}  // namespace alnus::io
