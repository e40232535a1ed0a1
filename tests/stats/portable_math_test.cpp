#include "stats/portable_math.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace alnus::stats {
namespace {

constexpr double kError = 1e-15;

TEST(PortableMath, TheExponentialIsThatOfTheStandardLibrary) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> small(-1, 1), large(-700, 700);
  for (int k = 0; k < 200'000; ++k) {
    const double x = k % 2 == 0 ? small(random) : large(random);
    const double expected = std::exp(x);
    EXPECT_NEAR(portable_exp(x), expected, kError * expected * std::max(1.0, std::abs(x) / 16)) << x;
  }
  EXPECT_EQ(portable_exp(0), 1);
}

TEST(PortableMath, TheLogarithmIsThatOfTheStandardLibrary) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> near(0.5, 2), exponents(-700, 700);
  for (int k = 0; k < 200'000; ++k) {
    const double x = k % 2 == 0 ? near(random) : std::exp(exponents(random));
    const double expected = std::log(x);
    EXPECT_NEAR(portable_log(x), expected, kError * std::max(1.0, std::abs(expected))) << x;
  }
  EXPECT_EQ(portable_log(1), 0);
}

// A change of the last bit anywhere changes the digest: it must be the same on every machine and with every
// compiler.
TEST(PortableMath, EveryBitIsTheSameEverywhere) {
  std::uint64_t digest = 0;
  const auto add = [&](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    digest = (digest ^ bits) * 0x100000001b3;
  };
  std::mt19937_64 random(3);
  for (int k = 0; k < 100'000; ++k) {
    const double x = static_cast<double>(random() >> 11) / (std::uint64_t{1} << 53) * 40 - 20;
    add(portable_exp(x));
    add(portable_log(portable_exp(x)));
  }
  EXPECT_EQ(digest, 12747188615042583258U);
}

}  // namespace
}  // namespace alnus::stats
