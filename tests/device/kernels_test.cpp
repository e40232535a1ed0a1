// Every mode, set of free ends, detail, gap model and kind of matrix on random and adversarial sequences.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/implementations.h"

namespace alnus::test {
namespace {

// The gap costs are, in this order: affine (twice), linear, zero, zero to extend, more to extend than to
// open, and high: 80 for the first residue of a gap, which fits 8 bits, and 350, which does not.
constexpr Gaps kGapModels[] = {{11, 1}, {10, 2}, {0, 4}, {0, 0}, {3, 0}, {1, 5}, {60, 20}, {200, 150}};
constexpr Gaps kThreeGapModels[] = {{11, 1}, {0, 4}, {0, 0}};

class Kernels : public testing::TestWithParam<ModeAndEnds> {
 protected:
  void check(const Workload& workload, Gaps gaps, const SubstitutionMatrix& matrix) {
    EXPECT_TRUE(equals_reference(workload, scoring_of(GetParam(), gaps, matrix)));
  }
  void check(const Workload& workload, Gaps gaps) {
    check(workload, gaps, SubstitutionMatrix::builtin("BLOSUM62"));
  }
};

// Sequences of few letters have many ties. Those of all 27 letters have letters that score like others.
std::vector<Residues> random_sequences(Random& random, std::size_t count, std::size_t longest) {
  constexpr std::size_t kLetters[] = {20, 27, 4, 2};
  std::vector<Residues> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(random_sequence(random, below(random, longest + 1), kLetters[k % 4]));
  return all;
}

TEST_P(Kernels, RandomSequences) {
  Random random(1);
  for (const Gaps gaps : kGapModels) {
    Workload work{.queries = random_sequences(random, 7, 70), .subjects = random_sequences(random, 75, 90)};
    check(work, gaps);
  }
}

TEST_P(Kernels, RelatedSequences) {
  Random random(2);
  for (const Gaps gaps : kThreeGapModels) {
    Workload work;
    for (const std::size_t length : {40, 90, 150}) {
      const Residues ancestor = random_sequence(random, length);
      work.queries.push_back(relative(random, ancestor, 9, 12));
      for (const std::size_t spacing : {4, 8, 20})
        for (int k = 0; k < 4; ++k) work.subjects.push_back(relative(random, ancestor, spacing, 25));
    }
    check(work, gaps);
  }
}

// Each query has few subjects, so a device may compute the subjects of several queries side by side.
TEST_P(Kernels, FewSubjectsOfEachQuery) {
  Random random(12);
  Workload work{.shape = TileShape::list};
  for (const std::uint32_t length : {150, 97, 96, 95, 64, 33, 32, 2, 1}) {
    work.queries.push_back(random_sequence(random, length));
    const auto query = static_cast<std::uint32_t>(work.queries.size() - 1);
    for (std::uint32_t k = 0; k < 4 + query; ++k) {
      work.pairs.emplace_back(query, work.subjects.size());
      work.subjects.push_back(k % 2 ? relative(random, work.queries.back(), 12, 40)
                                    : random_sequence(random, 1 + below(random, 160)));
    }
  }
  for (const Gaps gaps : kThreeGapModels) check(work, gaps);
}

TEST_P(Kernels, EveryLengthAroundTheLaneCounts) {
  Random random(3);
  Workload work;
  for (const std::size_t length : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}) {
    work.queries.push_back(random_sequence(random, length));
    work.subjects.push_back(random_sequence(random, length, 5));
  }
  for (const Gaps gaps : kThreeGapModels) check(work, gaps);
}

TEST_P(Kernels, RepeatsAndRunsOfOneLetter) {
  const std::vector<Residues> sequences = {repeat("A", 50),
                                           repeat("A", 33),
                                           repeat("W", 20),
                                           repeat("W", 45),
                                           repeat("AC", 40),
                                           repeat("CA", 41),
                                           repeat("ACD", 60),
                                           repeat("WWP", 37),
                                           repeat("X", 30),
                                           repeat("*", 25),
                                           repeat("PG", 30),
                                           repeat("ARNDCQEGHILKMFPSTWYVBZX*UOJ", 54),
                                           repeat("BZ", 34),
                                           repeat("UC", 36),
                                           repeat("OKJL", 48),
                                           concatenate({repeat("W", 20), repeat("P", 20), repeat("W", 20)}),
                                           concatenate({repeat("AC", 18), repeat("W", 3), repeat("AC", 18)})};
  for (const Gaps gaps : kThreeGapModels) check({.queries = sequences, .subjects = sequences}, gaps);
}

// The middles of query and subject are unrelated, so the best alignment has a gap directly after a gap.
TEST_P(Kernels, GapsOnBothSidesAdjacent) {
  Random random(5);
  Workload work;
  for (const std::size_t middle : {0, 1, 2, 7, 30, 70}) {
    Random same(6);
    const Residues head = random_sequence(same, 35), tail = random_sequence(same, 30);
    work.queries.push_back(concatenate({head, repeat("W", middle), tail}));
    work.subjects.push_back(concatenate({head, repeat("P", middle), tail}));
    work.subjects.push_back(concatenate({head, repeat("PG", middle / 2), tail}));
    work.subjects.push_back(concatenate({tail, head}));
    work.subjects.push_back(concatenate({head, random_sequence(random, middle), head}));
  }
  for (const Gaps gaps : {Gaps{11, 1}, {0, 4}, {0, 0}, {3, 0}, {0, 1}}) check(work, gaps);
}

TEST_P(Kernels, LowerCaseScoresAsUpperCase) {
  Random random(7);
  Workload work;
  for (const std::size_t length : {1, 20, 64, 80}) {
    const Residues ancestor = random_sequence(random, length, 27);
    for (int k = 0; k < 3; ++k) {
      work.queries.push_back(with_random_case(random, ancestor));
      work.subjects.push_back(with_random_case(random, relative(random, ancestor, 10, 5)));
    }
  }
  check(work, {11, 1});
}

TEST_P(Kernels, BuiltinMatrices) {
  Random random(8);
  for (const auto& [name, gaps] : std::vector<std::pair<std::string, Gaps>>{
           {"BLOSUM50", {10, 2}}, {"PAM30", {9, 1}}, {"PAM250", {14, 2}}, {"VTML160", {10, 1}}}) {
    Workload work{.queries = random_sequences(random, 6, 80), .subjects = random_sequences(random, 35, 80)};
    for (const Residues& query : work.queries) work.subjects.push_back(relative(random, query, 6, 8));
    check(work, gaps, SubstitutionMatrix::builtin(name));
  }
}

TEST_P(Kernels, Nucleotides) {
  Random random(9);
  Workload work{.alphabet = AlphabetKind::dna};
  for (int k = 0; k < 40; ++k) {
    const Residues sequence = random_sequence(random, below(random, 100), k % 2 ? 15 : 4);
    (k < 6 ? work.queries : work.subjects).push_back(with_random_case(random, sequence));
  }
  check(work, {10, 6}, SubstitutionMatrix::builtin("NUC44"));
  check(work, {5, 2}, SubstitutionMatrix::match_mismatch("2", "-3"));
  check(work, {0, 1}, SubstitutionMatrix::match_mismatch("1", "-1"));
  check(work, {7, 1}, SubstitutionMatrix::match_mismatch("1", "-2.75"));
}

TEST_P(Kernels, OddMatrices) {
  Random random(10);
  const auto between = [&random](int lowest, int highest) {
    return [&random, lowest, highest](int, int) {
      return lowest + static_cast<int>(below(random, static_cast<std::size_t>(highest - lowest + 1)));
    };
  };
  const SubstitutionMatrix matrices[] = {
      matrix_of(between(-9, 9)),               // asymmetric
      matrix_of(between(-12, -1)),             // all negative: no local alignment
      matrix_of([](int, int) { return -1; }),  // one negative score
      matrix_of([](int, int) { return 0; }),   // all alignments without gaps have the same score
      matrix_of([](int, int) { return 7; }),   // one positive score
      matrix_of(between(1, 12)),               // all positive
      matrix_of(between(-128, 127)),           // the limits of 8 bits
      matrix_of(between(-129, 128)),           // just beyond 8 bits
      matrix_of(between(-255, 256)),           // just beyond 8 bits without a sign
      matrix_of(between(-3000, 3000)),         // far beyond 8 bits
      matrix_of(between(-32767, 32767)),       // the largest scores that are allowed
      matrix_of([](int q, int s) { return q < s ? 5 : -6; }),
  };
  for (const SubstitutionMatrix& matrix : matrices) {
    const Workload work{.queries = random_sequences(random, 4, 40),
                        .subjects = random_sequences(random, 34, 40)};
    for (const Gaps gaps : {Gaps{11, 1}, {0, 4}, {100, 27}, {32767, 32767}}) check(work, gaps, matrix);
  }
}

TEST_P(Kernels, Decimals) {
  ScoringOptions options;
  options.gap_open = "10";
  options.gap_extend = "0.25";
  const Scoring quarters = make_scoring(options);
  ASSERT_EQ(quarters.scale, 4);
  Random random(11);
  const Workload work{.queries = random_sequences(random, 6, 90),
                      .subjects = random_sequences(random, 40, 90)};
  check(work, {quarters.open, quarters.extend}, quarters.matrix);
}

INSTANTIATE_TEST_SUITE_P(Device, Kernels, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
