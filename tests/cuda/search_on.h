// Searches on chosen devices, whose results can be compared in every field.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/device.h"
#include "engine/search_driver.h"
#include "support/engine_call.h"

namespace alnus::test {

struct Found {
  std::vector<FoundRow> hits;
  std::vector<std::string> warnings;
};

Found search_on(const std::vector<Device*>& devices, const SequenceSet& queries, const SequenceSet& database,
                const Scoring& scoring, const engine::SearchOptions& options);

// Success if all hits are the same. A failure shows the first hit that differs.
testing::AssertionResult same_hits(const Found& expected, const Found& actual);

}  // namespace alnus::test
