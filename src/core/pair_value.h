// What the values of pairs are made of, and which of them pass a threshold.
#pragma once

#include "alnus/output.h"

namespace alnus {

// Scores suffice: no alignment is needed. Such a value is whole in units of 1/scoring.scale.
constexpr bool is_of_scores(PairValue value) {
  return value == PairValue::score || value == PairValue::score_distance;
}

// The lower, the more alike two sequences are.
constexpr bool is_distance(PairValue value) {
  return value == PairValue::distance || value == PairValue::score_distance;
}

// Scores and identities pass a threshold from it on, distances up to it. NaN neither passes nor is passed.
constexpr bool passes(PairValue kind, double value, double threshold) {
  return is_distance(kind) ? value <= threshold : value >= threshold;
}

}  // namespace alnus
