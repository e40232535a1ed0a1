// The results of all_pairs(), collected from its stripes.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/all_pairs_driver.h"
#include "support/engine_call.h"

namespace alnus::test {

// The results of a run, and its stripes.
struct AllPairsResult {
  std::vector<FoundRow> listed;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> values;  // the first value, by row and column
  std::vector<engine::SparseValue> sparse;
  std::vector<IndexRange> stripes;
  std::uint64_t pairs = 0, empty = 0;
};

// Runs all_pairs(). The test fails if a stripe does not begin where the one before it ended.
AllPairsResult all_pairs_on(std::span<Device* const> devices, const engine::AllPairs& pairs,
                            const Scoring& scoring, const engine::AllPairsOptions& options = {},
                            engine::StripeState state = {}, int threads = 2);

}  // namespace alnus::test
