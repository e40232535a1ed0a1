// Method pairalign-bits: problems whose work it cuts, and pairs that it leaves to the usual device.
#include <gtest/gtest.h>
#include <vector>

#include "cuda/cuda_device.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

constexpr std::uint64_t kLittleMemory = 64 << 20;  // bytes; makes several windows, and no GPU works with less

testing::AssertionResult equals_reference(Workload work, const Scoring& scoring) {
  work.memory_bytes = kLittleMemory;
  const Implementation implementation{"pairalign-bits", [](std::uint64_t memory_bytes) {
                                        return cuda::make_cuda_device({0, "pairalign-bits", memory_bytes});
                                      }};
  return test::equals_reference({implementation}, work, scoring);
}

std::vector<Residues> relatives(unsigned seed, std::size_t count, std::size_t shortest, std::size_t longest) {
  Random random(seed);
  const Residues ancestor = random_sequence(random, longest);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < count; ++k) {
    Residues residues = relative(random, ancestor, 4, 9);
    residues.resize(std::min(residues.size(), shortest + below(random, longest + 1 - shortest)));
    all.push_back(std::move(residues));
  }
  return all;
}

class PairalignBits : public testing::TestWithParam<ModeAndEnds> {};

TEST_P(PairalignBits, SeveralWindows) {
  Workload work = triangle_of(relatives(51, 100, 60, 100));
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {11, 1})));
  work.shape = TileShape::list;
  for (std::uint32_t query = 0; query < 100; query += 2) {
    for (std::uint32_t subject = query % 3; subject < 100; subject += 3)
      work.pairs.emplace_back(query, subject);
  }
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {3, 0})));
}

TEST_P(PairalignBits, EveryLengthAroundTheBands) {
  Random random(52);
  Workload work;
  for (std::size_t length = 0; length <= 33; ++length) {
    work.queries.push_back(random_sequence(random, length, 3));
    work.subjects.push_back(random_sequence(random, length, 3));
  }
  for (const Gaps gaps : {Gaps{11, 1}, Gaps{0, 0}, Gaps{0, 2}, Gaps{32767, 32767}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps)));
}

// For some pairs the lowest score of the dynamic programming matrix fits 16 bits, for others it does not.
TEST_P(PairalignBits, ScoresAroundTheLowestOf16Bits) {
  const Workload work = triangle_of(relatives(53, 24, 30, 70));
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {100, 300})));
}

TEST_P(PairalignBits, ScoresAroundTheHighestOf16Bits) {
  const Workload work = triangle_of(relatives(54, 20, 30, 70));
  const auto high = [](int query, int subject) { return query == subject ? 900 : -300; };
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {50, 40}, matrix_of(high))));
}

TEST_P(PairalignBits, MatricesBeyond16Bits) {
  const Workload work = triangle_of(relatives(55, 5, 20, 30));
  const SubstitutionMatrix high = SubstitutionMatrix::builtin("BLOSUM62").weighted(4000, 1, 0);
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {44'000, 4000}, high)));
}

// One subject is longer than the method takes (7,036 residues). Another one has just this length, but the
// dynamic programming matrices of its thread block do not fit the memory.
TEST_P(PairalignBits, LongSequencesAmongShortOnes) {
  Workload work{.queries = relatives(56, 18, 5, 20), .subjects = relatives(57, 20, 5, 30)};
  Random random(58);
  work.subjects.push_back(random_sequence(random, 7037));
  work.subjects.push_back(random_sequence(random, 7036));
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {11, 1})));
}

INSTANTIATE_TEST_SUITE_P(Cuda, PairalignBits, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
