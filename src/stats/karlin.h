// Parameters of ungapped local alignments from a distribution of pair scores (Karlin & Altschul 1990).
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::stats {

// `probabilities`: of each score of a pair of random letters, summing to 1; empty or with a mean of 0
// or more (no such statistics exist), or without a positive score, is the caller's error.
UngappedParameters ungapped_parameters(const std::map<std::int32_t, double>& probabilities);

// lambda alone. Empty where the mean is 0 or more, or no score is positive.
std::optional<double> ungapped_lambda(const std::map<std::int32_t, double>& probabilities);

// Of the scoring's matrix, between sequences of background letters, lambda per score unit of the user. Empty
// where such statistics do not exist.
std::optional<UngappedParameters> ungapped_parameters(const Scoring& scoring);

}  // namespace alnus::stats
