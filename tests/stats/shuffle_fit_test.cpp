#include "stats/shuffle_fit.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "stats/log_gamma.h"

namespace alnus::stats {
namespace {

using Scores = std::vector<std::int32_t>;

// The distribution of local scores S here: P(S >= s) = 1 - exp(-exp(-kRate (s - kMode))).
constexpr double kRate = 0.27, kMode = 38;
std::int32_t gumbel_score(double probability) {
  return static_cast<std::int32_t>(std::floor(kMode - std::log(-std::log(probability)) / kRate));
}
double gumbel_tail(double score) { return -std::expm1(-std::exp(-kRate * (score - kMode))); }

// Returns a sample without noise: `count` quantiles at equal distances.
template <class Quantile>
Scores quantiles(std::size_t count, Quantile quantile) {
  Scores scores;
  for (std::size_t k = 0; k < count; ++k)
    scores.push_back(quantile((static_cast<double>(k) + 0.5) / static_cast<double>(count)));
  return scores;
}

Scores random_gumbel(std::mt19937& random, std::size_t count) {
  Scores scores;
  for (std::size_t k = 0; k < count; ++k)
    scores.push_back(gumbel_score((static_cast<double>(random()) + 0.5) / 4294967296.0));
  return scores;
}

double normal_quantile(double probability) {
  double low = -10, high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2)) / 2 < probability ? low : high) = middle;
  }
  return low;
}

TEST(LogGamma, Moments) {
  const Moments gumbel = log_gamma_moments(1);
  EXPECT_NEAR(gumbel.mean, 0.5772156649, 1e-10);
  EXPECT_NEAR(gumbel.variance, 1.6449340668, 1e-10);
  EXPECT_NEAR(gumbel.skewness, 1.1395470994, 1e-9);
  EXPECT_NEAR(gumbel.kurtosis, 5.4, 1e-9);
  const Moments other = log_gamma_moments(9.5);  // these and the next values are SciPy's
  EXPECT_NEAR(other.mean, -2.1977378764, 1e-8);
  EXPECT_NEAR(other.variance, 0.1109972885, 1e-9);
  EXPECT_NEAR(other.skewness, 0.3328231237, 1e-9);
  EXPECT_NEAR(other.kurtosis, 3.2213182419, 1e-9);
  EXPECT_NEAR(log_gamma_moments(0.3).kurtosis, 7.955965016, 1e-8);
  for (const double shape : {0.1, 1.0, 30.0})
    EXPECT_NEAR(log_gamma_shape(log_gamma_moments(shape).skewness) / shape, 1, 1e-6);
  EXPECT_NEAR(log_gamma_shape(-1), 2000, 1);
  EXPECT_NEAR(log_gamma_shape(3), 0.05, 1e-4);
}

TEST(LogGamma, Tails) {
  EXPECT_NEAR(log_lower_gamma(1, -5), std::log(-std::expm1(-std::exp(-5))), 1e-12);
  EXPECT_DOUBLE_EQ(log_lower_gamma(1, -5000), -5000);
  EXPECT_EQ(log_lower_gamma(2000, 1e6), 0);
  EXPECT_NEAR(log_lower_gamma(9.5, std::log(1e-3)), -79.5652051279, 1e-9);
  EXPECT_NEAR(log_lower_gamma(9.5, std::log(5)), -3.05645509891, 1e-10);
  EXPECT_NEAR(log_lower_gamma(9.5, std::log(30)), -3.86983378843e-06, 1e-15);
  EXPECT_NEAR(log_lower_gamma(0.3, std::log(2)), -0.0222721745631, 1e-12);
  EXPECT_NEAR(log_lower_gamma(2000, std::log(1900)), -4.44852373338, 1e-8);
  EXPECT_NEAR(chi_square_tail(18.307, 10), 0.0500005890914, 1e-12);
  EXPECT_NEAR(chi_square_tail(0.5, 3), 0.918891411655, 1e-11);
  EXPECT_NEAR(chi_square_tail(200, 30) / 4.952733529e-27, 1, 1e-8);
}

TEST(ZValue, IsTheDistanceFromTheMeanInStandardDeviations) {
  const Scores shuffled = {30, 32, 34, 36, 38};  // mean 34, standard deviation sqrt(10)
  const ZValue value = z_value(50, {{}, shuffled}, {});
  EXPECT_DOUBLE_EQ(value.z.value(), 16 / std::sqrt(10));
  EXPECT_NEAR(value.standard_error.value(),
              std::sqrt((1 + 1.1395471 * *value.z + 1.1 * *value.z * *value.z) / 5), 1e-6);
  EXPECT_FALSE(value.goodness);  // five scores are too few for a test of the fit
}

TEST(ZValue, IsTheSmallerOfBothSidesAndPTheSubjects) {
  const Scores low = quantiles(1000, gumbel_score);
  Scores high = low;
  for (std::int32_t& score : high) score += 5;
  const ZValue subject = z_value(80, {{}, high}, {}), other = z_value(80, {{}, low}, {});
  const ZValue both = z_value(80, {low, high}, {}), swapped = z_value(80, {high, low}, {});
  EXPECT_EQ(both.side, ShuffledSide::subject);
  EXPECT_EQ(both.z, subject.z);
  EXPECT_EQ(both.log_p, subject.log_p);
  EXPECT_EQ(swapped.side, ShuffledSide::query);
  EXPECT_EQ(swapped.z, subject.z);
  EXPECT_EQ(swapped.log_p, other.log_p);
  EXPECT_EQ(swapped.goodness, other.goodness);
}

TEST(ZValue, ItsErrorIsThatOfManySamples) {
  std::mt19937 random(1);
  constexpr int kSamples = 400;
  double sum = 0, squares = 0, error = 0;
  for (int k = 0; k < kSamples; ++k) {
    const ZValue value = z_value(74, {{}, random_gumbel(random, 1000)}, {});
    sum += *value.z;
    squares += *value.z * *value.z;
    error = *value.standard_error;
  }
  const double mean = sum / kSamples;
  EXPECT_NEAR(std::sqrt(squares / kSamples - mean * mean) / error, 1, 0.15);
}

TEST(ZValue, LocalScoresAreTakenForIntegers) {
  const Scores shuffled = quantiles(20000, gumbel_score);
  for (const std::int32_t score : {40, 55, 70, 300, 100000}) {
    const double tail = gumbel_tail(score), above = gumbel_tail(score + 1);
    const double expected = score < 300 ? std::log((tail + above) / 2)
                                        : -kRate * (score - kMode) + std::log((1 + std::exp(-kRate)) / 2);
    EXPECT_NEAR(z_value(score, {{}, shuffled}, {}).log_p.value() / expected, 1, 0.002) << score;
  }
}

TEST(ZValue, ScoresOnALattice) {
  Scores shuffled = quantiles(20000, gumbel_score);
  const double of_units = *z_value(70, {{}, shuffled}, {}).log_p;
  for (std::int32_t& score : shuffled) score *= 10;
  EXPECT_NEAR(*z_value(700, {{}, shuffled}, {}).log_p, of_units, 1e-6);
}

TEST(ZValue, ScoresOfZeroStandForAllBelow) {
  const auto clamped = [](double probability) { return std::max(gumbel_score(probability) - 34, 0); };
  EXPECT_NEAR(*z_value(36, {{}, quantiles(20000, clamped)}, {}).log_p,
              std::log((gumbel_tail(70) + gumbel_tail(71)) / 2), 0.02);
}

TEST(ZValue, AlignmentsNeedRoom) {
  // Local scores of two sequences of 200 residues: the higher the score, the longer its alignment, and the
  // fewer places it can have.
  const auto log_x = [](double score) { return -0.27 * score + 2 * std::log(200 - 1.9 * score) - 3; };
  const auto score = [&](double probability) {
    double low = -100, high = 100;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (std::exp(-std::exp(log_x(middle))) < probability ? low : high) = middle;
    }
    return static_cast<std::int32_t>(std::floor(low));
  };
  const ZValue value = z_value(60, {{}, quantiles(20000, score)},
                               {.query_length = 200, .subject_length = 200, .alpha = 1.9, .beta = 0});
  EXPECT_NEAR(*value.log_p, std::log((std::exp(log_x(60)) + std::exp(log_x(61))) / 2), 0.1);
  // An alignment of this score would be much longer than the sequences.
  const ZValue high = z_value(100000, {{}, quantiles(1000, score)},
                              {.query_length = 200, .subject_length = 200, .alpha = 1.9, .beta = 0});
  EXPECT_TRUE(std::isfinite(*high.log_p) && std::isfinite(*high.z));
}

TEST(ZValue, AsManyChanceScoresHaveASmallPAsItSays) {
  std::mt19937 random(2);
  constexpr double kLevel = 0.01;
  constexpr int kSamples = 300, kTrials = 1000;
  int small = 0, misfits = 0;
  for (int k = 0; k < kSamples; ++k) {
    const Scores shuffled = random_gumbel(random, 1000);
    const double lowest = [&] {
      std::int32_t score = 0;
      while (*z_value(score, {{}, shuffled}, {}).log_p > std::log(kLevel)) ++score;
      return score;
    }();
    for (const std::int32_t score : random_gumbel(random, kTrials)) small += score >= lowest;
    misfits += *z_value(50, {{}, shuffled}, {}).goodness < 0.05;
  }
  // `lowest` is an integer, and nearly the same for all samples. So the number of random scores that reach it
  // is known no better than to 10%.
  EXPECT_NEAR(small / (kLevel * kSamples * kTrials), 1, 0.15);
  EXPECT_GT(misfits, 3);
  EXPECT_LT(misfits, 30);
}

TEST(ZValue, GlobalScoresFromNormalToGumbel) {
  const PairModel model{.mode = Mode::global};
  const Scores normal = quantiles(
      20000, [](double p) { return static_cast<std::int32_t>(std::floor(20 * normal_quantile(p) + 0.5)); });
  EXPECT_NEAR(*z_value(80, {{}, normal}, model).log_p, std::log(std::erfc(4 / std::sqrt(2)) / 2), 0.25);
  EXPECT_NEAR(*z_value(70, {{}, quantiles(20000, gumbel_score)}, model).log_p,
              std::log((gumbel_tail(70) + gumbel_tail(71)) / 2), 0.1);
}

TEST(ZValue, AllEndsFreeMakeGumbels) {
  // The distribution is known to be Gumbel, so its shape is not fitted, and few scores give the same as many.
  const PairModel model{.mode = Mode::semiglobal, .free_ends = FreeEnds::all()};
  for (const std::size_t count : {200, 20000})
    EXPECT_NEAR(*z_value(70, {{}, quantiles(count, gumbel_score)}, model).log_p,
                std::log((gumbel_tail(70) + gumbel_tail(71)) / 2), 0.2);
}

TEST(ZValue, FarBelowTheOthers) {
  for (const Mode mode : {Mode::local, Mode::global}) {
    const ZValue value = z_value(-1000000, {{}, quantiles(1000, gumbel_score)}, {.mode = mode});
    EXPECT_LT(value.z.value(), -1000);
    EXPECT_EQ(value.log_p.value(), 0);
  }
}

TEST(ZValue, TwoScoresOnly) {
  for (const Mode mode : {Mode::local, Mode::global}) {
    Scores shuffled(1000, 7);
    for (const std::size_t k : {3, 500}) shuffled[k] = 8;
    const ZValue value = z_value(9, {{}, shuffled}, {.mode = mode});
    EXPECT_TRUE(std::isfinite(value.z.value()) && std::isfinite(value.log_p.value()));
    EXPECT_LT(*value.log_p, 0);
  }
}

TEST(ZValue, NoneWhereAllShufflesScoreTheSame) {
  const Scores same(100, 12), others = quantiles(100, gumbel_score);
  for (const ShuffledScores& scores :
       {ShuffledScores{same, same}, {others, same}, {same, others}, {{}, same}}) {
    const ZValue value = z_value(12, scores, {});
    EXPECT_FALSE(value.z || value.standard_error || value.log_p || value.goodness);
  }
}

TEST(ZValue, AnotherDistributionFitsBadly) {
  Scores scores = quantiles(1000, gumbel_score);
  for (std::size_t k = 0; k < scores.size(); k += 2) scores[k] += 40;
  EXPECT_LT(*z_value(60, {{}, scores}, {}).goodness, 1e-6);
}

}  // namespace
}  // namespace alnus::stats
