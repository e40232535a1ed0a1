// Rows that are computed by align_reference(), and comparisons of columns with them.
#pragma once

#include <gtest/gtest.h>
#include <vector>

#include "alnus/results.h"
#include "api/support/inputs.h"

namespace alnus::test {

struct ExpectedRow {
  Index query = 0, subject = 0;
  Alignment alignment;  // with every detail, also if the call returns less
};

// The hits of each query by definition: at most `max_target_seqs` of all pairs that score `lowest` or more
// (in mode local also 1 or more), by descending score and then by the subject's ordinal in its file.
struct ExpectedHits {
  std::vector<ExpectedRow> rows;
  std::vector<std::uint64_t> hits;  // of each query
  std::uint64_t cut_ties = 0;
};
ExpectedHits expected_hits(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                           std::uint32_t max_target_seqs, std::int32_t lowest = INT32_MIN);

std::vector<ExpectedRow> expected_rows(const SequenceSet& queries, const SequenceSet& subjects,
                                       std::span<const IndexPair> pairs, const Scoring& scoring);

// The pairs of one set in the order of docs/allpairs.md, in mode local also those of score 0.
std::vector<ExpectedRow> expected_all_pairs(const SequenceSet& set, const Scoring& scoring, bool self);
// The pairs of two sets.
std::vector<ExpectedRow> expected_all_pairs(const SequenceSet& set, const SequenceSet& against,
                                            const Scoring& scoring);

bool is_empty(const ExpectedRow& row, const Scoring& scoring);  // true in mode local for a score of 0

// What a call was asked to tell of each row.
struct Asked {
  Detail detail = Detail::alignment;
  bool cigars = true;
};

// Success if the columns have these rows, and those of scores, coordinates, counts and CIGARs that were asked
// for, but no others.
testing::AssertionResult equal(const Columns& rows, const std::vector<ExpectedRow>& expected, Asked asked,
                               const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring);

// The same comparison for batches that follow each other.
testing::AssertionResult equal(const std::vector<Columns>& batches, const std::vector<ExpectedRow>& expected,
                               Asked asked, const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring);

}  // namespace alnus::test
