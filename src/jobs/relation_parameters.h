// How pairs are aligned and judged to find out if they have a relation, for runs and for what files say of
// them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/relation.h"
#include "alnus/scoring.h"
#include "alnus/strand.h"
#include "io/certificate.h"

namespace alnus::jobs {

// The kind of value that the edges of a single relation have; empty for none, several, and related.
std::optional<MatrixValue> value_of(std::span<const Relation> relations);

// The scoring by which pairs are aligned to find out if they have a relation.
Scoring scoring_of(RelationKind kind, const Scoring& of_call, AlphabetKind alphabet);

// How pairs are aligned and judged, for certificates: matrix, gap costs, mode, strands and, depending on the
// relation, what identities are divided by and the limit of E-values. `scoring`: that of the call.
std::map<std::string, std::string> parameters_of(const Relation& relation, const Scoring& scoring,
                                                 Strands strands);
// The relations as a certificate has them, with parameters_of() each.
std::vector<io::Certificate::Relation> relations_of(std::span<const Relation> relations,
                                                    const Scoring& scoring, Strands strands);

}  // namespace alnus::jobs
