#include "core/pieces.h"

#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <utility>

namespace alnus {
namespace {

using NumberList = std::vector<std::uint32_t>;

TEST(Pieces, CoverEverythingOnceAndInTurn) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
  in_pieces(10, 4, StopFlag::never(),
            [&](std::uint64_t begin, std::uint64_t end) { pieces.emplace_back(begin, end); });
  EXPECT_EQ(pieces, (decltype(pieces){{0, 4}, {4, 8}, {8, 10}}));
}

TEST(Pieces, EndWhenAStopIsRequested) {
  StopFlag stop;
  int pieces = 0;
  const auto work = [&](std::uint64_t, std::uint64_t) {
    if (++pieces == 2) stop.request();
  };
  EXPECT_THROW(in_pieces(10, 1, stop, work), Interrupted);
  EXPECT_EQ(pieces, 2);
}

TEST(SortedNumbers, AreAllNumbersInTheOrderWanted) {
  std::mt19937 random(1);
  for (const std::uint32_t count : {0U, 1U, 2U, 1000U, 200'000U}) {
    std::vector<std::pair<unsigned, std::uint32_t>> keys;  // with the numbers, so that no two are equal
    for (std::uint32_t number = 0; number < count; ++number) keys.emplace_back(random() % 1000, number);
    const NumberList sorted = sorted_numbers(
        count, StopFlag::never(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::sort(keys.begin(), keys.end());
    NumberList expected;
    for (const auto& [key, number] : keys) expected.push_back(number);
    EXPECT_EQ(sorted, expected);
  }
}

TEST(SortedNumbers, EndAtTheComparisonAtWhichAStopIsRequested) {
  StopFlag requested;
  requested.request();
  const auto never_called = [](std::uint32_t, std::uint32_t) -> bool {
    throw std::runtime_error("compared");
  };
  EXPECT_THROW(sorted_numbers(1U, requested, never_called), Interrupted);
  StopFlag stop;
  int comparisons = 0;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (++comparisons == 500) stop.request();
    return a > b;
  };
  EXPECT_THROW(sorted_numbers(1000U, stop, before), Interrupted);
  EXPECT_EQ(comparisons, 500);
}

}  // namespace
}  // namespace alnus
