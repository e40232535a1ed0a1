// Score distributions of random letters. Background in alnus/statistics.h has the frequencies of letters.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "alnus/alphabet.h"
#include "alnus/matrix.h"
#include "alnus/statistics.h"

namespace alnus::stats {

// Returns the probability of each score of a pair of random letters, by score in the matrix' integers.
std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix, const Background& query,
                                           const Background& subject);
inline std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix,
                                                  const Background& background) {
  return pair_scores(matrix, background, background);
}

// Returns the frequencies of the background's letters in a sequence, in which lower case counts, too. Empty
// if the sequence has none of these letters.
Background composition_of(std::span<const Residue> residues, AlphabetKind alphabet);

}  // namespace alnus::stats
