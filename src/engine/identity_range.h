// The lowest and the highest identity over all alignments of a pair that have its best score.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/identity.h"
#include "engine/scheduler.h"

namespace alnus::engine {

// Of the pairs (positions in the scheduler's residents), whose best scores by `scoring` are known; exactly,
// and 0/1 where nothing is aligned. `largest`: of best_seconds(). Throws as Scheduler::run does.
std::vector<IdentityRange> identity_ranges(Scheduler& scheduler, std::span<const PairIndex> pairs,
                                           std::span<const std::int32_t> scores, const Scoring& scoring,
                                           Denominator denominator, double largest = 1e9);

// Of each pair the ranges by the denominators that are wanted, each in its place; nothing where none is.
std::vector<std::vector<IdentityRange>> identity_ranges(Scheduler& scheduler,
                                                        std::span<const PairIndex> pairs,
                                                        std::span<const std::int32_t> scores,
                                                        const Scoring& scoring,
                                                        std::span<const Denominator> wanted);

}  // namespace alnus::engine
