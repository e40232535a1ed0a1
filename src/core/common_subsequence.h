// The longest common subsequence of two sequences, as a score: where gaps cost nothing, an alignment is worth
// as many equal letters as it pairs, in whatever mode.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"

namespace alnus {

// Returns the score of two equal letters if the scoring's best score of any two sequences is that score times
// the length of their longest common subsequence, where letters are common if they score more than 0: gaps
// cost nothing, and no two letters have another score above 0. Returns 0 for other scorings.
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
