#include "stats/gumbel_fit.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace alnus::stats {
namespace {

constexpr double kLambda = 0.267, kK = 0.041;

double square_of_1000(double score) { return (1000 - 1.9 * score) * (1000 - 1.9 * score); }

// Returns the probability that a random score is below `score`. The distribution is Gumbel's if `spread` is
// 0; otherwise u differs from pair to pair by a random factor of mean 1 and variance `spread`.
double below(double score, double spread) {
  const double u = kK * square_of_1000(score) * std::exp(-kLambda * score);
  return spread > 0 ? std::pow(1 + spread * u, -1 / spread) : std::exp(-u);
}

// Returns the random score, a multiple of `step`, that follows from a random number between 0 and 1.
std::int32_t score_of(double number, double spread, std::int32_t step) {
  std::int32_t score = 0;
  while (below(score + step, spread) < number) score += step;
  return score;
}

Histogram sample(unsigned seed, int pairs, double spread, std::int32_t step) {
  std::mt19937 random(seed);
  Histogram result;
  for (int i = 0; i < pairs; ++i) ++result[score_of((random() + 0.5) / 4294967296, spread, step)];
  return result;
}

TEST(FitGumbel, FindsWhatTheScoresCameFrom) {
  for (const std::int32_t step : {1, 2, 5}) {
    for (const double spread : {0.0, 0.02, 0.2}) {
      constexpr int kPairs = 40000;
      const GumbelFit fit =
          fit_gumbel(sample(static_cast<unsigned>(step), kPairs, spread, step), step, square_of_1000, spread);
      EXPECT_NEAR(fit.lambda.value, kLambda, 3 * fit.lambda.error) << step << ' ' << spread;
      EXPECT_NEAR(fit.K.value, kK, 3 * fit.K.error) << step << ' ' << spread;
    }
  }
}

// The expected errors are those of a continuous Gumbel distribution: the inverse of Fisher's information.
TEST(FitGumbel, ErrorsAreThoseOfTheInformation) {
  constexpr int kPairs = 20000;
  const GumbelFit fit = fit_gumbel(sample(1, kPairs, 0, 1), 1, [](double) { return 1e6; });
  EXPECT_NEAR(fit.lambda.error / fit.lambda.value, 0.78 / std::sqrt(kPairs), 1e-4);
  const double x = std::log(fit.K.value * 1e6);
  EXPECT_NEAR(fit.K.error / fit.K.value, std::sqrt((0.608 * x * x - 0.51 * x + 1.11) / kPairs), 1e-3);
}

TEST(FitGumbel, ADifferenceOfSequencesThatIsNotToldLooksLikeASmallerLambda) {
  const Histogram scores = sample(3, 40000, 0.2, 1);
  EXPECT_LT(fit_gumbel(scores, 1, square_of_1000).lambda.value, 0.97 * kLambda);
}

// The expected values are those of a second implementation of the formula, in Python, for BLOSUM62 11/1.
TEST(FiniteSizeArea, IsSpouges) {
  const GumbelParameters blosum62{0.267, 0.041, 0.14, 1.9, -26.6016, 42.6028, 43.6362, 0.7916, 4.96466};
  EXPECT_NEAR(finite_size_area(blosum62, 12, 60, 300, 400), 68149.6554, 1e-3);
  EXPECT_NEAR(finite_size_area(blosum62, 12, 20, 300, 400), 112477.9064, 1e-3);  // a low score
  EXPECT_NEAR(finite_size_area(blosum62, 12, 100, 120, 90), 101.532941, 1e-5);   // longer than the sequences
}

TEST(FitLengths, FindsTheSlopes) {
  std::mt19937 random(4);
  const auto uniform = [&] { return (random() % 2001 - 1000.0) / 1000 * std::sqrt(3); };  // of variance 1
  std::vector<AlignedLengths> alignments;
  for (int i = 0; i < 40000; ++i) {
    AlignedLengths a{.score = static_cast<std::int32_t>(40 + random() % 40)};
    const double variance = 30.0 * a.score - 600, common = std::sqrt(0.9 * variance) * uniform();
    const double length = 3.0 * a.score + 500;
    a.query = static_cast<std::int32_t>(std::lround(length + common + std::sqrt(0.1 * variance) * uniform()));
    a.subject =
        static_cast<std::int32_t>(std::lround(length + common + std::sqrt(0.1 * variance) * uniform()));
    alignments.push_back(a);
  }
  const LengthFit fit = fit_lengths(alignments);
  EXPECT_NEAR(fit.alpha.value, 3, 3 * fit.alpha.error);
  EXPECT_NEAR(fit.alpha_v.value, 30, 3 * fit.alpha_v.error);
  EXPECT_NEAR(fit.sigma.value, 27, 3 * fit.sigma.error);
  EXPECT_LT(fit.alpha.error, 0.03);
  EXPECT_LT(fit.alpha_v.error, 1);
  EXPECT_LT(fit.sigma.error, 1);
}

}  // namespace
}  // namespace alnus::stats
