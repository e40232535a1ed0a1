// The most of a second objective among all alignments of a pair that have the best score.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "core/stop_flag.h"

namespace alnus {

// What a column adds to it: two equal letters (case ignored), two different ones, a residue in a gap.
struct SecondObjective {
  std::int64_t equal = 0, different = 0, gap = 0;
};

struct BothObjectives {
  std::int64_t score = 0, second = 0;
  bool operator==(const BothObjectives&) const = default;
  friend bool operator<(const BothObjectives& a, const BothObjectives& b) {
    return a.score != b.score ? a.score < b.score : a.second < b.second;
  }
};

// Alignments are those of align_reference; in mode local the empty one is among them. O(m*n) time, O(m)
// memory, no bounds on scores and lengths. Throws Interrupted when the flag is requested.
BothObjectives best_of_both(std::span<const Residue> query, std::span<const Residue> subject,
                            const Scoring& scoring, const SecondObjective& second,
                            const StopFlag& stop_flag = StopFlag::never());

}  // namespace alnus
