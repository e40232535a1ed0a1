// lambda and K from the scores of random pairs; the finite-size parameters from how long alignments are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>

#include "stats/gumbel.h"

namespace alnus::stats {

using Histogram = std::map<std::int32_t, std::uint64_t>;  // how many pairs have a score

struct GumbelFit {
  ParameterEstimate lambda, K;  // errors from the observed information, as if all pairs were independent
};

// Maximum likelihood of P(S < s) = exp(-u), u = K * area(s) * exp(-lambda * s), for scores that are multiples
// of `step`. Sequences are not all of one composition, so that u differs from pair to pair: `spread` is the
// variance of what it is multiplied by, a gamma distribution of mean 1 (P(S < s) = (1 + spread * u)^(-1 /
// spread)). Needs two different scores.
GumbelFit fit_gumbel(const Histogram& scores, std::int32_t step, const std::function<double(double)>& area,
                     double spread = 0);

// An alignment's score and what it takes of the two sequences.
struct AlignedLengths {
  std::int32_t score = 0, query = 0, subject = 0;
};

// The slopes of mean, variance and covariance of the lengths over the score: alpha, alpha_v, sigma.
struct LengthFit {
  ParameterEstimate alpha, alpha_v, sigma;
};
// Needs two different scores.
LengthFit fit_lengths(std::span<const AlignedLengths> alignments);

}  // namespace alnus::stats
