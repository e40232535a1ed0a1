// Parameters of ungapped local alignments from a distribution of pair scores (Karlin & Altschul 1990).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::stats {

// Returns the parameters for these probabilities of the scores of two random letters, per unit of these
// scores. The caller must make sure that the probabilities sum to 1, that the mean score is below 0, and that
// a score is positive: otherwise such statistics do not exist.
UngappedParameters ungapped_parameters(const std::map<std::int32_t, double>& probabilities);

// Returns lambda alone, per unit of these scores; empty if the mean is 0 or more, or if no score is positive.
std::optional<double> ungapped_lambda(const std::map<std::int32_t, double>& probabilities);

// Returns the parameters of the scoring's matrix between sequences of these letters, or of the alphabet's
// default background, for scores in the matrix' units; empty if such statistics do not exist.
std::optional<UngappedParameters> ungapped_parameters(const Scoring& scoring, const Background& background);
std::optional<UngappedParameters> ungapped_parameters(const Scoring& scoring);

// Returns the parameters of the scoring's matrix between this query's letters and background letters, as
// blastp and blastn print them for each query, for scores in the matrix' units. If such statistics do not
// exist for the query (its letters score 0 or more on average, or it has none), the result is that of
// background letters on both sides.
std::optional<UngappedParameters> ungapped_parameters(std::span<const Residue> query, const Scoring& scoring);

}  // namespace alnus::stats
