// What a pair of a run with a checkpoint is expected to cost, which decides where its stripes end.
#pragma once

#include "engine/all_pairs_driver.h"

namespace alnus::api {

// `gcups`: the nominal speed of the devices together, in 1e9 cells a second; `threads`: those of the session.
// All other factors are assumed, not measured, so that stripes end at the same rows in every run
// (docs/allpairs.md#long-runs).
engine::PairCost expected_cost(const engine::AllPairsOptions& options, double gcups, int threads);

}  // namespace alnus::api
