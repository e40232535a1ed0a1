// The scores of sequences with themselves, which score distances are measured from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "engine/call.h"

namespace alnus::engine {

struct RankedSequences;

// The score of each sequence with itself on the plus strand, in scaled units; 0 for those that are in no
// pair.
struct SelfScores {
  std::vector<std::int32_t> rows,
      columns;  // by index; empty where each pair of one set is in one row: then the columns are the rows

  // The lower one of row i and column j.
  std::int32_t lower(SequenceSet::Index i, SequenceSet::Index j) const {
    return std::min(rows[i], columns.empty() ? rows[j] : columns[j]);
  }
};

// Fills `scores` with the scores of these sequences with themselves. Throws as the other drivers do
// (engine/search.h).
void score_with_themselves(const RankedSequences& sequences, const Scoring& scoring, Call& call,
                           std::span<std::int32_t> scores);

}  // namespace alnus::engine
