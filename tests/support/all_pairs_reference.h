// One pair of all pairs, computed by definition.
#pragma once

#include <span>

#include "alnus/alignment.h"
#include "alnus/scoring.h"

namespace alnus::test {

// Aligns by the rule of docs/ties.md: the longer sequence is aligned as the query, and of equal lengths the
// one whose residues come first. In the result `first` is the query.
Alignment reference_of_all_pairs(std::span<const Residue> first, std::span<const Residue> second,
                                 const Scoring& scoring);
// Does the same if it is known which of the two is aligned as the query.
Alignment aligned_in_order(std::span<const Residue> first, std::span<const Residue> second,
                           const Scoring& scoring, bool first_is_query);

}  // namespace alnus::test
