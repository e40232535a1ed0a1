// Z-values and P-values of alignment scores, from the scores of shuffled sequences (Comet et al. 1999):
// docs/z-values.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::stats {

// What is known of the scores' distribution beforehand.
struct PairModel {
  Mode mode = Mode::local;
  FreeEnds free_ends = {};
  std::size_t query_length = 0, subject_length = 0;
  // Local alignments of score S are alpha * S + beta residues long on average, and do not begin where the
  // sequences have no more than that left. 0: nothing is known.
  double alpha = 0, beta = 0;
};

// Scores of a pair with one of its sequences shuffled; empty: that side was not.
struct ShuffledScores {
  std::span<const std::int32_t> query, subject;
};

ZValue z_value(std::int32_t score, const ShuffledScores& shuffled, const PairModel& model);

}  // namespace alnus::stats
