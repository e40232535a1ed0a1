#include "stats/gumbel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace alnus {
namespace stats {

double finite_size_area(const GumbelParameters& p, double first_gap, double score, double m, double n) {
  const double beta_v = 2 * first_gap * (p.alpha_v_ungapped - p.alpha_v),
               tau = 2 * first_gap * (p.alpha_v_ungapped - p.sigma);
  const double length = p.alpha * score + p.beta,
               deviation = std::sqrt(std::max(2 * p.alpha_v / p.lambda, p.alpha_v * score + beta_v)),
               covariance = std::max(2 * p.sigma / p.lambda, p.sigma * score + tau);
  struct Side {
    // The probability that an alignment of this score is no longer than the sequence, and the mean number of
    // residues where it can begin: Phi(F(L)) and p(L) of docs/calibration.md.
    double fits, room;
  };
  const auto side = [&](double residues) {
    const double left = residues - length, t = left / deviation;
    const double fits = std::erfc(-t / std::numbers::sqrt2) / 2;
    return Side{fits, left * fits + deviation * std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi)};
  };
  const Side query = side(m), subject = side(n);
  return query.room * subject.room + covariance * query.fits * subject.fits;
}

}  // namespace stats

GumbelParameters Calibration::parameters() const {
  return {lambda.value, K.value,        lambda.value / alpha.value,
          alpha.value,  beta,           alpha_v.value,
          sigma.value,  ungapped.alpha, ungapped.alpha_v};
}

}  // namespace alnus
