#include "stats/karlin.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "stats/background.h"

namespace alnus::stats {
namespace {

using Scores = std::map<std::int32_t, double>;

// Returns the positive solution of sum p(s) exp(lambda s) = 1 (Karlin & Altschul 1990, equation 4).
double solve_lambda(const Scores& scores) {
  const auto excess = [&](double lambda) {
    double sum = -1;
    for (const auto& [score, p] : scores) sum += p * std::exp(lambda * score);
    return sum;
  };
  double low = 0, high = 1;
  while (excess(high) < 0) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) < 0 ? low : high) = middle;
  }
  return high;
}

// Returns the sum over n of (E[exp(lambda S_n); S_n < 0] + P(S_n >= 0)) / n, where S_n is the sum of n scores
// (Karlin & Altschul 1990, equation 3).
double sigma(const Scores& scores, double lambda) {
  constexpr int kMostTerms = 1000;
  constexpr double kNegligible = 1e-12;
  const std::int64_t lowest = scores.begin()->first, highest = scores.rbegin()->first;
  std::vector<double> sums{1};  // probabilities of S_n, from n * lowest on
  double total = 0;
  for (int n = 1; n <= kMostTerms; ++n) {
    std::vector<double> next(sums.size() + static_cast<std::size_t>(highest - lowest));
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i] > 0)
        for (const auto& [score, p] : scores)
          next[i + static_cast<std::size_t>(score - lowest)] += sums[i] * p;
    sums = std::move(next);
    double term = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double sum = static_cast<double>(n * lowest) + static_cast<double>(i);
      term += sums[i] * (sum < 0 ? std::exp(lambda * sum) : 1);
    }
    total += term / n;
    if (term / n < kNegligible) break;
  }
  return total;
}

}  // namespace

UngappedParameters ungapped_parameters(const Scores& probabilities) {
  UngappedParameters result;
  result.lambda = solve_lambda(probabilities);
  std::int32_t step = 0;  // all scores are multiples of it
  // Mean and mean square of the score of two aligned letters inside alignments, where score s has the
  // probability p(s) exp(lambda s). An alignment's score is a random walk with such steps, and its length is
  // the time in which the walk reaches a height; renewal theory gives mean and variance of that time.
  double tilted_mean = 0, tilted_square = 0;
  for (const auto& [score, p] : probabilities) {
    step = std::gcd(step, score);
    const double weight = p * std::exp(result.lambda * score);
    tilted_mean += score * weight;
    tilted_square += 1.0 * score * score * weight;
  }
  result.H = result.lambda * tilted_mean;
  result.alpha = 1 / tilted_mean;
  result.alpha_v = (tilted_square - tilted_mean * tilted_mean) / (tilted_mean * tilted_mean * tilted_mean);
  result.K = step * std::exp(-2 * sigma(probabilities, result.lambda)) /
             (-tilted_mean * std::expm1(-result.lambda * step));
  return result;
}

std::optional<double> ungapped_lambda(const Scores& probabilities) {
  double mean = 0;
  for (const auto& [score, p] : probabilities) mean += score * p;
  if (mean >= 0 || probabilities.rbegin()->first <= 0) return std::nullopt;
  return solve_lambda(probabilities);
}

namespace {

// Returns the parameters between letters of these two frequencies, for scores in the matrix' units; empty if
// ungapped statistics do not exist for them.
std::optional<UngappedParameters> ungapped_between(const Background& query, const Background& subject,
                                                   const Scoring& scoring) {
  const Scores scores = pair_scores(scoring.matrix, query, subject);
  if (!ungapped_lambda(scores)) return std::nullopt;
  UngappedParameters result = ungapped_parameters(scores);
  result.lambda *= scoring.scale;
  result.alpha *= scoring.scale;
  result.alpha_v *= scoring.scale;
  return result;
}

}  // namespace

std::optional<UngappedParameters> ungapped_parameters(const Scoring& scoring, const Background& background) {
  return ungapped_between(background, background, scoring);
}

std::optional<UngappedParameters> ungapped_parameters(const Scoring& scoring) {
  return ungapped_parameters(scoring, default_background(scoring.matrix.alphabet()));
}

std::optional<UngappedParameters> ungapped_parameters(std::span<const Residue> query,
                                                      const Scoring& scoring) {
  const Background background = default_background(scoring.matrix.alphabet());
  const Background letters = composition_of(query, scoring.matrix.alphabet());
  if (letters.empty()) return ungapped_parameters(scoring);
  const std::optional<UngappedParameters> of_query = ungapped_between(letters, background, scoring);
  return of_query ? of_query : ungapped_parameters(scoring);
}

}  // namespace alnus::stats
