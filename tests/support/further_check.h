// Compares a FurtherAligner with several_alignments_reference(): the same scores, ends and CIGARs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/aligned_pairs.h"
#include "core/further_aligner.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {

inline constexpr std::int32_t kAnyScore = std::numeric_limits<std::int32_t>::min();

// Expects the alignments of the reference that score at least `lowest`, `most` at most.
inline void expect_alignments(FurtherAligner& aligner, const Residues& query, const Residues& subject,
                              const Scoring& scoring, std::size_t most, std::int32_t lowest = kAnyScore) {
  std::vector<Alignment> expected;
  const std::int64_t nothing = score_of_nothing(scoring, query.size());
  for (Alignment& alignment : several_alignments_reference(query, subject, scoring, most))
    if (alignment.score > nothing && alignment.score >= lowest) expected.push_back(std::move(alignment));
  aligner.begin(query, subject, scoring, lowest, StopFlag::never());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::optional<Alignment> found = aligner.next();
    ASSERT_TRUE(found) << "alignment " << k + 1 << " of " << expected.size();
    ASSERT_EQ(*found, expected[k]) << "alignment " << k + 1 << ": " << describe(*found) << " and "
                                   << describe(expected[k]);
  }
  if (expected.size() < most) {
    ASSERT_FALSE(aligner.next());
  }
}

}  // namespace alnus::test
