// How often each score occurs in a search, and how often it would among unrelated sequences.
#pragma once

#include <vector>

#include "alnus/search.h"
#include "core/stop_flag.h"
#include "engine/all_scores.h"
#include "stats/evalue.h"

namespace alnus::engine {

// Adds all scores of a part of a search. `statistics`: by what each query's scores are judged, by index; null
// where there is nothing. Throws Interrupted.
void add(const AllScores& scores, const SortedSequences& rows,
         const std::vector<stats::ScoreJudgePtr>& statistics, const StopFlag& stop,
         ScoreHistogram& histogram);

}  // namespace alnus::engine
