// Random sequences' letters: what statistics take as the model of unrelated sequences.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "alnus/matrix.h"

namespace alnus::stats {

// By Residue, summing to 1: the 20 amino acids as Robinson & Robinson (1991) counted them, or ACGT alike.
std::vector<double> background_frequencies(AlphabetKind alphabet);

// Of each score of a pair of random letters.
std::map<std::int32_t, double> score_probabilities(const SubstitutionMatrix& matrix,
                                                   const std::vector<double>& frequencies);

}  // namespace alnus::stats
