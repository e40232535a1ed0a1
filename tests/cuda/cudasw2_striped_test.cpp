// Method cudasw2-striped with queries and subjects around the sizes of its vectors, of its partitions of the
// query (256 rows) and of its grids.
#include <gtest/gtest.h>
#include <vector>

#include "cuda/cuda_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

testing::AssertionResult equals_reference(Workload work, Gaps gaps, const SubstitutionMatrix& matrix) {
  work.details = {Detail::score};
  const Implementation implementation{"cudasw2-striped", [](std::uint64_t memory_bytes) {
                                        return cuda::make_cuda_device({0, "cudasw2-striped", memory_bytes});
                                      }};
  return test::equals_reference({implementation}, work, scoring_of({Mode::local}, gaps, matrix));
}

// Gaps are so cheap that they run from lane to lane and into the next partitions.
TEST(Cudasw2Striped, LongGapsInTheSubject) {
  struct Gap {
    int begin, length;
  };
  Random random(71);
  const Residues query = random_sequence(random, 600);
  Workload work{.queries = {query}};
  for (const auto [begin, length] : {Gap{5, 15}, {40, 16}, {200, 100}, {100, 450}}) {
    Residues& subject = work.subjects.emplace_back(query);
    subject.erase(subject.begin() + begin, subject.begin() + begin + length);
  }
  const auto matrix = matrix_of([](int a, int b) { return a == b ? 100 : -100; });
  for (const Gaps gaps : {Gaps{0, 0}, {0, 1}, {300, 1}}) EXPECT_TRUE(equals_reference(work, gaps, matrix));
}

TEST(Cudasw2Striped, UnlikeLengthsInAWarp) {
  Random random(72);
  Workload work;
  for (const std::size_t length : {1, 256, 257, 512, 513})
    work.queries.push_back(random_sequence(random, length));
  for (const std::size_t length : {600, 2, 1, 1, 0}) work.subjects.push_back(random_sequence(random, length));
  EXPECT_TRUE(equals_reference(work, {11, 1}, SubstitutionMatrix::builtin("BLOSUM62")));
  const auto all_equal = matrix_of([](int, int) { return 3; });  // padding must not get this score
  EXPECT_TRUE(equals_reference(work, {11, 1}, all_equal));
}

TEST(Cudasw2Striped, MoreSubjectsThanAGridHasVectors) {
  Random random(73);
  Workload work{.queries = {random_sequence(random, 257)}};
  for (std::size_t k = 0; k < 3200; ++k)
    work.subjects.push_back(random_sequence(random, k % 100 == 0 ? 40 : 1 + k % 3));
  EXPECT_TRUE(equals_reference(work, {11, 1}, SubstitutionMatrix::builtin("BLOSUM62")));
}

}  // namespace
}  // namespace alnus::test
