#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/error.h"
#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SamWriter, Golden) {
  expect_golden("local.sam", written(local_example(), "sam"));
  expect_golden("semiglobal.sam", written(semiglobal_example(), "sam"));
  expect_golden("dna.sam", written(dna_example(), "sam"));
}

TEST(SamWriter, QueryWithoutHitsIsUnmapped) {
  EXPECT_THAT(written(local_example(), "sam"), HasSubstr("\nsecond\t4\t*\t0\t0\t*\t*\t0\t0\tWWWHHHWWW\t*\n"));
}

TEST(SamWriter, UnalignedQueryEndsAreSoftClipped) {
  EXPECT_THAT(written(semiglobal_example(), "sam"), HasSubstr("\t40S14=1D18=\t"));
}

TEST(SamWriter, PairThatAlignsNothingIsUnmapped) {
  EXPECT_THAT(written(semiglobal_example(), "sam"),
              HasSubstr("lonely\t4\tnothing\t1\t0\t*\t*\t0\t0\tWWWWW\t*\tAS:i:0\tNM:i:0"));
}

TEST(SamWriter, DecimalScoresAreRoundedInASAndExactInZS) {
  Example example = semiglobal_example();
  const auto tags = [&](std::int32_t score) {
    example.hits[0][0].score = score;
    return written(example, "sam");
  };
  ASSERT_EQ(example.scoring.scale, 2);
  EXPECT_THAT(tags(83), HasSubstr("\tAS:i:42\tNM:i:1\tZS:f:41.5\n"));
  EXPECT_THAT(tags(82), HasSubstr("\tAS:i:41\tNM:i:1\tZS:f:41\n"));
  EXPECT_THAT(tags(-3), HasSubstr("\tAS:i:-1\tNM:i:1\tZS:f:-1.5\n"));
  EXPECT_THAT(tags(-4), HasSubstr("\tAS:i:-2\tNM:i:1\tZS:f:-2\n"));
}

TEST(SamWriter, NamesAreMadeValid) {
  const std::string text = written(dna_example(), "sam");
  EXPECT_THAT(text, HasSubstr("@SQ\tSN:chr_1\tLN:23\n@SQ\tSN:chr2\tLN:1\n"));
  EXPECT_THAT(text, HasSubstr("read1\t0\tchr_1\t4\t"));
}

TEST(SamWriter, EmptyEvalueHasNoTag) {
  Example example = local_example();
  example.hits[0] = {example.hits[0].back()};
  EXPECT_THAT(written(example, "sam"), Not(HasSubstr("ZE:f")));
}

TEST(SamWriter, SubjectsOfOneNameAreRefused) {
  Example example = local_example();
  example.subjects = sequences({{"same one", "ACD"}, {"same two", "ACD"}});
  example.hits = {{}, {}};
  try {
    written(example, "sam");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("are named same"));
  }
}

}  // namespace
}  // namespace alnus::io
