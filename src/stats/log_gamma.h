// The distribution of minus the logarithm of a gamma variable: Gumbel's where its shape is 1, the normal one
// where it is large. P(X >= x) = P(shape, exp(-x)), P the regularized lower incomplete gamma function.
#pragma once

namespace alnus::stats {

struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0;  // a normal variable has kurtosis 3
};
Moments log_gamma_moments(double shape);

// The shape whose skewness this is; the nearest that is handled for those out of reach.
double log_gamma_shape(double skewness);

// ln P(shape, exp(log_x)); does not underflow.
double log_lower_gamma(double shape, double log_x);

// P(X >= x) of a chi-square variable.
double chi_square_tail(double x, double degrees_of_freedom);

}  // namespace alnus::stats
