// The most that a sequence can score in an alignment with any other sequence.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "alnus/matrix.h"

namespace alnus {

// An upper bound for the score of a query, in units of 1/scale of the matrix: the sum over the residues of
// the highest score that the residue has with any letter, or of 0 if that score is below 0.
class BestScores {
 public:
  explicit BestScores(const SubstitutionMatrix& matrix) {
    for (Residue query = 0; query < kMaxLetters; ++query)
      for (Residue subject = 0; subject < kMaxLetters; ++subject)
        best_[query] = std::max(best_[query], matrix.value(query, subject));
  }
  std::int64_t of(std::span<const Residue> query) const {
    std::int64_t total = 0;
    for (const Residue residue : query) total += best_[residue & kCodeMask];
    return total;
  }

 private:
  std::array<std::int32_t, kMaxLetters> best_{};
};

}  // namespace alnus
