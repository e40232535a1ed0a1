// Searches on chosen devices, to be compared whole.
#pragma once

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "core/device.h"
#include "engine/search.h"

namespace alnus::test {

// An io::Hit of a query, without views.
struct FoundHit {
  SequenceSet::Index query = 0, subject = 0;
  Alignment alignment;
  std::optional<double> bits, evalue;
  bool operator==(const FoundHit&) const = default;
};

struct Found {
  std::vector<FoundHit> hits;
  std::vector<std::string> warnings;
};

Found search_on(const std::vector<Device*>& devices, const SequenceSet& queries, const SequenceSet& database,
                const Scoring& scoring, const engine::SearchOptions& options);

// Shows the first hit that differs.
testing::AssertionResult same_hits(const Found& expected, const Found& actual);

}  // namespace alnus::test
