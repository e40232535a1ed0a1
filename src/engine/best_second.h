// The most of a second objective among the alignments of the best score, of many pairs on the devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/second_objective.h"
#include "engine/scheduler.h"

namespace alnus::engine {

struct SecondQuestion {
  PositionPair pair;
  std::int32_t score;  // the pair's best
  SecondObjective second;
};

// The answer to each question. In mode local scores must be above 0. Alignments that may score more than
// `largest` when both objectives are one are not for the devices, and done by the call's threads. Throws as
// Scheduler::run does.
std::vector<std::int64_t> best_seconds(Scheduler& scheduler, std::span<const SecondQuestion> questions,
                                       const Scoring& scoring, double largest);

}  // namespace alnus::engine
