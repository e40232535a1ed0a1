// Random numbers, orders and sequences are the same on every machine and in every release: results that were
// made with them, such as Z-values and calibrations, can be made again.
#include "core/split_mix.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "support/sequences.h"

namespace alnus {
namespace {

// The first numbers of the published generator, started from 0.
TEST(SplitMix, GivesThePublishedNumbers) {
  EXPECT_EQ(split_mix(kSplitMixStep), 0xe220a8397b1dcdafu);
  EXPECT_EQ(split_mix(2 * kSplitMixStep), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(split_mix(3 * kSplitMixStep), 0x06c45d188009454fu);
  SplitMixRandom random(0);  // each half of such a number is one, the lower one first
  for (const std::uint32_t half :
       {0x7b1dcdafu, 0xe220a839u, 0xa1b965f4u, 0x6e789e6au, 0x8009454fu, 0x06c45d18u})
    EXPECT_EQ(random.below(1u << 31), half >> 1);
}

// A quarter of all 32-bit numbers must be drawn again for this limit. Otherwise, or if more are drawn again,
// the three rests are not equally frequent.
TEST(SplitMix, NumbersBelowALimitAreEquallyFrequent) {
  SplitMixRandom random(1);
  constexpr std::uint32_t kLimit = 3u << 30, kCount = 30'000;
  std::array<double, 3> rests{};
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const std::uint32_t number = random.below(kLimit);
    ASSERT_LT(number, kLimit);
    rests[number % 3] += 1.0 / kCount;
  }
  for (const double share : rests) EXPECT_NEAR(share, 1.0 / 3, 0.02);  // 7 standard deviations
  for (int k = 0; k < 10; ++k) EXPECT_EQ(random.below(1), 0u);
}

TEST(SplitMix, ShufflesAreTheSameEverywhere) {
  test::Residues residues(12), shuffled(12);
  std::iota(residues.begin(), residues.end(), Residue{0});
  const auto expect = [&](std::uint64_t seed, std::uint32_t number, const test::Residues& expected) {
    Shuffler(residues, seed).shuffle(number, shuffled.data());
    EXPECT_EQ(shuffled, expected) << seed << ' ' << number;
  };
  expect(7, 3, {5, 0, 7, 1, 9, 10, 4, 11, 3, 6, 8, 2});
  expect(7, 0, {8, 0, 5, 11, 9, 6, 2, 3, 7, 10, 1, 4});
  expect(8, 3, {1, 9, 0, 10, 7, 2, 5, 3, 8, 4, 11, 6});
}

}  // namespace
}  // namespace alnus
