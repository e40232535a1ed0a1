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

// Warns of filters and of a threshold of edges or sparse values that may not do what is meant: by an identity
// that a few residues may have, by a coverage that every alignment has, or by less than one percent.
void warn_of_filters(const Scoring& scoring, const AllPairsOptions& options, const PairWishes& wishes,
                     Call& call);

}  // namespace alnus::api
