// One pair of all pairs by definition.
#pragma once

#include <span>

#include "alnus/alignment.h"
#include "alnus/scoring.h"

namespace alnus::test {

// The rule of docs/ties.md: the longer sequence is the query, of equal lengths the one whose residues come
// first; the result is told with `first` as the query.
Alignment reference_of_all_pairs(std::span<const Residue> first, std::span<const Residue> second,
                                 const Scoring& scoring);
// The same where it is known which of the two is the query of the alignment.
Alignment aligned_in_order(std::span<const Residue> first, std::span<const Residue> second,
                           const Scoring& scoring, bool first_is_query);

}  // namespace alnus::test
