// The best score of a scoring without costs is the length of a longest common subsequence.
#include "core/common_subsequence.h"

#include <gtest/gtest.h>

#include "alnus/alignment.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

// The length by its definition: the most letters of `query` that are left in their order in `subject`.
std::size_t longest(const Residues& query, const Residues& subject) {
  std::size_t most = 0;
  for (unsigned chosen = 0; chosen < 1U << query.size(); ++chosen) {
    std::size_t next = 0, count = 0;
    bool all = true;
    for (std::size_t i = 0; i < query.size() && all; ++i) {
      if ((chosen >> i & 1) == 0) continue;
      while (next < subject.size() && subject[next] != query[i]) ++next;
      all = next++ < subject.size();
      ++count;
    }
    if (all) most = std::max(most, count);
  }
  return most;
}

TEST(CommonSubsequence, IsTheLongestOfAll) {
  Random random(1);
  const Scoring scoring = subsequence_scoring(AlphabetKind::protein);
  for (int k = 0; k < 300; ++k) {
    const Residues query = random_sequence(random, below(random, 11), 3),
                   subject = random_sequence(random, below(random, 14), 3);
    EXPECT_EQ(common_subsequence_reference(query, subject, scoring.matrix), longest(query, subject));
  }
}

TEST(CommonSubsequence, IsTheBestScoreInEveryMode) {
  Random random(2);
  Scoring scoring = subsequence_scoring(AlphabetKind::dna);
  Scoring other = dna("2.5", "-1.5", "0", "0");
  for (Scoring* each : {&scoring, &other}) {
    const std::int32_t unit = subsequence_unit(*each);
    EXPECT_GT(unit, 0);
    for (const Mode mode : {Mode::local, Mode::global, Mode::semiglobal}) {
      each->mode = mode;
      each->free_ends = mode == Mode::semiglobal ? FreeEnds::all() : FreeEnds{};
      for (int k = 0; k < 50; ++k) {
        const Residues query = random_sequence(random, below(random, 30), 5),
                       subject = random_sequence(random, below(random, 30), 5);
        EXPECT_EQ(align_reference(query, subject, *each, Detail::score).score,
                  unit * common_subsequence_reference(query, subject, each->matrix));
      }
    }
  }
}

TEST(CommonSubsequence, NoScoringWithCostsOrSeveralScores) {
  EXPECT_EQ(subsequence_unit(dna("1", "-1", "1", "0")), 0);
  EXPECT_EQ(subsequence_unit(dna("1", "-1", "0", "1")), 0);
  EXPECT_EQ(subsequence_unit(dna("1", "-1", "0", "0")), 1);
  EXPECT_EQ(subsequence_unit(make_scoring({.matrix = "BLOSUM62", .gap_open = "0", .gap_extend = "0"})), 0);
}

TEST(CommonSubsequence, EqualLettersAreEqualCodes) {
  const Scoring scoring = subsequence_scoring(AlphabetKind::protein);
  EXPECT_EQ(common_subsequence_reference(encode("XBUXa"), encode("XUXA"), scoring.matrix), 4);
}

}  // namespace
}  // namespace alnus::test
