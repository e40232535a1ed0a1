// Score distributions of random letters. Background in alnus/statistics.h has the frequencies of letters.
#pragma once

#include <cstdint>
#include <map>

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

}  // namespace alnus::stats
