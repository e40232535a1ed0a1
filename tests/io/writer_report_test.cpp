// Reports that show alignments letter by letter: BLAST's pairwise report and EMBOSS' srspair.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/error.h"
#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PairwiseWriter, Golden) {
  expect_golden("local.pairwise.txt", written(local_example(), "0"));
  expect_golden("semiglobal.pairwise.txt", written(semiglobal_example(), "0"));
  expect_golden("dna.pairwise.txt", written(dna_example(), "0"));
}

TEST(PairwiseWriter, QueryWithoutHits) {
  EXPECT_THAT(written(local_example(), "0"),
              HasSubstr("Query= second\n\nLength=9\n\n\n***** No hits found *****\n\n\n\nGapped\n"));
}

TEST(PairwiseWriter, RowsOfGapsHaveNoNumbers) {
  EXPECT_THAT(written(local_example(), "0"), HasSubstr("\nQuery       " + std::string(60, '-') + "  \n"));
}

TEST(SrspairWriter, Golden) {
  expect_golden("local.srspair.txt", written(local_example(), "srspair"));
  expect_golden("semiglobal.srspair.txt", written(semiglobal_example(), "srspair"));
  expect_golden("dna.srspair.txt", written(dna_example(), "srspair"));
}

TEST(SrspairWriter, OverhangsAreShownAndCountedAsGaps) {
  const std::string text = written(semiglobal_example(), "srspair");
  EXPECT_THAT(text, HasSubstr("# Length: 94\n"));
  EXPECT_THAT(text, HasSubstr("# Gaps:          62/94 (66.0%)\n"));
  EXPECT_THAT(text, HasSubstr("# Gap_penalty: 10.0\n# Extend_penalty: 0.5\n"));
}

TEST(SrspairWriter, LocalAlignmentsShowTheAlignedPartOnly) {
  EXPECT_THAT(written(local_example(), "srspair"), Not(HasSubstr("GGGM")));
}

TEST(Reports, NeedAlignments) {
  for (const char* format : {"0", "5", "srspair", "sam"}) {
    try {
      written(local_example(), format, Detail::ends);
      FAIL() << format;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr("detail alignment"));
    }
  }
}

}  // namespace
}  // namespace alnus::io
