// The factors by which the compositions of two nucleotide sequences scale their score.
#include "stats/pair_scale.h"

#include <cmath>
#include <gtest/gtest.h>

namespace alnus::stats {
namespace {

Scoring dna(const char* match, const char* mismatch) {
  return make_scoring({.match = match, .mismatch = mismatch, .alphabet = AlphabetKind::dna});
}

constexpr BaseFrequencies kEven = {0.25, 0.25, 0.25, 0.25}, kAt = {0.4, 0.1, 0.1, 0.4},
                          kGc = {0.1, 0.4, 0.4, 0.1};

TEST(PairScale, LambdaIsThatOfBothCompositions) {
  const Scoring scoring = dna("2", "-3");
  const PairScale scale = PairScale::of(scoring).value();
  // If p is the chance that two residues are equal, lambda solves p exp(2 lambda) + (1 - p) exp(-3 lambda) =
  // 1. With even frequencies p is 0.25, for two sequences rich in A and T it is 0.34.
  const auto solves = [](double p, double lambda) {
    return p * std::exp(2 * lambda) + (1 - p) * std::exp(-3 * lambda);
  };
  const double even = 0.6337314430979062;
  EXPECT_NEAR(solves(0.25, even), 1, 1e-9);
  EXPECT_NEAR(solves(0.34, even * scale.worth(kAt, kAt)), 1, 1e-6);
  EXPECT_DOUBLE_EQ(scale.worth(kGc, kGc), scale.worth(kAt, kAt));
  EXPECT_LT(scale.worth(kAt, kAt), 0.8);
}

TEST(PairScale, IsNeverAboveOne) {
  const Scoring scoring = dna("2", "-3");
  const PairScale scale = PairScale::of(scoring).value();
  EXPECT_EQ(scale.worth(kEven, kEven), 1);
  EXPECT_EQ(scale.worth(kEven, kAt), 1);
  EXPECT_EQ(scale.worth(kGc, kAt), 1);
}

TEST(PairScale, LettersThatAlignAtAProfitAreWorthNothing) {
  const Scoring scoring = dna("1", "-1");
  const PairScale scale = PairScale::of(scoring).value();
  EXPECT_EQ(scale.worth({0.9, 0.04, 0.03, 0.03}, {0.9, 0.04, 0.03, 0.03}), 0);
}

TEST(PairScale, LowScoresAreNoTrouble) {
  const Scoring scoring = dna("1", "-30000");
  const PairScale scale = PairScale::of(scoring).value();
  EXPECT_EQ(scale.worth(kEven, kEven), 1);
  EXPECT_NEAR(scale.worth(kAt, kAt), std::log(1 / 0.34) / std::log(4), 1e-9);
}

TEST(PairScale, OtherLettersAreNotCounted) {
  std::vector<Residue> residues;
  for (const char letter : {'A', 'a', 'C', 'N', 'R'}) residues.push_back(Alphabet::dna().encode(letter));
  const BaseFrequencies found = PairScale::frequencies(residues);
  EXPECT_DOUBLE_EQ(found[0], 7.0 / 23);
  EXPECT_DOUBLE_EQ(found[1], 6.0 / 23);
  EXPECT_DOUBLE_EQ(found[2], 5.0 / 23);
}

TEST(PairScale, ProteinsHaveNone) {
  EXPECT_FALSE(PairScale::of(make_scoring({})).has_value());
  EXPECT_FALSE(PairScale::of(dna("3", "-1")).has_value()) << "positive on average";
}

}  // namespace
}  // namespace alnus::stats
