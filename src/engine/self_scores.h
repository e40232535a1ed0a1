// Self scores of sequences, from which score distances are computed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "engine/call_state.h"

namespace alnus::engine {

struct RankedSequences;

// The self score of each sequence, on the plus strand, in units of 1/scale; 0 for sequences that are in no
// pair, and kNoSelfScore for blank ones.
struct SelfScores {
  std::vector<std::int32_t> rows,
      columns;  // by index; `columns` is empty with AllPairs::is_half(): `rows` has its scores, too

  // The lower self score of row i and column j; kNoSelfScore if one of them is blank.
  std::int32_t lower(SequenceSet::Index i, SequenceSet::Index j) const {
    return std::min(rows[i], columns.empty() ? rows[j] : columns[j]);
  }
};

// Writes the self scores of these sequences into `scores`, by their index in the sorted set. Throws as the
// other drivers do (engine/search_driver.h).
void score_with_themselves(const RankedSequences& sequences, const Scoring& scoring, CallState& call,
                           std::span<std::int32_t> scores);

}  // namespace alnus::engine
