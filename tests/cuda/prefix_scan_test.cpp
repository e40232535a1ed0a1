// Method prefix-scan with subjects around whole slices (512 columns) and more of them than a grid has blocks,
// and its message about gaps that are not linear.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/emulated.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

testing::AssertionResult equals_reference(Workload work, int gap) {
  work.details = {Detail::score};
  const Implementation implementation{"prefix-scan", [](std::uint64_t memory_bytes) {
                                        return cuda::make_cuda_device({0, "prefix-scan", memory_bytes});
                                      }};
  return test::equals_reference({implementation}, work, scoring_of({Mode::local}, {0, gap}));
}

TEST(PrefixScan, Slices) {
  Random random(81);
  Workload work;
  for (const std::size_t length : {1, 2, 40}) work.queries.push_back(random_sequence(random, length));
  for (const std::size_t length : {511, 512, 513, 1023, 1025})
    work.subjects.push_back(random_sequence(random, length));
  // The gaps in the query end at a border of slices, go across one, or skip a whole slice.
  const Residues& query = work.queries.back();
  const Residues head(query.begin(), query.begin() + 20), tail(query.begin() + 20, query.end());
  for (const std::size_t before : {480, 491, 492, 493}) {
    for (const std::size_t gap : {1, 20, 600}) {
      work.subjects.push_back(
          concatenate({random_sequence(random, before), head, random_sequence(random, gap), tail}));
    }
  }
  const std::vector<int> gaps = takes_a_sample() ? std::vector{4} : std::vector{0, 4, 32767};
  for (const int gap : gaps) EXPECT_TRUE(equals_reference(work, gap));
}

TEST(PrefixScan, MoreSubjectsThanAGridHasBlocks) {
  Random random(82);
  Workload work{.queries = {random_sequence(random, 3), random_sequence(random, 5)}};
  for (std::size_t k = 0; k < 300; ++k)
    work.subjects.push_back(random_sequence(random, k % 50 == 0 ? 515 : k % 7));
  EXPECT_TRUE(equals_reference(work, 4));
}

TEST(PrefixScan, AffineGapsAreDeclinedWithAWayOut) {
  const auto device = cuda::make_cuda_device({0, "prefix-scan"});
  EXPECT_THAT(device->declines({scoring_of({Mode::local}, {11, 1}), Detail::score}),
              testing::AllOf(testing::HasSubstr("costs 11"), testing::HasSubstr(option("gap_open") + " 0")));
}

}  // namespace
}  // namespace alnus::test
