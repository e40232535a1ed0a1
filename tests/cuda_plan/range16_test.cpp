// For which pairs 16 bits suffice. These tests need no GPU.
#include "cuda/range16.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "cuda/kernels/scores16.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using cuda::kFloor;
using cuda::kHighestEnds;
using cuda::Range16;

// Known pairs are those for which Range16 says that 16 bits suffice. The test checks the lowest and the
// highest scores that the dynamic programming matrix of a known pair can have: those of the worst and of the
// best alignments of the whole sequences.
TEST(Range16, HoldsTheScoresOfKnownPairs) {
  const Scoring scoring = scoring_of({Mode::global}, {11, 3});
  std::vector<Residues> sequences;
  for (const std::size_t length : {5000, 4000, 3000, 2500, 1500, 700, 40, 1, 0}) {
    sequences.push_back(repeat("W", length));
    sequences.push_back(repeat("P", length));
    sequences.push_back(repeat("A", length));
  }
  const SortedSequences set(make_set(sequences));
  const Tile tile = whole(set, set);
  const Range16 range(tile, scoring);
  std::size_t known_pairs = 0;
  for (Position row = set.begin(); row < set.end(); ++row) {
    const PositionRange known = range.known_columns(row);
    EXPECT_LE(known.end, set.end() - 3);  // the three sequences without residues are no known columns
    for (Position column = known.begin; column < known.end; ++column) {
      const auto m = static_cast<std::int32_t>(set.length(row)),
                 n = static_cast<std::int32_t>(set.length(column));
      ASSERT_GT(std::min(m, n), 0);
      ++known_pairs;
      const std::int32_t worst = -(2 * scoring.open + (m + n) * scoring.extend);
      EXPECT_GE(range.zero() + worst, kFloor) << m << " x " << n;
      if (m <= 700 && n <= 700) {
        const std::int32_t score =
            align_reference(set.residues(row), set.residues(column), scoring, Detail::score).score;
        EXPECT_GE(range.zero() + score, kFloor);
        EXPECT_LE(range.zero() + score, kHighestEnds);
      }
      if (set.residues(row).front() == set.residues(column).front()) {
        const Residue residue = set.residues(row).front();
        EXPECT_LE(range.zero() + std::min(m, n) * scoring.matrix.value(residue, residue), kHighestEnds);
      }
    }
  }
  EXPECT_GT(known_pairs, set.size() * set.size() / 3);
  EXPECT_LT(known_pairs, set.size() * set.size());
}

// All sequences are of W, the letter with the highest score, so that the highest score of a pair is that of
// the shorter sequence with itself. All columns whose lowest and highest scores fit are known, and no others.
TEST(Range16, KnowsAllColumnsThatFit) {
  for (const Gaps gaps : {Gaps{11, 3}, {11, 1}, {0, 9}, {200, 0}}) {
    const Scoring scoring = scoring_of({Mode::global}, gaps);
    const std::int64_t match = scoring.matrix.highest();
    std::vector<Residues> sequences;
    for (const std::size_t length : {9000, 6000, 5900, 5800, 5700, 4000, 3000, 1500, 700, 40, 1, 0})
      sequences.push_back(repeat("W", length));
    const SortedSequences set(make_set(sequences));
    const Tile tile = whole(set, set);
    const Range16 range(tile, scoring);
    double known_cells = 0;
    for (Position row = set.begin(); row < set.end(); ++row) {
      const auto m = static_cast<std::int64_t>(set.length(row));
      const PositionRange known = range.known_columns(row);
      for (Position column = set.begin(); column < set.end(); ++column) {
        const auto n = static_cast<std::int64_t>(set.length(column));
        const std::int64_t lowest = range.zero() - (2 * scoring.open + (m + n) * scoring.extend),
                           highest = range.zero() + std::min(m, n) * match;
        const bool fits = m > 0 && n > 0 && lowest >= kFloor && highest <= kHighestEnds;
        EXPECT_EQ(column >= known.begin && column < known.end, fits) << m << " x " << n;
        known_cells += fits ? static_cast<double>(m * n) : 0;
      }
    }
    const auto residues = static_cast<double>(set.set().total_residues());
    EXPECT_NEAR(range.known_share(), known_cells / (residues * residues), 1e-12);
    EXPECT_GT(range.known_share(), 0);
    EXPECT_LT(range.known_share(), 1);
  }
}

TEST(Range16, FitsAllScoresUpToTheLimits) {
  const auto fits = [](Gaps gaps, int highest, int lowest) {
    const auto score = [=](int query, int subject) { return query == subject ? highest : lowest; };
    return Range16::fits(scoring_of({Mode::global}, gaps, matrix_of(score)));
  };
  EXPECT_TRUE(fits({kFloor - 2, 1}, 5, -4));
  EXPECT_TRUE(fits({0, kFloor / 2}, 5, -4));
  EXPECT_FALSE(fits({1, kFloor / 2}, 5, -4));
  EXPECT_TRUE(fits({11, 1}, cuda::kHighest16 - 1, -4));
  EXPECT_TRUE(fits({11, 1}, 5, -kFloor));
  EXPECT_FALSE(fits({11, 1}, 5, -kFloor - 1));
}

TEST(Range16, SufficesForProteinsAsTheyAre) {
  Random random(83);
  std::vector<Residues> queries, subjects;
  for (const std::size_t length : {5478, 3005, 464, 144}) queries.push_back(random_sequence(random, length));
  for (const std::size_t length : {8081, 2000, 450, 100, 30})
    subjects.push_back(random_sequence(random, length));
  const SortedSequences rows(make_set(queries)), columns(make_set(subjects));
  const Tile tile = whole(rows, columns);
  const Range16 range(tile, scoring_of({Mode::global}, {11, 1}));
  EXPECT_EQ(range.known_share(), 1);
  for (Position row = rows.begin(); row < rows.end(); ++row)
    EXPECT_EQ(range.known_columns(row), columns.all());
}

TEST(Range16, DoesNotSufficeForLongSequencesOrDearGaps) {
  const std::vector<Residues> long_sequences = {repeat("A", 40000), repeat("C", 35000)};
  const SortedSequences giants(make_set(long_sequences));
  const Tile tile = whole(giants, giants);
  EXPECT_EQ(Range16(tile, scoring_of({Mode::global}, {11, 1})).known_share(), 0);
  EXPECT_TRUE(Range16::fits(scoring_of({Mode::semiglobal}, {1022, 1})));
  EXPECT_FALSE(Range16::fits(scoring_of({Mode::semiglobal}, {1023, 1})));
  EXPECT_FALSE(Range16::fits(scoring_of({Mode::local}, {11, 1})));
}

TEST(Range16, NothingIsKnownOfNothing) {
  const std::vector<Residues> one_empty(1);
  const SortedSequences none(make_set({})), empty(make_set(one_empty));
  for (const Tile& tile : {whole(none, empty), whole(empty, none), whole(empty, empty)})
    EXPECT_EQ(Range16(tile, scoring_of({Mode::global}, {11, 1})).known_share(), 0);
}

}  // namespace
}  // namespace alnus::test
