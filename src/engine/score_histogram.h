// Counts how often each score occurs in a search, and how often it would among unrelated sequences.
#pragma once

#include <vector>

#include "alnus/search.h"
#include "core/stop_flag.h"
#include "engine/all_scores.h"
#include "stats/evalue.h"

namespace alnus::engine {

// Adds the scores of all rows to the histogram. `statistics`: the judge of each row's scores, by index; null:
// nothing judges them, and they add nothing to the expected counts. Throws Interrupted when `stop` is
// requested.
void add(const AllScores& scores, const SortedSequences& rows,
         const std::vector<stats::ScoreJudgePtr>& statistics, const StopFlag& stop,
         ScoreHistogram& histogram);

}  // namespace alnus::engine
