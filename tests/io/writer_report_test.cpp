// Reports that show alignments letter by letter: BLAST's pairwise report and EMBOSS' srspair.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/error.h"
#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(PairwiseWriter, Golden) {
  expect_golden("local.pairwise.txt", written(local_example(), "0"));
  expect_golden("semiglobal.pairwise.txt", written(semiglobal_example(), "0"));
  expect_golden("dna.pairwise.txt", written(dna_example(), "0"));
}

TEST(PairwiseWriter, QueryWithoutHits) {
  EXPECT_THAT(
      written(local_example(), "0"),
      AllOf(HasSubstr("Query= second\n\nLength=9\nStatistics: karlin: "),
            HasSubstr("\n\n\n***** No hits found *****\n\n\n\nLambda      K        H\n   0.332    0.163 "
                      "    1.29 \n\nGapped\nLambda      K        H\n   0.267   0.0410    0.140 \n\n"
                      "Effective search space used: 2907\n")));
}

// The values of poly-W are those that blastp 2.12 prints. A query without known letters has the values of the
// background frequencies.
TEST(PairwiseWriter, UngappedParametersAreThoseOfTheQuery) {
  const auto parameters = [](const std::string& letters) {
    Example example = local_example();
    example.queries = sequences({{"q", letters}});
    example.hits = {{}};
    const std::string text = written(example, "0");
    const std::size_t begin = text.find("Lambda");
    return text.substr(begin, text.find("Effective") - begin);
  };
  const std::string head = "Lambda      K        H\n",
                    gapped = "\nGapped\n" + head + "   0.267   0.0410    0.140 \n\n";
  EXPECT_EQ(parameters("WWWWWWWWWWWWWWWWWWWW"), head + "   0.331    0.178     1.59 \n" + gapped);
  EXPECT_EQ(parameters("wwwwwwwwwwXWWWWWWWWWW"), head + "   0.331    0.178     1.59 \n" + gapped);
  EXPECT_EQ(parameters("XXXX"), head + "   0.318    0.134    0.401 \n" + gapped);
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
