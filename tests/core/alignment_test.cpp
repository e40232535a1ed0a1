#include "alnus/alignment.h"

#include <gtest/gtest.h>
#include <optional>

#include "alnus/scoring.h"
#include "support/sequences.h"

namespace alnus {
namespace {

// A gap that is longer than a CigarRun can hold is several runs that follow each other. It is one gap all the
// same.
TEST(Alignment, AGapInSeveralRunsIsOneGap) {
  const test::Residues query(4, 0), subject(9, 0);
  ScoringOptions options;
  const Scoring scoring = make_scoring(options);
  Alignment whole, cut;
  whole.query_begin = whole.subject_begin = cut.query_begin = cut.subject_begin = 0;
  whole.query_end = cut.query_end = 4;
  whole.subject_end = cut.subject_end = 9;
  const CigarRun two(CigarOp::equal, 2);
  whole.cigar = {two, CigarRun(CigarOp::deletion, 5), two};
  cut.cigar = {two, CigarRun(CigarOp::deletion, 3), CigarRun(CigarOp::deletion, 2), two};
  EXPECT_EQ(rescore(cut, query, subject, scoring), rescore(whole, query, subject, scoring));
  const AlignmentCounts counts = count(cut, query, subject, scoring.matrix);
  EXPECT_EQ(counts.gap_opens, 1);
  EXPECT_EQ(counts.gap_residues, 5);
  EXPECT_EQ(counts.columns, 9);
}

// Random columns, whose counts and score are added up one by one.
TEST(Alignment, CountsAndScoreAreThoseOfItsColumns) {
  test::Random random(1);
  const Scoring scoring = make_scoring({});
  for (int round = 0; round < 500; ++round) {
    test::Residues query = test::random_sequence(random, test::below(random, 4)),
                   subject = test::random_sequence(random, test::below(random, 4));
    Alignment alignment;
    alignment.query_begin = static_cast<std::int32_t>(query.size());
    alignment.subject_begin = static_cast<std::int32_t>(subject.size());
    AlignmentCounts expected;
    std::int64_t score = 0;
    std::optional<CigarOp> before;
    for (std::size_t left = test::below(random, 30); left > 0; --left) {
      constexpr CigarOp kOps[] = {CigarOp::equal, CigarOp::mismatch, CigarOp::insertion, CigarOp::deletion};
      const CigarOp op = before && test::below(random, 2) == 0 ? *before : kOps[test::below(random, 4)];
      const auto q = static_cast<Residue>(test::below(random, 20)),
                 other = static_cast<Residue>((q + 1 + test::below(random, 19)) % 20);
      const Residue s = op == CigarOp::equal ? q : other;
      ++expected.columns;
      if (op == CigarOp::insertion || op == CigarOp::deletion) {
        ++expected.gap_residues;
        expected.gap_opens += op != before;
        score -= scoring.extend + (op != before ? scoring.open : 0);
      } else {
        ++(op == CigarOp::equal ? expected.identical : expected.mismatches);
        expected.positive += scoring.matrix.value(q, s) > 0;
        score += scoring.matrix.value(q, s);
      }
      if (op != CigarOp::deletion) query.push_back(q);
      if (op != CigarOp::insertion) subject.push_back(test::below(random, 2) == 0 ? s : s | kLowerCase);
      if (op == before)
        alignment.cigar.back() = CigarRun(op, alignment.cigar.back().length() + 1);
      else
        alignment.cigar.emplace_back(op, 1);
      before = op;
    }
    for (test::Residues* sequence : {&query, &subject}) sequence->insert(sequence->end(), 3, Residue{0});
    EXPECT_EQ(count(alignment, query, subject, scoring.matrix), expected) << to_string(alignment.cigar);
    EXPECT_EQ(rescore(alignment, query, subject, scoring), score) << to_string(alignment.cigar);
  }
}

TEST(Alignment, ACigarIsWrittenRunByRun) {
  EXPECT_EQ(to_string(std::span<const CigarRun>()), "*");
  const std::vector<CigarRun> runs = {{CigarOp::equal, 12},
                                      {CigarOp::mismatch, 1},
                                      {CigarOp::insertion, 3},
                                      {CigarOp::deletion, CigarRun::kLongest}};
  EXPECT_EQ(to_string(runs), "12=1X3I268435455D");
  EXPECT_EQ(runs.back().length(), CigarRun::kLongest);
}

}  // namespace
}  // namespace alnus
