// Scores long lists of pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alnus/scoring.h"
#include "core/sorted_sequences.h"
#include "engine/call_state.h"

namespace alnus::engine {

// GPUs score the pairs of a tile many times as fast as the pairs of a list. On them the scorer computes tiles
// where the pairs of the list stand densely: in the first columns of each row, up to an end that rows next to
// each other share. The scores of other pairs in these tiles are dropped. The pairs behind the ends stay a
// list.
class ListScorer {
 public:
  // `steps`: by row, the first column that the list may have there; they do not decrease. `pairs`: sorted by
  // row and column, each once. All arguments must outlive the object.
  ListScorer(CallState& call, const SortedPtr& rows, const SortedPtr& columns,
             std::span<const Position> steps, std::span<const PositionPair> pairs);
  // Returns the scores of the pairs, in their order. Throws as Scheduler::run does.
  std::vector<std::int32_t> scores(const Scoring& scoring) const;

 private:
  CallState& call_;
  const SortedPtr &rows_, &columns_;
  const std::span<const Position> steps_;
  const std::span<const PositionPair> pairs_;
  std::vector<std::size_t> begins_;   // by row, where its pairs begin; and where the last row's pairs end
  std::vector<Position> ends_;        // by row, where its tiles end; empty: there are no tiles
  std::vector<PositionPair> behind_;  // the pairs behind the ends
};

}  // namespace alnus::engine
