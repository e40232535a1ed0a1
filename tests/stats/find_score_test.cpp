#include "stats/find_score.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace alnus::stats {
namespace {

constexpr std::int32_t kMost = (1 << 30) - 1;

// From wherever the search begins, it finds the same score, and the sooner the nearer it begins.
TEST(FindLowestScore, IsTheFirstThatSuffices) {
  constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t lowest :
       {0, 1, 2, 3, 4, 7, 8, 9, 100, 1023, 1024, 1025, 1'000'000, kMost / 2, kMost - 1, kMost, kHighest})
    for (const std::int64_t near :
         {std::int64_t{-5}, std::int64_t{0}, std::int64_t{1}, lowest - 2, lowest - 1, lowest, lowest + 1,
          lowest + 2, lowest / 2, 2 * lowest + 3, std::int64_t{kMost}, std::int64_t{kHighest}}) {
      const auto given = static_cast<std::int32_t>(
          std::clamp<std::int64_t>(near, std::numeric_limits<std::int32_t>::min(), kHighest));
      int calls = 0;
      const std::int32_t found = find_lowest_score(
          [&](std::int32_t score) {
            ++calls;
            EXPECT_TRUE(score >= 0 && score <= kMost) << score;
            return score >= lowest;
          },
          given);
      const std::int64_t expected = std::min<std::int64_t>(lowest, kMost);
      EXPECT_EQ(found, expected) << lowest << " from " << near;
      const std::int64_t begin = std::clamp<std::int64_t>(near, 0, kMost);
      const auto distance = static_cast<double>(std::abs(begin - expected));
      EXPECT_TRUE(lowest > kMost || calls <= 2 * std::log2(distance + 1) + 4) << lowest << " from " << near;
    }
}

}  // namespace
}  // namespace alnus::stats
