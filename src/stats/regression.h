// The statistics method regression: E-values from the scores of the search itself, as ssearch36's -z 1
// (Pearson 1998, "Empirical statistical estimates for sequence similarity searches").
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "stats/evalue.h"
#include "stats/karlin.h"

namespace alnus::stats {

// The fit: unrelated subjects of n residues score mu + rho * 10 ln n on average, in the matrix' units. The
// variance of their scores does not depend on n.
struct RegressionFit {
  double rho = 0, mu = 0, variance = 0;
  std::uint64_t fitted = 0;   // number of subjects in the fit
  std::uint64_t trimmed = 0;  // subjects left out: their scores, or those of their length, are odd
};

struct ScoredLength {
  double score;  // in the matrix' units
  std::uint32_t length;
};

// Fits the scores of a query's subjects. The result is empty if the query is too short, if the subjects are
// too few (kFewestForRegression in alnus/statistics.h; fewer may be left after odd ones are left out) or have
// too few lengths, or if their scores do not vary. `ungapped` has the parameters of the matrix for its units,
// from which the score follows to which higher scores are limited.
std::optional<RegressionFit> fit_regression(std::span<const ScoredLength> scores, std::uint64_t query_length,
                                            const UngappedParameters& ungapped);

// Makes the judge of a query's scores.
ScoreJudgePtr regression_judge(const RegressionFit& fit, const Scoring& scoring, std::uint64_t query_length,
                               const SearchSpace& space);

}  // namespace alnus::stats
