// Relations of all pairs: which options go together with them, and how pairs are aligned to find them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

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

// The kind of value that the edges of a single relation have; empty for none, several, and related.
std::optional<MatrixValue> value_of(std::span<const Relation> relations);

// Sets scoring and statistics of each of the options' relations and, if one needs E-values, the statistics of
// the options, which are logged and described. `scoring`: that of the call. The search space of E-values is
// that of `chosen` or, if it names none, all sequences of the call.
void resolve_relations(const Scoring& scoring, const engine::AllPairs& pairs, const StatisticsOptions& chosen,
                       engine::AllPairsOptions& options, session::Call& call);

// How pairs are aligned and judged to find out if they have a relation, for certificates: matrix, gap costs,
// mode, strands and, depending on the relation, what identities are divided by and the limit of E-values.
// `scoring`: that of the call.
std::map<std::string, std::string> parameters_of(const Relation& relation, const Scoring& scoring,
                                                 Strands strands);

}  // namespace alnus::api
