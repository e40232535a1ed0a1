// Scores of random letters (the frequencies of letters: Background in alnus/statistics.h).
#pragma once

#include <cstdint>
#include <map>

#include "alnus/matrix.h"
#include "alnus/statistics.h"

namespace alnus::stats {

// The probability of each score of a pair of letters, in the matrix' integers.
std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix, const Background& query,
                                           const Background& subject);
inline std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix,
                                                  const Background& background) {
  return pair_scores(matrix, background, background);
}

}  // namespace alnus::stats
