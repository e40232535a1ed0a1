// Scores of local alignments under matrices of pairs' own, by the formula.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/alphabet.h"
#include "core/matrix_pairs.h"

namespace alnus::test {

// Affine gaps, as the formula has it (Gotoh 1982). Scores by code: the subject's letter times kMaxLetters,
// plus the query's.
std::int64_t matrix_score(std::span<const Residue> query, std::span<const Residue> subject,
                          std::span<const std::int32_t> scores, std::int64_t open, std::int64_t extend);

// What MatrixPairs::score writes for a pair.
std::int32_t rounded_matrix_score(const MatrixPairsProblem& problem, MatrixPairs::Pair pair,
                                  const MatrixRounding& rounding, std::int32_t open, std::int32_t extend);

}  // namespace alnus::test
