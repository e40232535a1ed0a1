#include "stats/composition.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "stats/background.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus::stats {
namespace {

// The lambda between letters of these frequencies, by bisection of the sum over all pairs of letters.
double lambda_between(const Background& query, const Background& subject, const SubstitutionMatrix& matrix) {
  double low = 1e-3, high = 10;
  for (int round = 0; round < 80; ++round) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (std::size_t a = 0; a < query.size(); ++a)
      for (std::size_t b = 0; b < subject.size(); ++b)
        sum += query[a] * subject[b] *
               std::exp(middle * matrix.value(static_cast<Residue>(a), static_cast<Residue>(b)));
    (sum < 1 ? low : high) = middle;
  }
  return low;
}

TEST(Composition, CountsTheLettersOfTheBackground) {
  EXPECT_EQ(composition_of(test::encode("AAcgNNRn", AlphabetKind::dna), AlphabetKind::dna),
            (Background{0.5, 0.25, 0.25, 0}));
  EXPECT_TRUE(composition_of(test::encode("NNRY", AlphabetKind::dna), AlphabetKind::dna).empty());
  EXPECT_TRUE(composition_of({}, AlphabetKind::protein).empty());
  const Background found = composition_of(test::encode("VBZX*UOJv"), AlphabetKind::protein);
  ASSERT_EQ(found.size(), 20u);
  EXPECT_EQ(found.back(), 1) << "V is the last of the twenty";
}

TEST(Composition, TheWorthIsTheRatioOfTheLambdas) {
  const Scoring scoring = test::protein("BLOSUM62", "11", "1");
  const Background background = default_background(AlphabetKind::protein);
  const double usual = lambda_between(background, background, scoring.matrix);
  test::Random random(1);
  int capped = 0, lower = 0;
  for (int round = 0; round < 40; ++round) {
    const test::Residues query = test::random_sequence(random, 60, 4 + test::below(random, 17));
    const double ratio =
        lambda_between(composition_of(query, AlphabetKind::protein), background, scoring.matrix) / usual;
    EXPECT_NEAR(worth_of_scores(query, scoring), std::min(1.0, ratio), 1e-6);
    ++(ratio < 1 ? lower : capped);
  }
  EXPECT_GT(lower, 3);
  EXPECT_GT(capped, 3);
}

TEST(Composition, WithoutALambdaTheWorthIsZeroOrOne) {
  Scoring scoring = test::dna("2", "-3", "5", "2");
  // A scores 1 with every base, and each other base 1 with itself alone.
  std::vector<std::int32_t> values(kMaxLetters * kMaxLetters, -3);
  for (int base = 0; base < 4; ++base) values[base] = values[base * kMaxLetters + base] = 1;
  scoring.matrix = SubstitutionMatrix::of_values("lopsided", AlphabetKind::dna, 1, values);
  const auto worth = [&](std::string_view letters) {
    return worth_of_scores(test::encode(letters, AlphabetKind::dna), scoring);
  };
  EXPECT_EQ(worth("AAAA"), 0) << "its letters score 1 on average";
  EXPECT_EQ(worth("CGT"), 1);
  EXPECT_EQ(worth("NNN"), 1);
  EXPECT_EQ(worth(""), 1);
  EXPECT_GT(worth("AACGT"), 0);
  scoring = test::dna("3", "-1", "5", "2");
  EXPECT_EQ(worth("ACGT"), 1) << "even bases score 0 on average";
}

}  // namespace
}  // namespace alnus::stats
