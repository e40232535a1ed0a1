#include "stats/adjusted_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "support/adjusted_matrix_reference.h"
#include "support/sequences.h"

namespace alnus::stats {
namespace {

using test::lambda_of, test::solve_for_entropy, test::solve_for_theta;

constexpr std::size_t kLetters = 20;

Scoring scoring_of(const std::string& matrix) {
  ScoringOptions options;
  options.matrix = matrix;
  return make_scoring(options);
}

MatrixAdjuster adjuster_of(const std::string& matrix) { return *MatrixAdjuster::of(scoring_of(matrix)); }

PairScores adjusted(const MatrixAdjuster& adjuster, const Frequencies& query, const Frequencies& subject) {
  const Frequencies* const subjects[] = {&subject};
  PairScores scores;
  make_matrices(adjuster.adjustment(), query, subjects, {&scores, 1});
  return scores;
}

std::vector<Residue> random_protein(std::mt19937& random, std::size_t length, int kinds) {
  std::vector<Residue> residues(length);
  for (Residue& residue : residues) residue = static_cast<Residue>(random() % static_cast<unsigned>(kinds));
  return residues;
}

TEST(AdjustedMatrix, IsThatOfTheFormula) {
  std::mt19937 random(1);
  for (const std::string name : {"BLOSUM62", "PAM250"}) {
    const Scoring scoring = scoring_of(name);
    const MatrixAdjuster adjuster = adjuster_of(name);
    const Background background = default_background(AlphabetKind::protein);
    Frequencies of_background;
    std::ranges::copy(background, of_background.begin());
    const double lambda = lambda_of(scoring, background);
    const double entropy = MatrixAdjuster::kEntropyFactor *
                           solve_for_theta(scoring, lambda, of_background, of_background, 1).entropy;
    for (int pair = 0; pair < 3; ++pair) {
      const Frequencies p = adjuster.frequencies(random_protein(random, 80 + 100 * pair, 20 - 3 * pair)),
                        r = adjuster.frequencies(random_protein(random, 300, 20));
      const test::AdjustedSolution expected = solve_for_entropy(scoring, lambda, p, r, entropy);
      const PairScores found = adjusted(adjuster, p, r);
      for (std::size_t i = 0; i < kLetters; ++i)
        for (std::size_t j = 0; j < kLetters; ++j)
          EXPECT_NEAR(found[j * kMaxLetters + i], adjuster.factor() * expected.scores[i][j], 0.5 + 1e-4)
              << name << i << ',' << j;
    }
  }
}

TEST(AdjustedMatrix, FactorGivesUnitsOfAHundredthOfANat) {
  EXPECT_EQ(adjuster_of("BLOSUM62").factor(), 32);  // its lambda is 0.3176
  EXPECT_EQ(adjuster_of("GONNET").factor(), 2);     // it has ten integers to a score
}

TEST(AdjustedMatrix, CountsTheTwentyAndAddsTheBackground) {
  const MatrixAdjuster adjuster = adjuster_of("BLOSUM62");
  const Background background = default_background(AlphabetKind::protein);
  const Frequencies none = adjuster.frequencies({}), others = adjuster.frequencies(test::encode("XXX*BZ"));
  const Frequencies alanines = adjuster.frequencies(test::encode("AAAAaaaaAAAAAAAAAAAA"));
  for (std::size_t i = 0; i < kLetters; ++i) {
    EXPECT_NEAR(none[i], background[i], 1e-12);
    EXPECT_EQ(others[i], none[i]);
    EXPECT_NEAR(alanines[i], (background[i] + (i == 0 ? 1 : 0)) / 2, 1e-12);
  }
}

TEST(AdjustedMatrix, IsTheTransposedOneOfSwappedSequences) {
  std::mt19937 random(5);
  const MatrixAdjuster adjuster = adjuster_of("BLOSUM62");
  const Frequencies p = adjuster.frequencies(random_protein(random, 90, 7)),
                    r = adjuster.frequencies(random_protein(random, 400, 20));
  const PairScores one = adjusted(adjuster, p, r), other = adjusted(adjuster, r, p);
  for (std::size_t i = 0; i < kLetters; ++i)
    for (std::size_t j = 0; j < kLetters; ++j)
      EXPECT_NEAR(one[i * kMaxLetters + j], other[j * kMaxLetters + i], 1);
}

TEST(AdjustedMatrix, OtherLettersScoreAsTheLettersThatTheyStandFor) {
  std::mt19937 random(6);
  const MatrixAdjuster adjuster = adjuster_of("BLOSUM62");
  const Frequencies p = adjuster.frequencies(random_protein(random, 90, 20)),
                    r = adjuster.frequencies(random_protein(random, 400, 20));
  const PairScores scores = adjusted(adjuster, p, r);
  const auto at = [&](char query, char subject) {
    const Alphabet& alphabet = Alphabet::protein();
    return scores[static_cast<std::size_t>(alphabet.encode(subject)) * kMaxLetters + alphabet.encode(query)];
  };
  const auto frequency = [&](const Frequencies& of, char letter) {
    return of[Alphabet::protein().encode(letter)];
  };
  for (const char letter : std::string("ARNDCQEGHILKMFPSTWYV")) {
    EXPECT_EQ(at('U', letter), at('C', letter));
    EXPECT_EQ(at(letter, 'O'), at(letter, 'K'));
    EXPECT_EQ(at('X', letter), -adjuster.factor());
    EXPECT_EQ(at(letter, 'X'), -adjuster.factor());
    EXPECT_EQ(at('*', letter), -4 * adjuster.factor());
    const double n = frequency(p, 'N'), d = frequency(p, 'D');
    EXPECT_NEAR(at('B', letter), (n * at('N', letter) + d * at('D', letter)) / (n + d), 1);
    const double q = frequency(r, 'Q'), e = frequency(r, 'E');
    EXPECT_NEAR(at(letter, 'Z'), (q * at(letter, 'Q') + e * at(letter, 'E')) / (q + e), 1);
  }
}

// Sequences of one letter, of two letters and of unknown letters have finite scores, some of them positive.
TEST(AdjustedMatrix, ExtremeCompositionsHaveScores) {
  const MatrixAdjuster adjuster = adjuster_of("BLOSUM62");
  std::vector<Frequencies> extremes;
  for (const std::size_t length : {1, 30, 1000, 40'000})
    for (const char* letters : {"A", "W", "QP", "X", "KE"}) {
      std::string text;
      for (std::size_t i = 0; i < length; ++i) text += letters[i % std::string_view(letters).size()];
      extremes.push_back(adjuster.frequencies(test::encode(text)));
    }
  for (const Frequencies& p : extremes)
    for (const Frequencies& r : extremes) {
      const PairScores scores = adjusted(adjuster, p, r);
      const auto [lowest, highest] = std::ranges::minmax(scores);
      EXPECT_GT(lowest, -200 * adjuster.factor());
      EXPECT_LT(highest, 200 * adjuster.factor());
      EXPECT_GT(highest, 0);
    }
}

// The scores of a pair do not depend on the pairs that are adjusted together with it.
TEST(AdjustedMatrix, ManyAtATimeAreThoseOfOneAtATime) {
  std::mt19937 random(8);
  const MatrixAdjuster adjuster = adjuster_of("BLOSUM62");
  const Frequencies query = adjuster.frequencies(random_protein(random, 120, 20));
  std::vector<Frequencies> subjects;
  for (int k = 0; k < 27; ++k)
    subjects.push_back(adjuster.frequencies(random_protein(random, 10 + 40 * (k % 9), 1 + k % 20)));
  std::vector<const Frequencies*> pointers;
  for (const Frequencies& subject : subjects) pointers.push_back(&subject);
  std::vector<PairScores> together(subjects.size());
  make_matrices(adjuster.adjustment(), query, pointers, together);
  for (std::size_t k = 0; k < subjects.size(); ++k)
    EXPECT_EQ(together[k], adjusted(adjuster, query, subjects[k])) << k;
}

// The predicted scale is lambda for the pair's compositions, found by bisection, divided by lambda for the
// background frequencies.
TEST(AdjustedMatrix, ThePredictedScaleIsThatOfLambda) {
  std::mt19937 random(9);
  const Scoring scoring = scoring_of("BLOSUM62");
  const MatrixAdjuster adjuster = adjuster_of("BLOSUM62");
  const Background background = default_background(AlphabetKind::protein);
  Frequencies even;
  std::ranges::copy(background, even.begin());
  EXPECT_NEAR(MatrixAdjuster::predicted_scale(adjuster.scale_terms(even), even), 1, 1e-9);
  const auto sum = [&](const Frequencies& p, const Frequencies& r, double lambda) {
    double total = 0;
    for (std::size_t i = 0; i < kLetters; ++i)
      for (std::size_t j = 0; j < kLetters; ++j)
        total += p[i] * r[j] *
                 std::exp(lambda * scoring.matrix.value(static_cast<Residue>(i), static_cast<Residue>(j)));
    return total;
  };
  for (int pair = 0; pair < 30; ++pair) {
    std::vector<Residue> biased = random_protein(random, 100, 20);
    for (int k = 0; k < 20; ++k) biased[static_cast<std::size_t>(k)] = static_cast<Residue>(pair % 20);
    const Frequencies p = adjuster.frequencies(biased),
                      r = adjuster.frequencies(random_protein(random, 300, 20));
    double low = 0.05, high = 2;
    for (int k = 0; k < 60; ++k) (sum(p, r, (low + high) / 2) < 1 ? low : high) = (low + high) / 2;
    const double lambda = lambda_of(scoring, background);
    EXPECT_NEAR(MatrixAdjuster::predicted_scale(adjuster.scale_terms(p), r), low / lambda, 0.03) << pair;
  }
}

TEST(AdjustedMatrix, ThereIsNoneForNucleotidesAndForLopsidedMatrices) {
  ScoringOptions dna;
  dna.alphabet = AlphabetKind::dna;
  EXPECT_FALSE(MatrixAdjuster::of(make_scoring(dna)));
  EXPECT_TRUE(MatrixAdjuster::of(scoring_of("VTML200")));
}

}  // namespace
}  // namespace alnus::stats
