// The worth of scores of a query whose composition differs from the background.
#pragma once

#include <span>

#include "alnus/scoring.h"

namespace alnus::stats {

// Returns the factor, 0 to 1, by which lambda is scaled for this query: the ungapped lambda between the
// query's composition and the background, divided by the ungapped lambda between background and background.
// blastp's -comp_based_stats 1 scales lambda like this (Schaffer et al. 2001, Nucleic Acids Res. 29:2994). A
// ratio above 1 is returned as 1: no score is worth more than the parameters say. The factor is 0 if the
// expected score of the query's letters with background letters is 0 or more. It is 1 if the query has none
// of the background's letters, and if background letters have no ungapped lambda.
double worth_of_scores(std::span<const Residue> query, const Scoring& scoring);

}  // namespace alnus::stats
