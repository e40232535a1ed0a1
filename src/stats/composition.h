// Queries whose letters are not the background's.
#pragma once

#include <span>

#include "alnus/scoring.h"

namespace alnus::stats {

// What a score of this query is worth beside the same score of a query of background letters, 0 to 1: the
// ratio of the lambdas of ungapped alignments with a background sequence, which scales lambda as blastp's
// -comp_based_stats 1 does (Schaffer et al. 2001, Nucleic Acids Res. 29:2994). More than 1 is told as 1: no
// score is worth more than the parameters say. 0: letters that align with random ones at a profit.
double worth_of_scores(std::span<const Residue> query, const Scoring& scoring);

}  // namespace alnus::stats
