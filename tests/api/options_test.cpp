// Options of calls, as the calls take them.
#include "api/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "api/support/errors.h"
#include "api/support/inputs.h"

namespace alnus::test {
namespace {

// Numbers that no option takes.
constexpr double kUnusable[] = {std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};

TEST(CallOptions, TheLeastScoreIsADecimal) {
  const struct {
    double min_score;
    int scale;
    std::int32_t expected;
  } cases[] = {{0, 7, 0},
               {0.1, 1, 1},
               {0.1, 10, 1},
               {0.11, 10, 2},
               {1.1, 10, 11},
               {-0.1, 10, -1},
               {-0.11, 10, -1},
               {-0.19, 10, -1},
               {-0.2, 10, -2},
               {41.5, 1, 42},
               {41.5, 2, 83},
               {-41.5, 1, -41},
               {60, 1, 60},
               {60.001, 20, 1201},
               {1e-9, 1, 1},
               {-1e-9, 1, 0},
               {214748364, 10, 2147483640},
               {2147483647, 1, 2147483647},
               {1073741823.5, 2, 2147483647},
               {-2147483648.0, 1, std::numeric_limits<std::int32_t>::min()}};
  for (const auto& [min_score, scale, expected] : cases)
    EXPECT_EQ(api::scaled_min_score(min_score, scale), expected) << min_score << " in units of 1/" << scale;
  for (const auto& one : std::vector<std::pair<double, int>>{
           {2147483648.0, 1}, {-2147483649.0, 1}, {1073741824, 2}, {214748365, 10}, {1e300, 1}, {-1e18, 1}})
    expect_refusal("is out of the range of scores", [&] { api::scaled_min_score(one.first, one.second); });
  for (const double no_score : kUnusable)
    expect_refusal("takes a number such as 60", [&] { api::scaled_min_score(no_score, 1); });
}

TEST(CallOptions, NumbersThatAreNotBelowZero) {
  for (const double number : {0.0, 1e-300, 10.0, std::numeric_limits<double>::max()})
    EXPECT_NO_THROW(api::check_number("evalue", Numbers::size, number)) << number;
  const auto expect_refused = [](double number) {
    expect_refusal("evalue takes a number not below 0",
                   [&] { api::check_number("evalue", Numbers::size, number); });
  };
  expect_refused(-1e-300);
  expect_refused(-1);
  for (const double number : kUnusable) expect_refused(number);
}

TEST(CallOptions, CellsOfPairsThatThereAre) {
  const Database queries = set_of({"MKTAY", "", "MK"}), subjects = set_of({"MKT", "MKTAYIA"});
  const auto cells = [&](const std::vector<IndexPair>& pairs) {
    return api::cells_of(queries, subjects, pairs);
  };
  EXPECT_EQ(cells({}), 0u);
  EXPECT_EQ(cells({{0, 1}, {2, 0}, {1, 1}, {2, 0}}), 35u + 6 + 0 + 6);
  EXPECT_EQ(cells({{2, 1}, {3, 0}, {0, 2}, {UINT32_MAX, UINT32_MAX}}), 14u);
  EXPECT_EQ(api::cells_of(queries, subjects, Strands::plus), 7u * 10);
  EXPECT_EQ(api::cells_of(queries, subjects, Strands::minus), 7u * 10);
  EXPECT_EQ(api::cells_of(queries, subjects, Strands::both), 2u * 7 * 10);
}

TEST(CallOptions, DenominatorsAreTakenOnce) {
  using enum Denominator;
  EXPECT_THAT(api::each_once({}), ::testing::IsEmpty());
  EXPECT_THAT(api::each_once({longer, shorter, longer, longer, mean, shorter}),
              ::testing::ElementsAre(longer, shorter, mean));
}

// What makes a scoring without parameters worth a calibration.
TEST(CallOptions, WhatWantsStatistics) {
  const SearchOptions none{.significance = false};
  EXPECT_FALSE(api::wants_statistics(none));
  SearchOptions one = none;
  one.significance = true;
  EXPECT_TRUE(api::wants_statistics(one));
  one = none;
  one.evalue = 1;
  EXPECT_TRUE(api::wants_statistics(one));
  EXPECT_EQ(api::judged_limit(one), "evalue");
  one = none;
  one.score_histogram = true;
  EXPECT_TRUE(api::wants_statistics(one));
  one = none;
  one.statistics.method = StatisticsMethod::karlin;
  EXPECT_TRUE(api::wants_statistics(one));
  EXPECT_EQ(api::judged_limit(one), "");
}

}  // namespace
}  // namespace alnus::test
