// Finds the highest value of a second objective among all alignments of a pair that have the best score, for
// many pairs at once on the devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/second_objective.h"
#include "engine/scheduler.h"

namespace alnus::engine {

struct SecondQuestion {
  PositionPair pair;
  std::int32_t score;  // the pair's best score, in units of 1/scale
  SecondObjective second;
};

// Returns the answer to each question, in their order. In mode local every score must be above 0. The devices
// get no pair whose sums of both objectives, joined into one (best_second.cpp), may exceed `largest`; the
// call's threads answer such questions. Throws as Scheduler::run does.
std::vector<std::int64_t> best_seconds(Scheduler& scheduler, std::span<const SecondQuestion> questions,
                                       const Scoring& scoring, double largest);

}  // namespace alnus::engine
