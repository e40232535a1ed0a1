// The lowest and the highest identity over all alignments of a pair that have its best score.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alnus/identity.h"
#include "engine/scheduler.h"

namespace alnus::engine {

// The largest sum that devices compute for these functions, if the caller gives no other.
inline constexpr double kLargestSum = 1e9;

// Returns the exact identity range of each pair, in their order. `scores`: the pairs' best scores by
// `scoring`. Both ends of a range are 0/1 if nothing is aligned. The devices get no pair for which the sums
// of score and second objective (identity_range.cpp) may exceed `largest`; the call's threads do such pairs.
// Throws as Scheduler::run does.
std::vector<IdentityRange> identity_ranges(Scheduler& scheduler, std::span<const PositionPair> pairs,
                                           std::span<const std::int32_t> scores, const Scoring& scoring,
                                           Denominator denominator, double largest = kLargestSum);

// Returns the upper end of each range, in half of the time.
std::vector<Fraction> highest_identities(Scheduler& scheduler, std::span<const PositionPair> pairs,
                                         std::span<const std::int32_t> scores, const Scoring& scoring,
                                         Denominator denominator);

// Approximate bytes that a pair takes, besides its result, while its identity ranges are computed.
inline std::uint64_t range_bytes(std::span<const Denominator> wanted) { return wanted.empty() ? 0 : 700; }

}  // namespace alnus::engine
