// Scores of short sequences in all modes, in tiles of many rows: all lengths, values around the limits of
// narrow lanes, and scorings with which query and subject may not be swapped.
#include <gtest/gtest.h>
#include <vector>

#include "device/implementations.h"

namespace alnus::test {
namespace {

class ShortSequences : public testing::TestWithParam<ModeAndEnds> {
 protected:
  void check(Workload work, Gaps gaps, const SubstitutionMatrix& matrix) {
    work.details = {Detail::score};
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps, matrix)))
        << gaps.open << ", " << gaps.extend;
  }
  void check(const Workload& work, Gaps gaps) { check(work, gaps, SubstitutionMatrix::builtin("BLOSUM62")); }
};

std::vector<Residues> sequences_of(Random& random, const std::vector<std::size_t>& lengths,
                                   std::size_t letters) {
  std::vector<Residues> all;
  for (const std::size_t length : lengths) all.push_back(random_sequence(random, length, letters));
  return all;
}

// Subjects of all lengths side by side.
TEST_P(ShortSequences, OfEveryLength) {
  Random random(61);
  Workload work{.queries = sequences_of(random, {1, 2, 3, 4, 5, 8, 13, 31, 64, 65}, 20)};
  for (std::size_t length = 0; length <= 130; ++length)
    work.subjects.push_back(random_sequence(random, length, length % 2 ? 20 : 3));
  for (const Gaps gaps : {Gaps{11, 1}, {0, 4}, {3, 0}}) check(work, gaps);
}

// There are so many subjects of each length that neighbouring lanes have one, two or three different lengths.
TEST_P(ShortSequences, OfFewLengths) {
  Random random(62);
  Workload work{.queries = sequences_of(random, {0, 1, 7, 9, 10, 11, 12, 15, 16, 20}, 20)};
  for (const std::size_t length : {1, 2, 15, 16, 17})
    for (std::size_t k = 0; k < 20 * length % 67 + 60; ++k)
      work.subjects.push_back(k % 3 ? random_sequence(random, length)
                                    : relative(random, random_sequence(random, length), 4, 5));
  for (const Gaps gaps : {Gaps{11, 1}, {0, 0}, {1, 5}}) check(work, gaps);
}

// Identical and unrelated sequences, which have the highest and the lowest scores of each pair of lengths.
TEST_P(ShortSequences, AroundWhatNarrowLanesHold) {
  Workload work;
  for (std::size_t length = 1; length <= 40; length += length < 24 ? 1 : 4) {
    work.queries.push_back(repeat("W", length));
    work.subjects.push_back(repeat("W", length));
    work.subjects.push_back(repeat("P", length));
    work.subjects.push_back(concatenate({repeat("W", length), repeat("P", length)}));
  }
  for (const Gaps gaps : {Gaps{11, 1}, {40, 0}, {0, 3}, {0, 0}, {41, 1}, {42, 2}, {120, 7}})
    check(work, gaps);
}

TEST_P(ShortSequences, MatricesOfManyKinds) {
  Random random(63);
  Workload work;
  for (std::size_t k = 0; k < 12; ++k) work.queries.push_back(random_sequence(random, 1 + 2 * k, 27));
  for (std::size_t k = 0; k < 90; ++k) work.subjects.push_back(random_sequence(random, 1 + k % 25, 27));
  const auto asymmetric = [](int query, int subject) { return (7 * query + 3 * subject) % 11 - 5; };
  check(work, {5, 2}, matrix_of(asymmetric));
  check(work, {5, 2}, matrix_of([](int, int) { return -3; }));  // no score is above 0
  check(work, {0, 0}, matrix_of([](int, int) { return 4; }));   // no score is below 0
  check(work, {90, 30}, matrix_of([](int query, int subject) { return query == subject ? 127 : -128; }));
  check(work, {9, 3}, matrix_of([](int query, int subject) { return query == subject ? 3000 : -2000; }));
}

TEST_P(ShortSequences, OfNucleotides) {
  Random random(64);
  Workload work{.alphabet = AlphabetKind::dna};
  for (std::size_t k = 0; k < 10; ++k) work.queries.push_back(random_sequence(random, 1 + 4 * k, 4));
  for (std::size_t k = 0; k < 80; ++k) work.subjects.push_back(random_sequence(random, 1 + k / 2, 15));
  const SubstitutionMatrix& matrix = SubstitutionMatrix::builtin("NUC44");
  check(work, {10, 6}, matrix);
  check(work, {5, 2}, matrix);
}

INSTANTIATE_TEST_SUITE_P(Device, ShortSequences, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
