#include "stats/portable_math.h"

#include <bit>
#include <cstdint>

namespace alnus::stats {
namespace {

// ln 2 in two parts: the product of the first part and a small integer is exact.
constexpr double kLn2High = 0x1.62e42fefap-1, kLn2Low = 0x1.cf79abc9e3b39p-40;
constexpr int kExponentBias = 1023, kMantissaBits = 52;

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias) << kMantissaBits);
}

}  // namespace

double portable_exp(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  const int power = static_cast<int>(x * kLog2E + (x < 0 ? -0.5 : 0.5));
  const double rest = (x - power * kLn2High) - power * kLn2Low;  // at most ln(2) / 2 on either side of 0
  constexpr int kTerms = 14;
  double sum = 1;  // the Taylor series, from its last term
  for (int k = kTerms; k >= 1; --k) sum = 1 + sum * rest / k;
  return sum * power_of_two(power);
}

double portable_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int power = static_cast<int>(bits >> kMantissaBits) - kExponentBias;
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << kMantissaBits) - 1;
  double mantissa = std::bit_cast<double>((bits & kMantissa) | std::uint64_t{kExponentBias} << kMantissaBits);
  constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;
  if (mantissa > kSqrt2) {
    mantissa /= 2;
    ++power;
  }
  // ln m = 2 artanh(t), t = (m - 1) / (m + 1), and t * t is at most 0.0295.
  const double t = (mantissa - 1) / (mantissa + 1), square = t * t;
  constexpr int kLast = 21;
  double sum = 0;
  for (int k = kLast; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
  return power * kLn2High + (2 * t + (2 * t * sum + power * kLn2Low));
}

}  // namespace alnus::stats
