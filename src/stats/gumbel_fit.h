// Fits lambda and K to the scores of random pairs, and the finite-size parameters to the lengths of
// alignments.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>

#include "stats/gumbel.h"

namespace alnus::stats {

using Histogram = std::map<std::int32_t, std::uint64_t>;  // number of pairs by score

struct GumbelFit {
  // The standard errors come from the second derivatives of the log-likelihood, for independent pairs.
  ParameterEstimate lambda, K;
};

// Fits lambda and K by maximum likelihood of P(S < s) = exp(-u), u = K * area(s) * exp(-lambda * s), for
// scores that are multiples of `step`; area(s) is the number of cells in which an alignment of score s can
// begin. Random sequences differ in composition, so that u differs from pair to pair: u is multiplied by a
// gamma variable of mean 1 and variance `spread`, which makes
//   P(S < s) = (1 + spread * u)^(-1 / spread).
// The caller must give at least two different scores.
GumbelFit fit_gumbel(const Histogram& scores, std::int32_t step, const std::function<double(double)>& area,
                     double spread = 0);

// The score of an alignment, and how many residues of the query and of the subject it has.
struct AlignedLengths {
  std::int32_t score = 0, query = 0, subject = 0;
};

// How the mean (alpha), the variance (alpha_v) and the covariance (sigma) of an alignment's two lengths grow
// with its score: residues, or squared residues, per score unit.
struct LengthFit {
  ParameterEstimate alpha, alpha_v, sigma;
};
// Fits alpha, alpha_v and sigma as slopes, by least squares. The caller must give at least two different
// scores.
LengthFit fit_lengths(std::span<const AlignedLengths> alignments);

}  // namespace alnus::stats
