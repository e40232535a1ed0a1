// Scores of local alignments by the matrix of each pair, computed by the formula.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/alphabet.h"
#include "core/matrix_pairs.h"

namespace alnus::test {

// Returns the best local score with affine gaps, by the formula of Gotoh (1982). The index of a score is the
// code of the subject's letter times kMaxLetters, plus that of the query's.
std::int64_t matrix_score(std::span<const Residue> query, std::span<const Residue> subject,
                          std::span<const std::int32_t> scores, std::int64_t open, std::int64_t extend);

// Returns the value that MatrixPairs::score writes for a pair.
std::int32_t rounded_matrix_score(const MatrixPairsProblem& problem, MatrixPairs::Pair pair,
                                  const MatrixRounding& rounding, std::int32_t open, std::int32_t extend);

}  // namespace alnus::test
