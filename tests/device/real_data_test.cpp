// Real proteins, with relatives, regions of low complexity, ambiguous residues and lengths of all kinds.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/implementations.h"
#include "support/example_data.h"

namespace alnus::test {
namespace {

class RealData : public testing::TestWithParam<ModeAndEnds> {};

TEST_P(RealData, QueriesOfThePapersAgainstEachOther) {
  const Workload work{.queries = sample(ALNUS_SOURCE_DIR "/data/queries/queries_manavski.fasta", 5, 400),
                      .subjects = sample(ALNUS_SOURCE_DIR "/data/queries/queries_cudasw.fasta", 20, 1000)};
  ASSERT_GE(work.queries.size(), 3U);
  ASSERT_GE(work.subjects.size(), 8U);
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {10, 2}, "BLOSUM50")));
}

TEST_P(RealData, DatabaseOfExamples) {
  if (!has_example_data()) GTEST_SKIP() << kNoExampleData;
  const Workload work{.queries = sample(example_data() + "/QUERY.fasta.gz", 6, 500),
                      .subjects = sample(example_data() + "/DB.fasta.gz", 150, 700)};
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {11, 1})));
}

INSTANTIATE_TEST_SUITE_P(Device, RealData, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
