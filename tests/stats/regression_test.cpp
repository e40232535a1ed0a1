#include "stats/regression.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace alnus::stats {
namespace {

Scoring blosum62() { return make_scoring({}); }

// Returns scores of a Gumbel distribution with mean `mean` + `slope` * ln(length).
std::vector<ScoredLength> random_scores(std::size_t count, double mean, double slope, double deviation) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(1e-12, 1);
  std::lognormal_distribution<double> lengths(5.7, 0.7);
  std::vector<ScoredLength> scores;
  while (scores.size() < count) {
    const auto length = static_cast<std::uint32_t>(lengths(random));
    if (length < 10) continue;
    const double gumbel = (-std::log(-std::log(uniform(random))) - 0.5772156649) / 1.2825498;
    scores.push_back({std::round(mean + slope * std::log(length) + deviation * gumbel), length});
  }
  return scores;
}

std::optional<RegressionFit> fit(const std::vector<ScoredLength>& scores, std::uint64_t query = 300) {
  return fit_regression(scores, query, *ungapped_parameters(blosum62()));
}

TEST(Regression, FindsWhatScoresWereMadeOf) {
  const auto found = fit(random_scores(20000, 9, 4.3, 5));
  ASSERT_TRUE(found);
  // The place of a bin is, on average, half a bin above the lengths in it.
  EXPECT_NEAR(10 * found->rho, 4.3, 0.15);
  EXPECT_NEAR(found->mu + found->rho * 10 * std::log(300), 9 + 4.3 * std::log(300) - 0.5 * found->rho, 0.15);
  EXPECT_NEAR(found->variance, 25, 1.5);
  EXPECT_EQ(found->fitted + found->trimmed, 20000u);
}

TEST(Regression, RelatedSubjectsDoNotMove) {
  std::vector<ScoredLength> scores = random_scores(20000, 9, 4.3, 5);
  const auto without = fit(scores);
  for (int i = 0; i < 200; ++i) scores.push_back({400.0 + i, 300});
  const auto with = fit(scores);
  ASSERT_TRUE(without && with);
  EXPECT_NEAR(with->mu, without->mu, 0.2);
  EXPECT_NEAR(with->variance, without->variance, 0.5);
  EXPECT_GE(with->trimmed, without->trimmed + 200);
}

TEST(Regression, TooLittleIsNotFitted) {
  EXPECT_TRUE(fit(random_scores(kFewestForRegression, 9, 4.3, 5)));
  EXPECT_FALSE(fit(random_scores(kFewestForRegression - 1, 9, 4.3, 5)));
  EXPECT_FALSE(fit(random_scores(20000, 9, 4.3, 5), kShortestForRegression));
  EXPECT_FALSE(fit({}));
  EXPECT_FALSE(fit(std::vector<ScoredLength>(1000, {40, 300})));  // all of one length
  std::vector<ScoredLength> alike = random_scores(1000, 9, 4.3, 5);
  for (ScoredLength& score : alike) score.score = 40;
  EXPECT_FALSE(fit(alike));  // the scores have no variance
  std::vector<ScoredLength> short_ones(1000, {20, 9});
  EXPECT_FALSE(fit(short_ones));
}

TEST(Regression, SignificanceIsTheGumbelTail) {
  const RegressionFit known{0.43, 9.3, 24, 20000, 0};
  const auto statistics = regression_judge(known, blosum62(), 464, {9055569, 20000, {}});
  const std::uint64_t length = 400;
  const double mean = 9.3 + 4.3 * std::log(400);
  for (const std::int32_t score : {20, 35, 60, 90, 300}) {
    const Significance found = statistics->of(score, length);
    const double z = (score - mean) / std::sqrt(24);
    EXPECT_NEAR(*found.zscore, z, 1e-9);
    EXPECT_FALSE(found.zscore_se);
    const double p = -std::expm1(-std::exp(-1.2825498 * z - 0.5772156649));
    EXPECT_NEAR(*found.evalue, 20000 * p, 1e-6 * 20000 * p);
    EXPECT_NEAR(statistics->pvalue(score, length), p, 1e-6 * p);
    EXPECT_NEAR(*found.bits, (1.2825498 * z + 0.5772156649 + std::log(464.0 * 400)) / std::log(2), 1e-6);
  }
  // Subjects of fewer than 10 residues are too short for the regression. Their z-score is 0, that of the
  // mean.
  EXPECT_EQ(*statistics->of(300, 9).zscore, 0);
}

// Two thousand copies of a sequence score the same, so that the scores of their length vary too little.
TEST(Regression, CopiesOfASequenceAreLeftOut) {
  std::vector<ScoredLength> scores = random_scores(20000, 9, 4.3, 5);
  const auto without = fit(scores);
  scores.insert(scores.end(), 2000, {34, 300});
  const auto with = fit(scores);
  ASSERT_TRUE(without && with);
  EXPECT_GE(with->trimmed, without->trimmed + 2000);
  EXPECT_EQ(with->fitted + with->trimmed, 22000u);
  EXPECT_NEAR(with->variance, without->variance, 1);
}

TEST(Regression, DnaIsExpectedPerResidueOfTheDatabase) {
  const RegressionFit known{0.43, 9.3, 24, 20000, 0};
  const Scoring dna = make_scoring({.alphabet = AlphabetKind::dna}), protein = blosum62();
  const SearchSpace one{9055569, 20000, {}};
  const auto evalue = [&](const Scoring& scoring, const SearchSpace& space, std::uint64_t length) {
    return *regression_judge(known, scoring, 464, space)->of(60, length).evalue;
  };
  const double p = regression_judge(known, dna, 464, one)->pvalue(60, 400);
  EXPECT_NEAR(evalue(dna, one, 400), 9055569.0 / 400 * p, 1e-9 * 9055569.0 / 400 * p);
  EXPECT_NEAR(evalue(protein, one, 400), 20000 * p, 1e-9 * 20000 * p);
  SearchSpace two = one;
  two.strands = 2;
  EXPECT_DOUBLE_EQ(evalue(dna, two, 400), 2 * evalue(dna, one, 400));
  // From 10 residues on the length counts.
  const auto judge = regression_judge(known, protein, 464, one);
  EXPECT_NE(*judge->of(60, kShortestForRegression).zscore, 0);
  EXPECT_EQ(*judge->of(60, kShortestForRegression - 1).zscore, 0);
}

TEST(Regression, ShortSubjectsDoNotCount) {
  std::vector<ScoredLength> scores = random_scores(5000, 9, 4.3, 5);
  const auto without = fit(scores);
  for (int k = 0; k < 500; ++k) scores.push_back({1000, kShortestForRegression - 1});
  const auto with = fit(scores);
  ASSERT_TRUE(without && with);
  EXPECT_EQ(with->mu, without->mu);
  EXPECT_EQ(with->fitted, without->fitted);
  EXPECT_EQ(with->trimmed, without->trimmed);
  EXPECT_TRUE(fit(scores, kShortestForRegression + 1));
}

}  // namespace
}  // namespace alnus::stats
