#include "stats/vector_math.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace alnus::stats {
namespace {

constexpr double kError = 1e-15;

using Math = VectorMath<2>;
double exponential(double x) { return Math::exp(Math::set1(x))[0]; }
double logarithm(double x) { return Math::log(Math::set1(x))[1]; }

TEST(VectorMathTest, TheExponentialIsThatOfTheStandardLibrary) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> small(-1, 1), large(-700, 700);
  for (int k = 0; k < 200'000; ++k) {
    const double x = k % 2 == 0 ? small(random) : large(random);
    const double expected = std::exp(x);
    EXPECT_NEAR(exponential(x), expected, kError * expected * std::max(1.0, std::abs(x) / 16)) << x;
  }
  EXPECT_EQ(exponential(0), 1);
}

TEST(VectorMathTest, TheLogarithmIsThatOfTheStandardLibrary) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> near(0.5, 2), exponents(-700, 700);
  for (int k = 0; k < 200'000; ++k) {
    const double x = k % 2 == 0 ? near(random) : std::exp(exponents(random));
    const double expected = std::log(x);
    EXPECT_NEAR(logarithm(x), expected, kError * std::max(1.0, std::abs(expected))) << x;
  }
  EXPECT_EQ(logarithm(1), 0);
}

// If the last bit of any value changes, the digest changes. It must be the same on all machines and with all
// compilers.
TEST(VectorMathTest, EveryBitIsTheSameEverywhere) {
  std::uint64_t digest = 0;
  const auto add = [&](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    digest = (digest ^ bits) * 0x100000001b3;
  };
  std::mt19937_64 random(3);
  for (int k = 0; k < 100'000; ++k) {
    const double x = static_cast<double>(random() >> 11) / (std::uint64_t{1} << 53) * 40 - 20;
    add(exponential(x));
    add(logarithm(exponential(x)));
  }
  EXPECT_EQ(digest, 2367016277460241862U);
}

}  // namespace
}  // namespace alnus::stats
