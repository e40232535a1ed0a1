// Score distributions of random letters. Background in alnus/statistics.h has the frequencies of letters.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "alnus/alphabet.h"
#include "alnus/matrix.h"
#include "alnus/statistics.h"

namespace alnus::stats {

// Returns the probability of each score of a pair of letters, one random letter from `query` and one from
// `subject`. The keys are scores in the matrix' integers.
std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix, const Background& query,
                                           const Background& subject);
inline std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix,
                                                  const Background& background) {
  return pair_scores(matrix, background, background);
}

// Returns the fractions, with the sum 1, that the background's letters (20 amino acids, or ACGT) have among
// the letters of this kind in a sequence; lower case counts, too. Empty if the sequence has no such letter.
Background composition_of(std::span<const Residue> residues, AlphabetKind alphabet);

}  // namespace alnus::stats
