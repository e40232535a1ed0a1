// Checks the filter of all pairs, and warns of filters, values and sequences that may not be what
// the user means.
#pragma once

#include "alnus/all_pairs.h"
#include "alnus/scoring.h"
#include "api/pair_run.h"
#include "engine/all_pairs_driver.h"

namespace alnus::session {
class Call;
}

namespace alnus::api {

// Throws Error(input) for a value that is out of range.
void check(const PairFilter& filter);

// Warns of filters, thresholds (of edges or sparse values) and values that may not be what the user means: an
// identity that an alignment of a few residues can have, a score distance that is not global, a coverage in
// global mode, where every alignment has it, and a percentage between 0 and 1, where a fraction may be meant.
void warn_of_filters(const Scoring& scoring, const AllPairsOptions& options, const PairWishes& wishes,
                     session::Call& call);

// Warns of blank sequences (engine/blank_sequences.h) if score distances or the nearest are wanted, or if
// identities in global mode are, in which those of X alone are identical to each other; and of sequences that
// are half unknown if score distances are wanted. Throws Interrupted.
void warn_of_blanks(const engine::AllPairs& pairs, const engine::AllPairsOptions& options, Mode mode,
                    session::Call& call);

}  // namespace alnus::api
