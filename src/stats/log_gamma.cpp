#include "stats/log_gamma.h"

#include <cmath>
#include <limits>
#include <math.h>  // lgamma_r, of POSIX

namespace alnus::stats {
namespace {

// The function psi, which is the derivative of ln Gamma, and its first three derivatives. For x of 20 or more
// they are asymptotic series; the terms that these leave out are then below 1e-12. For lower x recurrences
// tell by how much the values at x and at x + 1 differ. Abramowitz & Stegun have the recurrences (6.3.5 and
// 6.4.6) and the series (6.3.18 and 6.4.11 to 6.4.14).
struct Polygamma {
  double psi = 0, first = 0, second = 0, third = 0;
};
Polygamma polygamma(double x) {
  constexpr double kAsymptotic = 20;
  Polygamma p;
  while (x < kAsymptotic) {
    p.psi -= 1 / x;
    p.first += 1 / (x * x);
    p.second -= 2 / (x * x * x);
    p.third += 6 / (x * x * x * x);
    ++x;
  }
  const double y = 1 / x, y2 = y * y;
  p.psi += std::log(x) - y / 2 - y2 * (1 / 12.0 - y2 * (1 / 120.0 - y2 / 252));
  p.first += y + y2 / 2 + y * y2 * (1 / 6.0 - y2 * (1 / 30.0 - y2 / 42));
  p.second += -y2 - y * y2 - y2 * y2 * (0.5 - y2 * (1 / 6.0 - y2 / 6));
  p.third += 2 * y * y2 + 3 * y2 * y2 + y * y2 * y2 * (2 - y2 * (1 - y2 * 4 / 3));
  return p;
}

// Returns ln Gamma(a). std::lgamma would write the sign to a global variable, which threads share.
double log_gamma(double a) {
  int sign = 0;
  return ::lgamma_r(a, &sign);
}

// Returns the logarithm of exp(-x) x^a / Gamma(a), the factor that the series and the continued fraction
// below have in common (Abramowitz & Stegun 6.5.29, 6.5.31).
double log_factor(double a, double log_x) { return a * log_x - std::exp(log_x) - log_gamma(a); }

// Returns ln P(a, x), the logarithm of the regularized lower incomplete gamma function, by its series, for x
// < a + 1.
double log_lower_series(double a, double log_x) {
  const double x = std::exp(log_x);
  double term = 1 / a, sum = term;
  for (double n = a + 1; term > sum * std::numeric_limits<double>::epsilon(); ++n) sum += term *= x / n;
  return log_factor(a, log_x) + std::log(sum);
}

// Returns Q(a, x) = 1 - P(a, x) by Lentz's continued fraction, for x > a + 1.
double upper_fraction(double a, double log_x) {
  constexpr double kTiny = 1e-300;
  const double x = std::exp(log_x);
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, value = d;
  for (double n = 1, change = 0; std::abs(change - 1) > std::numeric_limits<double>::epsilon(); ++n) {
    b += 2;
    const double numerator = -n * (n - a);
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    value *= change = c * d;
  }
  return std::exp(log_factor(a, log_x)) * value;
}

bool series_converges(double a, double log_x) { return log_x < std::log(a + 1); }

}  // namespace

Moments log_gamma_moments(double shape) {
  const Polygamma p = polygamma(shape);
  return {-p.psi, p.first, -p.second / std::pow(p.first, 1.5), 3 + p.third / (p.first * p.first)};
}

double log_gamma_shape(double skewness) {
  constexpr double kLeast = 0.05, kMost = 2000;  // skewness 1.99 and 0.02
  double low = std::log(kLeast), high = std::log(kMost);
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (log_gamma_moments(std::exp(middle)).skewness > skewness ? low : high) = middle;
  }
  return std::exp(high);
}

double log_lower_gamma(double shape, double log_x) {
  constexpr double kCertain = 20;
  if (log_x > kCertain) return 0;
  return series_converges(shape, log_x) ? log_lower_series(shape, log_x)
                                        : std::log1p(-upper_fraction(shape, log_x));
}

double chi_square_tail(double x, double degrees_of_freedom) {
  const double a = degrees_of_freedom / 2, log_x = std::log(x / 2);
  return series_converges(a, log_x) ? -std::expm1(log_lower_series(a, log_x)) : upper_fraction(a, log_x);
}

}  // namespace alnus::stats
