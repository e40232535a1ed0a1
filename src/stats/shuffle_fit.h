// The statistics method zvalue: Z-values and P-values of alignment scores, from the scores of shuffled
// sequences (Comet et al. 1999). docs/z-values.md explains it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::stats {

// The properties of a pair that determine the form of its score distribution.
struct PairModel {
  Mode mode = Mode::local;
  FreeEnds free_ends = {};
  std::size_t query_length = 0, subject_length = 0;
  // Local alignments of score S (in units of Alignment::score) have alpha * S + beta residues of each
  // sequence on average, and cannot begin where fewer residues follow. `alpha` is 0 if these parameters are
  // not known.
  double alpha = 0, beta = 0;
};

// The scores of a pair with its query shuffled, and with its subject shuffled, in units of Alignment::score.
// The scores of a side are empty if that side was not shuffled.
struct ShuffledScores {
  std::span<const std::int32_t> query, subject;
};

// Returns the Z-value of a pair's score; of two sides the lower Z-value, but the P-value by the subject's
// shuffles. All members are empty if the shuffles of a side all have the same score.
ZValue z_value(std::int32_t score, const ShuffledScores& shuffled, const PairModel& model);

}  // namespace alnus::stats
