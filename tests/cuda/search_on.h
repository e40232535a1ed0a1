// Searches on chosen devices, to be compared whole.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/device.h"
#include "engine/search.h"
#include "support/engine_call.h"

namespace alnus::test {

struct Found {
  std::vector<FoundRow> hits;
  std::vector<std::string> warnings;
};

Found search_on(const std::vector<Device*>& devices, const SequenceSet& queries, const SequenceSet& database,
                const Scoring& scoring, const engine::SearchOptions& options);

// Shows the first hit that differs.
testing::AssertionResult same_hits(const Found& expected, const Found& actual);

}  // namespace alnus::test
