// The parameters of local scores of random sequences, with those of the finite-size correction.
#pragma once

#include <cstdint>

#include "stats/karlin.h"

namespace alnus::stats {

// P(S >= y) = 1 - exp(-K * area(y) * exp(-lambda * y)). The lengths that an alignment of score y takes of the
// sequences have mean alpha * y + beta, and variance and covariance that grow by alpha_v and sigma with y.
// Per unit of y, which is the caller's; lengths in residues. Published tables have the same columns.
struct GumbelParameters {
  double lambda = 0, K = 0, H = 0, alpha = 0, beta = 0, alpha_v = 0, sigma = 0;
  double alpha_ungapped = 0, alpha_v_ungapped = 0;
};

// The places of sequences of m and n residues where an alignment of this score can begin, on average.
// `first_gap`: what a gap of one residue costs. Park, Sheetlin, Ma, Madden & Spouge (2012), BMC Research
// Notes 5:286.
double finite_size_area(const GumbelParameters& parameters, double first_gap, double score, double m,
                        double n);

struct Estimate {
  double value = 0, error = 0;  // standard error
};

// What a simulation has found out, per score unit of the user (unscaled).
struct Calibration {
  Estimate lambda{}, K{}, alpha{}, alpha_v{}, sigma{};
  double beta = 0;
  UngappedParameters ungapped{};
  std::uint64_t pairs = 0, length = 0;  // that were simulated: pairs of sequences of this length; 0: none
  double precision = 0;                 // that was asked for
  double seconds = 0;                   // that it took

  // H is lambda / alpha, an estimate: it is exact without gaps.
  GumbelParameters parameters() const;
};

}  // namespace alnus::stats
