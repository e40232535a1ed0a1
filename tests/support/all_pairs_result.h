// All pairs, collected from their stripes.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/all_pairs.h"
#include "support/engine_call.h"

namespace alnus::test {

// What came of a run, and in which stripes.
struct AllPairsResult {
  std::vector<FoundRow> listed;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> values;  // the first, by row, then column
  std::vector<IndexRange> stripes;
  std::uint64_t pairs = 0, empty = 0;
};

// It is a failure of the test if a stripe does not begin where the one before ended.
AllPairsResult all_pairs_on(std::span<Device* const> devices, const engine::AllPairs& pairs,
                            const Scoring& scoring, const engine::AllPairsOptions& options = {},
                            engine::StripeState state = {}, int threads = 2);

}  // namespace alnus::test
