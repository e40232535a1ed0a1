// The filter of all pairs: checked, scaled, and whether it is one to be warned of.
#pragma once

#include "alnus/all_pairs.h"
#include "alnus/scoring.h"
#include "api/all_pairs.h"
#include "engine/all_pairs.h"

namespace alnus::api {

class Call;

// Throws Error(input) for a value that is out of range.
void check(const PairFilter& filter);

engine::ScaledFilter scaled(const PairFilter& filter, int scale);

// Warns of a filter, or a threshold of edges, by an identity that a few residues may have.
void warn_of_short_alignments(const Scoring& scoring, const AllPairsOptions& options,
                              const PairWishes& wishes, Call& call);

}  // namespace alnus::api
