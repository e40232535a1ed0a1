// The counts that give the identity of alignments, without CIGARs and coordinates. Backends may count short
// sequences in another way than longer ones, so tiles have both.
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "device/implementations.h"

namespace alnus::test {
namespace {

class Identities : public testing::TestWithParam<ModeAndEnds> {
 protected:
  void check(const Workload& work, Gaps gaps,
             const SubstitutionMatrix& matrix = SubstitutionMatrix::builtin("BLOSUM62")) {
    SCOPED_TRACE(testing::Message() << "gaps " << gaps.open << ", " << gaps.extend);
    const Scoring scoring = scoring_of(GetParam(), gaps, matrix);
    const Problem problem{
        .scoring = scoring, .detail = Detail::alignment, .cigars = false, .identities = true};
    std::map<Pair, Alignment> expected;
    for_each_device(implementations(), problem, [&](Device& device) {
      const LoadedWorkload loaded(device, work);
      Collect sink;
      device.run(loaded.tile(), problem, sink);
      const std::vector<Pair> pairs = pairs_of(loaded.tile());
      EXPECT_EQ(sink.calls, 1);
      EXPECT_TRUE(sink.repeated.empty());
      ASSERT_EQ(sink.found.size(), pairs.size());
      for (const Pair& pair : pairs) {
        const Residues &query = work.queries[pair.first], &subject = work.subjects[pair.second];
        const auto [known, is_new] = expected.try_emplace(pair);
        if (is_new) known->second = align_reference(query, subject, scoring, Detail::alignment);
        const AlignmentCounts wanted = count(known->second, query, subject, scoring.matrix);
        const AlignmentCounts& counts = sink.counts.at(pair);
        ASSERT_EQ(sink.found.at(pair).score, known->second.score);
        ASSERT_TRUE(counts.columns == wanted.columns && counts.identical == wanted.identical &&
                    counts.mismatches == wanted.mismatches && counts.gap_residues == wanted.gap_residues)
            << counts.columns << " columns, " << counts.identical << " identical, " << counts.mismatches
            << " mismatches, " << counts.gap_residues << " gap residues of query " << pair.first
            << ", subject " << pair.second << ", " << describe(known->second);
      }
    });
  }
};

// Lengths are around the longest for which counts in few bits suffice. This longest length differs between
// modes.
TEST_P(Identities, OfEveryLength) {
  Random random(71);
  Workload work;
  for (const std::size_t length : {1, 2, 3, 7, 15, 30, 31, 32, 100, 128, 129})
    work.queries.push_back(random_sequence(random, length));
  for (std::size_t length = 0; length <= 130; length += length < 36 || length > 125 ? 1 : 11)
    work.subjects.push_back(random_sequence(random, length, length % 2 ? 20 : 3));
  for (const Gaps gaps : {Gaps{11, 1}, {0, 2}}) check(work, gaps);
}

// Many alignments have the same score, because of repeats, few letters, and gaps that cost nothing to open or
// to extend.
TEST_P(Identities, WhereManyPathsTie) {
  Random random(72);
  Workload work;
  for (std::size_t k = 0; k < 12; ++k) work.queries.push_back(random_sequence(random, 2 + 2 * k, 2));
  for (std::size_t k = 0; k < 70; ++k)
    work.subjects.push_back(k % 4 ? random_sequence(random, 1 + k % 30, 2)
                                  : repeat(k % 8 ? "AR" : "A", 1 + k % 15));
  for (const Gaps gaps : {Gaps{11, 1}, {0, 0}, {0, 1}, {2, 0}, {4, 4}}) check(work, gaps);
  check(work, {1, 1}, matrix_of([](int query, int subject) { return query == subject ? 1 : -1; }));
  check(work, {2, 0}, matrix_of([](int, int) { return 0; }));
  check(work, {5, 2}, matrix_of([](int, int) { return -3; }));
}

TEST_P(Identities, OfRelativesAndAsymmetricMatrices) {
  Random random(73);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < 60; ++k)
    all.push_back(k < 6 ? random_sequence(random, 10 + 4 * k) : relative(random, all[k % 6], 4, 4));
  const Workload work = triangle_of(all);
  check(work, {11, 1});
  check(work, {3, 2}, matrix_of([](int query, int subject) {
          return query == subject ? 6 : (7 * query + 3 * subject) % 11 - 7;
        }));
}

INSTANTIATE_TEST_SUITE_P(Device, Identities, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
