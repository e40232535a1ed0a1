// The distribution of X, minus the logarithm of a gamma variable. With shape 1 it is Gumbel's distribution,
// with a large shape nearly the normal one. P(X >= x) = P(shape, exp(-x)), where P(., .) is the regularized
// lower incomplete gamma function.
#pragma once

namespace alnus::stats {

struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0;  // kurtosis: 3 for a normal variable
};
Moments log_gamma_moments(double shape);

// Returns the shape that has this skewness, 0.05 to 2000. These limits have the skewness 1.99 and 0.02;
// beyond them the nearer limit is returned.
double log_gamma_shape(double skewness);

// Returns ln P(shape, exp(log_x)). The result does not underflow.
double log_lower_gamma(double shape, double log_x);

// Returns P(X >= x) of a chi-square variable X.
double chi_square_tail(double x, double degrees_of_freedom);

}  // namespace alnus::stats
