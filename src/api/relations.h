// Relations of all pairs: which options go together with them, and how they are resolved.
#pragma once

#include <span>

#include "alnus/all_pairs.h"
#include "api/pair_run.h"
#include "engine/all_pairs_driver.h"
#include "session/call.h"

namespace alnus::api {

// Throws Error(input) for relations that alnus::check_relations() refuses, or that do not go together with
// the other options or the wanted results.
void check_relations(const AllPairsOptions& options, const PairWishes& wishes);

// Throws Error(input) for relations whose E-values depend on all sequences: sequences that are added
// (PairInputs::added) would change the edges that are there.
void check_relations_extend(std::span<const Relation> relations);

// Sets scoring and statistics of each of the options' relations and, if one needs E-values, the statistics of
// the options, which are logged and described. `scoring`: that of the call. The search space of E-values is
// that of `chosen` or, if it names none, all sequences of the call.
void resolve_relations(const Scoring& scoring, const engine::AllPairs& pairs, const StatisticsOptions& chosen,
                       engine::AllPairsOptions& options, session::Call& call);

}  // namespace alnus::api
