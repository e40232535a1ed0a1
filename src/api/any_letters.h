// The warning of queries that fit nearly everywhere, because most of their letters fit every letter.
#pragma once

#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "session/call.h"

namespace alnus::api {

// Warns of queries of which more than half is N (proteins: X), as masking makes it, if these score with every
// letter what a match scores. Scorings by differences are such (scoring_of(Differences)).
void warn_of_any_letters(const SequenceSet& queries, const Scoring& scoring, session::Call& call);

}  // namespace alnus::api
