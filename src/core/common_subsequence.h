// The longest common subsequence of two sequences, as a score. Two letters are common if they score more than
// 0. Where gaps cost nothing and all common letters score the same, the best alignment of two sequences, in
// any mode, is worth that score times the common letters that it pairs.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"

namespace alnus {

// Returns the score of common letters if gaps cost nothing and all common letters score the same; 0 for other
// scorings.
std::int32_t subsequence_unit(const Scoring& scoring);

// Returns the scoring, in mode global, under which equal letters score 1, and everything else nothing.
// Equal letters are equal codes without case, as in AlignmentCounts::identical.
Scoring subsequence_scoring(AlphabetKind alphabet);

// The length of the longest common subsequence, by the textbook recurrence (Wagner and Fischer 1974, J. ACM
// 21:168): L(i, j) is L(i - 1, j - 1) + 1 if the letters are common, else the larger one of L(i - 1, j) and
// L(i, j - 1).
std::int32_t common_subsequence_reference(std::span<const Residue> query, std::span<const Residue> subject,
                                          const SubstitutionMatrix& matrix);

}  // namespace alnus
