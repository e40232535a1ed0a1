// Z-values and P-values of alignment scores, from the scores of shuffled sequences (Comet et al. 1999):
// docs/z-values.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "alnus/scoring.h"

namespace alnus::stats {

enum class Side : std::uint8_t { query, subject };

struct ZValue {
  // Empty where shuffling a sequence does not change the score.
  std::optional<double> z;               // (score - mean) / sd of the shuffles; of both sides the smaller
  std::optional<double> standard_error;  // of z, as an estimate from that many shuffles
  std::optional<double> log_p;           // ln of the P-value: of the subject's shuffles, if there are any
  std::optional<double> goodness;        // P-value of a chi-square test of the distribution behind log_p
  Side side = Side::subject;             // whose shuffles z is of
};

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
