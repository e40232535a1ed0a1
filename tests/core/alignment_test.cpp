#include "alnus/alignment.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace alnus
