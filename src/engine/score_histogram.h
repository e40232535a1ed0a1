// How often each score occurs in a search, and how often it would among unrelated sequences.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/all_scores.h"
#include "stats/evalue.h"

namespace alnus::engine {

// Of all pairs that were scored, or of those with every `stride`-th subject.
struct ScoreHistogram {
  std::int32_t lowest = 0;           // the score of pairs[0] and expected[0], in scaled units
  std::vector<std::uint64_t> pairs;  // by score, scaled
  std::vector<double> expected;      // as many unrelated pairs; empty where no statistics tell
  std::uint32_t stride = 1;

  // `statistics`: of each query, by index; null where there are none.
  void add(const AllScores& scores, const Resident& rows,
           const std::vector<stats::QueryStatisticsPtr>& statistics);

 private:
  void cover(std::int32_t score);  // makes room for it
};

}  // namespace alnus::engine
