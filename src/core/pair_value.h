// What the values of pairs are made of, and which of them pass a threshold.
#pragma once

#include <cstdint>
#include <limits>

#include "alnus/output.h"

namespace alnus {

// Stands for the self score of a blank sequence (engine/blank_sequences.h), which has no score distance. It
// is below every self score.
inline constexpr std::int32_t kNoSelfScore = std::numeric_limits<std::int32_t>::min();

// True if a value is computed from scores, without an alignment. Such a value is whole in units of
// 1/scoring.scale.
constexpr bool is_of_scores(PairValue value) {
  return value == PairValue::score || value == PairValue::score_distance;
}

// True if a lower value means that two sequences are more alike.
constexpr bool is_distance(PairValue value) {
  return value == PairValue::distance || value == PairValue::score_distance;
}

// Scores and identities at or above a threshold pass it, distances at or below it. NaN passes no threshold,
// and nothing passes a threshold of NaN.
constexpr bool passes(PairValue kind, double value, double threshold) {
  return is_distance(kind) ? value <= threshold : value >= threshold;
}

}  // namespace alnus
