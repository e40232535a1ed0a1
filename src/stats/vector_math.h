// Exponentials and logarithms whose results are the same bits on every machine: of additions, multiplications
// and divisions alone, which IEEE 754 rounds, in a fixed order. (C libraries differ in the last bit.) Several
// values at a time: translation units compile this for different instruction sets. Sums must not be fused
// (-ffp-contract=off).
#pragma once

#include <cstdint>

namespace alnus::stats {

template <int kLanes>
struct VectorMath {
  typedef double Vec __attribute__((vector_size(8 * kLanes)));
  typedef std::int64_t Bits __attribute__((vector_size(8 * kLanes)));

  // ln 2 in two parts: the product of the first part and a small integer is exact.
  static constexpr double kLn2High = 0x1.62e42fefap-1, kLn2Low = 0x1.cf79abc9e3b39p-40;
  static constexpr int kExponentBias = 1023, kMantissaBits = 52;

  __attribute__((always_inline)) static Vec set1(double x) { return x - Vec{}; }
  // `a` where the mask's bits are set, else `b`.
  __attribute__((always_inline)) static Vec select(Bits mask, Vec a, Vec b) {
    return (Vec)((mask & (Bits)a) | (~mask & (Bits)b));
  }
  __attribute__((always_inline)) static Vec abs(Vec x) { return (Vec)((Bits)x & ~((Bits)set1(-0.0))); }
  __attribute__((always_inline)) static Vec max(Vec a, Vec b) { return select((Bits)(a > b), a, b); }
  __attribute__((always_inline)) static Vec min(Vec a, Vec b) { return select((Bits)(a < b), a, b); }

  // The exponential of x between -700 and 700; its error is below 1e-15 of the result for small x.
  __attribute__((always_inline)) static Vec exp(Vec x) {
    constexpr double kLog2E = 0x1.71547652b82fep+0, kRound = 0x1.8p52;  // adding kRound rounds to an integer
    const Vec shifted = x * kLog2E + kRound, power = shifted - kRound;
    const Vec rest = (x - power * kLn2High) - power * kLn2Low;  // at most ln(2) / 2 on either side of 0
    constexpr double kFactorials[] = {
        1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800, 87178291200};
    constexpr int kTerms = 14;
    Vec sum = set1(1 / kFactorials[kTerms]);  // the Taylor series
    for (int k = kTerms - 1; k >= 0; --k) sum = sum * rest + 1 / kFactorials[k];
    // The low bits of `shifted` are the integer.
    return sum * (Vec)(((Bits)shifted + kExponentBias) << kMantissaBits);
  }

  // The natural logarithm of x, which is above 0 and not subnormal.
  __attribute__((always_inline)) static Vec log(Vec x) {
    constexpr std::int64_t kMantissa = (std::int64_t{1} << kMantissaBits) - 1,
                           kOne = std::int64_t{kExponentBias} << kMantissaBits;
    constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0, kTwo52 = 0x1p52;
    const Vec given = (Vec)(((Bits)x & kMantissa) | kOne);  // 1 to 2
    const Bits large = (Bits)(given > kSqrt2);
    const Vec mantissa = select(large, given * 0.5, given);
    // An integer in the low bits of 2^52 is added to it.
    const Vec exponent = (Vec)(((Bits)x >> kMantissaBits) | (Bits)set1(kTwo52)) - (kTwo52 + kExponentBias);
    const Vec power = exponent + (Vec)(large & (Bits)set1(1));
    // ln m = 2 artanh(t), t = (m - 1) / (m + 1), and t * t is at most 0.0295.
    const Vec t = (mantissa - 1) / (mantissa + 1), square = t * t;
    constexpr int kLast = 21;
    Vec sum{};
    for (int k = kLast; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
    return power * kLn2High + (2 * t + (2 * t * sum + power * kLn2Low));
  }
};

}  // namespace alnus::stats
