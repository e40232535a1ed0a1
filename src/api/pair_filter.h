// Warns of filters, values and sequences of all pairs that may not be what the user means.
#pragma once

#include "alnus/all_pairs.h"
#include "alnus/scoring.h"
#include "api/pair_run.h"
#include "engine/all_pairs_driver.h"

namespace alnus::api {

// Warns of filters, thresholds (of edges or sparse values) and values that may not be what the user means:
// identities that an alignment of a few residues can have; score distances in other modes than global; a
// lowest coverage in global mode, where every alignment has 100 percent; and a percentage between 0 and 1,
// where a fraction may be meant.
void warn_of_filters(const Scoring& scoring, const AllPairsOptions& options, const PairWishes& wishes,
                     session::Call& call);

// Warns of blank sequences (engine/blank_sequences.h) if score distances or the nearest are wanted. If
// neither is, but identities in global mode are, warns of sequences of X alone or N alone, which are
// identical to each other. If score distances are wanted, warns of sequences with X or N for half of their
// letters or more, too. Throws Interrupted.
void warn_of_blanks(const engine::AllPairs& pairs, const engine::AllPairsOptions& options, Mode mode,
                    session::Call& call);

}  // namespace alnus::api
