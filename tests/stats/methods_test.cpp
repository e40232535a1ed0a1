// Which numbers each method of statistics gives a row (docs/statistics.md).
#include <gtest/gtest.h>
#include <set>

#include "alnus/statistics.h"

namespace alnus {
namespace {

TEST(StatisticsMethods, GiveTheirNumbers) {
  const auto methods_of = [](std::optional<double> Significance::*number) {
    std::set<StatisticsMethod> methods;
    for (const auto& word : kWords<StatisticsMethod>)
      if (gives(word.value, number)) methods.insert(word.value);
    return methods;
  };
  using enum StatisticsMethod;
  using Methods = std::set<StatisticsMethod>;
  EXPECT_EQ(methods_of(&Significance::evalue), (Methods{spouge, karlin, regression, zvalue}));
  EXPECT_EQ(methods_of(&Significance::bits), (Methods{spouge, karlin, regression}));
  EXPECT_EQ(methods_of(&Significance::adjusted_score), (Methods{spouge, karlin}));
  EXPECT_EQ(methods_of(&Significance::zscore), (Methods{regression, zvalue}));
  EXPECT_EQ(methods_of(&Significance::zscore_se), (Methods{zvalue}));
  EXPECT_EQ(methods_of(&Significance::zfit), (Methods{zvalue}));
}

}  // namespace
}  // namespace alnus
