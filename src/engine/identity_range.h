// The lowest and the highest identity over all alignments of a pair that have its best score.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alnus/identity.h"
#include "engine/scheduler.h"

namespace alnus::engine {

// The exact range of each pair, whose best score by `scoring` is given; 0/1 where nothing is aligned.
// `largest` is that of best_seconds(). Throws as Scheduler::run does.
std::vector<IdentityRange> identity_ranges(Scheduler& scheduler, std::span<const PositionPair> pairs,
                                           std::span<const std::int32_t> scores, const Scoring& scoring,
                                           Denominator denominator, double largest = 1e9);

// About how many bytes a pair takes besides its result while its ranges are sought.
inline std::uint64_t range_bytes(std::span<const Denominator> wanted) { return wanted.empty() ? 0 : 700; }

}  // namespace alnus::engine
