// Problems of which everything is random: matrix, gaps, free ends, lengths, similarity, tile shape, memory.
#include <gtest/gtest.h>
#include <vector>

#include "device/implementations.h"

namespace alnus::test {
namespace {

template <class T>
const T& one_of(Random& random, const std::vector<T>& choices) {
  return choices[below(random, choices.size())];
}

SubstitutionMatrix random_matrix(Random& random) {
  if (below(random, 2)) {
    const std::vector<const char*> names = {"BLOSUM62", "BLOSUM50", "BLOSUM62.ncbi25", "PAM30",
                                            "PAM250",   "VTML80",   "BLOSUM80"};
    return SubstitutionMatrix::builtin(one_of(random, names));
  }
  const int lowest = -static_cast<int>(below(random, one_of<std::size_t>(random, {2, 20, 130, 2000}))) - 1;
  const int highest = static_cast<int>(below(random, one_of<std::size_t>(random, {2, 20, 130, 2000})));
  const auto span = static_cast<std::size_t>(highest - lowest + 1);
  const bool likes_itself = below(random, 2) != 0;
  return matrix_of([&](int query, int subject) {
    return likes_itself && query == subject ? highest : lowest + static_cast<int>(below(random, span));
  });
}

Workload random_workload(Random& random) {
  Workload work;
  const std::size_t longest = one_of<std::size_t>(random, {5, 20, 70, 140, 400});
  const std::size_t letters = one_of<std::size_t>(random, {1, 2, 4, 20, 24, 27});
  const std::size_t queries = 1 + below(random, 6), subjects = below(random, longest > 100 ? 40 : 140);
  const auto draw = [&] {
    return with_random_case(random, random_sequence(random, below(random, longest + 1), letters));
  };
  while (work.queries.size() < queries) work.queries.push_back(draw());
  while (work.subjects.size() < subjects) {
    work.subjects.push_back(below(random, 2)
                                ? draw()
                                : relative(random, one_of(random, work.queries), 2 + below(random, 30), 30));
  }
  work.shape = one_of<TileShape>(random, {TileShape::rectangle, TileShape::staircase, TileShape::list});
  if (work.shape == TileShape::staircase) {
    for (std::size_t row = 0; row < queries; ++row)
      work.first_columns.emplace_back(static_cast<std::uint32_t>(below(random, subjects + 1)));
    std::ranges::sort(work.first_columns);
  }
  if (work.shape == TileShape::list) {
    for (std::uint32_t query = 0; query < work.queries.size(); ++query) {
      for (std::uint32_t subject = 0; subject < work.subjects.size(); ++subject)
        if (below(random, 3)) work.pairs.emplace_back(query, subject);
    }
  }
  work.memory_bytes = std::uint64_t{1} << one_of<std::size_t>(random, {14, 18, 22, 30});
  return work;
}

class RandomProblems : public testing::TestWithParam<unsigned> {};

TEST_P(RandomProblems, EqualTheReference) {
  Random random(1000 + GetParam());
  for (int round = 0; round < 20; ++round) {
    const SubstitutionMatrix matrix = random_matrix(random);
    const std::size_t dearest = one_of<std::size_t>(random, {1, 3, 15, 130, 4000});
    const Gaps gaps{static_cast<int>(below(random, dearest)), static_cast<int>(below(random, dearest))};
    const ModeAndEnds mode = one_of(random, below(random, 2) ? main_modes() : all_modes());
    ASSERT_TRUE(equals_reference(random_workload(random), scoring_of(mode, gaps, matrix)));
  }
}

INSTANTIATE_TEST_SUITE_P(Device, RandomProblems, testing::Range(0U, 6U));

}  // namespace
}  // namespace alnus::test
