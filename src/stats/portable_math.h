// Exponentials and logarithms whose results are the same bits on every machine, GPUs included. They consist
// of additions, multiplications and divisions in a fixed order, whose rounding IEEE 754 defines. (C libraries
// differ in the last bit.) The compiler must not fuse multiplications and additions (-ffp-contract=off,
// -fmad=false).
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define ALNUS_PORTABLE __host__ __device__ __forceinline__
#else
#define ALNUS_PORTABLE __attribute__((always_inline))
#endif

namespace alnus::stats {

// `Lanes` says how many values are computed at a time: stats/one_lane.h, stats/vector_math.h.
template <class Lanes>
struct PortableMath : Lanes {
  using Lanes::above;
  using Lanes::bits;
  using Lanes::from_bits;
  using Lanes::set1;
  using typename Lanes::Bits;
  using typename Lanes::Vec;

  // ln 2 in two parts: the product of the first part and a small integer is exact.
  static constexpr double kLn2High = 0x1.62e42fefap-1, kLn2Low = 0x1.cf79abc9e3b39p-40;
  static constexpr int kExponentBias = 1023, kMantissaBits = 52;
  static constexpr double kRound = 0x1.8p52;  // the low bits of x + kRound are x, rounded to an integer

  // Returns `a` in the lanes where the mask's bits are set, and `b` in the others.
  ALNUS_PORTABLE static Vec select(Bits mask, Vec a, Vec b) {
    return from_bits((mask & bits(a)) | (~mask & bits(b)));
  }
  ALNUS_PORTABLE static Vec abs(Vec x) { return from_bits(bits(x) & ~bits(set1(-0.0))); }
  ALNUS_PORTABLE static Vec max(Vec a, Vec b) { return select(above(a, b), a, b); }
  ALNUS_PORTABLE static Vec min(Vec a, Vec b) { return select(above(b, a), a, b); }

  // Returns the exponential of x, -700 <= x <= 700. The relative error is below 1e-15.
  ALNUS_PORTABLE static Vec exp(Vec x) {
    constexpr double kLog2E = 0x1.71547652b82fep+0;
    const Vec shifted = x * kLog2E + kRound, power = shifted - kRound;
    const Vec rest = (x - power * kLn2High) - power * kLn2Low;  // at most ln(2) / 2 on either side of 0
    constexpr double kFactorials[] = {
        1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800, 87178291200};
    constexpr int kTerms = 14;
    Vec sum = set1(1 / kFactorials[kTerms]);  // the Taylor series of exp(rest), from its last term on
    for (int k = kTerms - 1; k >= 0; --k) sum = sum * rest + 1 / kFactorials[k];
    return sum * from_bits((bits(shifted) + kExponentBias) << kMantissaBits);
  }

  // Returns the natural logarithm of x. x must be above 0 and not subnormal.
  ALNUS_PORTABLE static Vec log(Vec x) {
    constexpr std::int64_t kMantissa = (std::int64_t{1} << kMantissaBits) - 1,
                           kOne = std::int64_t{kExponentBias} << kMantissaBits;
    constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0, kTwo52 = 0x1p52;
    const Vec given = from_bits((bits(x) & kMantissa) | kOne);  // mantissa of x, 1 to 2
    const Bits large = above(given, set1(kSqrt2));
    const Vec mantissa = select(large, given * 0.5, given);
    // The exponent as a double: setting the low bits of 2^52 to an integer adds the integer to 2^52.
    const Vec exponent =
        from_bits((bits(x) >> kMantissaBits) | bits(set1(kTwo52))) - (kTwo52 + kExponentBias);
    const Vec power = exponent + from_bits(large & bits(set1(1)));
    // ln m = 2 artanh(t), t = (m - 1) / (m + 1), and t * t is at most 0.0295.
    const Vec t = (mantissa - 1) / (mantissa + 1), square = t * t;
    constexpr int kLast = 21;
    Vec sum{};
    for (int k = kLast; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
    return power * kLn2High + (2 * t + (2 * t * sum + power * kLn2Low));
  }
};

}  // namespace alnus::stats
