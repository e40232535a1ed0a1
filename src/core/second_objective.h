// The highest value of a second objective among all alignments of a pair that have the best score.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "core/stop_flag.h"

namespace alnus {

// What a column of an alignment adds to the second objective: a column of two equal letters (case ignored),
// of two different letters, or of a letter and a gap.
struct SecondObjective {
  std::int64_t equal = 0, different = 0, gap = 0;
  auto operator<=>(const SecondObjective&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct BothObjectives {
  std::int64_t score = 0, second = 0;
  bool operator==(const BothObjectives&) const = default;
  friend bool operator<(const BothObjectives& a, const BothObjectives& b) {
    return a.score != b.score ? a.score < b.score : a.second < b.second;
  }
};

// The best score, and the highest second objective of the alignments that have it. The alignments are those
// of align_reference; in mode local the empty alignment is among them. Takes O(m*n) time and O(m) memory
// (m, n: lengths of query and subject), without bounds on scores and lengths. Throws Interrupted when the
// flag is requested.
BothObjectives best_of_both(std::span<const Residue> query, std::span<const Residue> subject,
                            const Scoring& scoring, const SecondObjective& second,
                            const StopFlag& stop_flag = StopFlag::never());

}  // namespace alnus
