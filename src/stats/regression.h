// E-values from the scores of the search itself: ssearch36's -z 1 (Pearson 1998, "Empirical statistical
// estimates for sequence similarity searches").
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "stats/evalue.h"
#include "stats/karlin.h"

namespace alnus::stats {

// Unrelated subjects of n residues score mu + rho * 10 ln n on average, in units of the user, with the same
// variance whatever their length.
struct RegressionFit {
  double rho = 0, mu = 0, variance = 0;
  std::uint64_t fitted = 0;   // subjects of which that was found
  std::uint64_t trimmed = 0;  // others, left out: related to the query, or of lengths with odd scores
};

struct ScoredLength {
  double score;  // in units of the user
  std::uint32_t length;
};

// Empty where the scores do not suffice. `ungapped`: of the matrix; they tell from where on scores are so
// high that they only count as high.
std::optional<RegressionFit> fit_regression(std::span<const ScoredLength> scores, std::uint64_t query_length,
                                            const UngappedParameters& ungapped);

ScoreJudgePtr regression_judge(const RegressionFit& fit, const Scoring& scoring, std::uint64_t query_length,
                               const SearchSpace& space);

}  // namespace alnus::stats
