// Self scores of sequences, from which score distances are computed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "alnus/sequence_set.h"

namespace alnus::engine {

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

}  // namespace alnus::engine
