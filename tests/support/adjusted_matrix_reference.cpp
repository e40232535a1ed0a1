#include "support/adjusted_matrix_reference.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "stats/adjusted_matrix.h"
#include "stats/theta_search.h"

namespace alnus::test {
namespace {

using Adjuster = stats::MatrixAdjuster;

constexpr double kTolerance = 1e-6, kFirstTolerance = 1e-2;

double stated(const Scoring& scoring, std::size_t i, std::size_t j) {
  return scoring.matrix.value(static_cast<Residue>(i), static_cast<Residue>(j));
}

// Returns the amino acids that a letter stands for.
std::string_view meaning(char letter) {
  switch (letter) {
    case 'B':
      return "ND";
    case 'Z':
      return "QE";
    case 'J':
      return "IL";
    case 'U':
      return "C";
    case 'O':
      return "K";
    default:
      return {};
  }
}

// The amino acids that a letter stands for, and the share of each by its frequency in the sequence. X, stops
// and codes that are no letters have none.
using Share = std::vector<std::pair<std::size_t, double>>;

std::vector<Share> shares(const CoreVector& frequencies) {
  std::vector<Share> result(kMaxLetters);
  for (std::size_t code = 0; code < kMaxLetters; ++code) {
    if (code < kCoreLetters) {
      result[code] = {{code, 1}};
      continue;
    }
    double sum = 0;
    for (const char letter : meaning(Alphabet::protein().decode(static_cast<Residue>(code)))) {
      const std::size_t i = Alphabet::protein().encode(letter);
      result[code].emplace_back(i, frequencies[i]);
      sum += frequencies[i];
    }
    for (auto& [letter, weight] : result[code]) weight /= sum;
  }
  return result;
}

}  // namespace

double lambda_of(const Scoring& scoring, const Background& p) {
  double low = 1e-6, high = 5;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (std::size_t i = 0; i < kCoreLetters; ++i)
      for (std::size_t j = 0; j < kCoreLetters; ++j)
        sum += p[i] * p[j] * std::exp(middle * stated(scoring, i, j));
    (sum < 1 ? low : high) = middle;
  }
  return low;
}

AdjustedSolution solve_for_theta(const Scoring& scoring, double lambda, const CoreVector& p,
                                 const CoreVector& r, double theta) {
  CoreVector a, b;
  a.fill(1), b.fill(1);
  CoreTable weights;
  for (std::size_t i = 0; i < kCoreLetters; ++i)
    for (std::size_t j = 0; j < kCoreLetters; ++j)
      weights[i][j] = std::exp(theta * lambda * stated(scoring, i, j));
  for (int sweep = 0; sweep < 500; ++sweep) {
    for (std::size_t i = 0; i < kCoreLetters; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < kCoreLetters; ++j) sum += weights[i][j] * r[j] * b[j];
      a[i] = 1 / sum;
    }
    for (std::size_t j = 0; j < kCoreLetters; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < kCoreLetters; ++i) sum += weights[i][j] * p[i] * a[i];
      b[j] = 1 / sum;
    }
  }
  AdjustedSolution found;
  for (std::size_t i = 0; i < kCoreLetters; ++i)
    for (std::size_t j = 0; j < kCoreLetters; ++j) {
      found.q[i][j] = p[i] * r[j] * weights[i][j] * a[i] * b[j];
      found.scores[i][j] = std::log(weights[i][j] * a[i] * b[j]) / lambda;
      found.entropy += found.q[i][j] * found.scores[i][j] * lambda;
    }
  return found;
}

AdjustedSolution solve_for_entropy(const Scoring& scoring, double lambda, const CoreVector& p,
                                   const CoreVector& r, double entropy) {
  double low = stats::kLeastTheta, high = stats::kMostTheta;
  for (int k = 0; k < 30; ++k) {
    const double middle = (low + high) / 2;
    (solve_for_theta(scoring, lambda, p, r, middle).entropy < entropy ? low : high) = middle;
  }
  return solve_for_theta(scoring, lambda, p, r, low);
}

// Finds the factors a and b (those of solve_for_theta()) for a theta, by sweeps that compute first a, then b.
struct ReferenceAdjuster::Balance {
  Balance(const ReferenceAdjuster& adjuster, const CoreVector& query, const CoreVector& subject)
      : of(adjuster), p(query), r(subject) {
    a.fill(1), b.fill(1);
  }

  void run(double theta, double tolerance) {
    constexpr int kMostSweeps = 60;
    const std::int32_t lowest = of.scoring_.matrix.lowest();
    std::vector<double> exponentials;  // in order of the scores
    for (std::int32_t score = lowest; score <= of.scoring_.matrix.highest(); ++score)
      exponentials.push_back(std::exp(theta * (of.lambda_ * score)));
    for (std::size_t i = 0; i < kCoreLetters; ++i)
      for (std::size_t j = 0; j < kCoreLetters; ++j)
        weights[i][j] = exponentials[static_cast<std::size_t>(of.stated_[i][j] - lowest)];
    double off = tolerance;
    for (int sweep = 0; sweep < kMostSweeps && off >= tolerance; ++sweep) {
      off = 0;
      CoreVector sums = sums_of(weights, r, b);
      for (std::size_t i = 0; i < kCoreLetters; ++i) {
        off = std::max(off, p[i] * std::abs(a[i] * sums[i] - 1));
        a[i] = 1 / sums[i];
      }
      sums = sums_of(weights, p, a);
      for (std::size_t j = 0; j < kCoreLetters; ++j) b[j] = 1 / sums[j];
    }
  }

  // Returns sum q_ij theta e_ij + sum p_i ln a_i + sum r_j ln b_j.
  double entropy(double theta) const {
    CoreTable scored = weights;
    for (std::size_t i = 0; i < kCoreLetters; ++i)
      for (std::size_t j = 0; j < kCoreLetters; ++j) scored[i][j] *= of.lambda_ * of.stated_[i][j];
    const CoreVector rows = sums_of(scored, r, b);
    double sum = 0;
    for (std::size_t i = 0; i < kCoreLetters; ++i)
      sum += theta * p[i] * a[i] * rows[i] + p[i] * std::log(a[i]) + r[i] * std::log(b[i]);
    return sum;
  }

  // Returns for each row of a symmetric table the sum of table_ij frequencies_j factors_j.
  static CoreVector sums_of(const CoreTable& table, const CoreVector& frequencies,
                            const CoreVector& factors) {
    CoreVector sums{};
    for (std::size_t j = 0; j < kCoreLetters; ++j) {
      const double x = frequencies[j] * factors[j];
      for (std::size_t i = 0; i < kCoreLetters; ++i) sums[i] += table[j][i] * x;
    }
    return sums;
  }

  const ReferenceAdjuster& of;
  const CoreVector &p, &r;
  CoreTable weights{};
  CoreVector a{}, b{};
};

ReferenceAdjuster::ReferenceAdjuster(const Scoring& scoring) : scoring_(scoring) {
  const Background background = default_background(AlphabetKind::protein);
  std::ranges::copy(background, background_.begin());
  lambda_ = lambda_of(scoring, background);
  factor_ = std::max(1, static_cast<std::int32_t>(std::lround(lambda_ / Adjuster::kUnit)));
  for (std::size_t i = 0; i < kCoreLetters; ++i)
    for (std::size_t j = 0; j < kCoreLetters; ++j)
      stated_[i][j] = scoring.matrix.value(static_cast<Residue>(i), static_cast<Residue>(j));
  constexpr double kStep = 1.0 / 64;
  const double at_one = entropy_of_background(1);
  slope_ = (entropy_of_background(1 + kStep) - at_one) / kStep;
  entropy_ = at_one * Adjuster::kEntropyFactor;
}

double ReferenceAdjuster::entropy_of_background(double theta) const {
  Balance balance(*this, background_, background_);
  balance.run(theta, kTolerance);
  return balance.entropy(theta);
}

CoreVector ReferenceAdjuster::frequencies(std::span<const Residue> residues) const {
  CoreVector result{};
  double counted = 0;
  for (const Residue residue : residues) {
    const std::size_t code = residue & kCodeMask;
    if (code >= kCoreLetters) continue;
    ++result[code];
    ++counted;
  }
  for (std::size_t i = 0; i < kCoreLetters; ++i)
    result[i] = (result[i] + Adjuster::kPseudocounts * background_[i]) / (counted + Adjuster::kPseudocounts);
  return result;
}

ReferenceAdjuster::Matrix ReferenceAdjuster::matrix(const CoreVector& p, const CoreVector& r) const {
  constexpr double kLeastStep = 1e-4, kOfMissing = 1.0 / 64;
  Balance balance(*this, p, r);
  double theta = 1, before = 1, found_before = 0, slope = slope_, tolerance = kFirstTolerance;
  Matrix result;
  for (int round = 0;; ++round) {
    balance.run(theta, tolerance);
    const double found = balance.entropy(theta), missing = entropy_ - found, step = theta - before;
    if (std::abs(step) > kLeastStep) {
      const double secant = (found - found_before) / step;
      if (secant > 0) slope = secant;
    }
    const double lowest = std::max(stats::kLeastTheta, theta / 2),
                 highest = std::min(stats::kMostTheta, theta * 2),
                 next = std::clamp(theta + missing / slope, lowest, highest);
    result.theta = theta;
    result.entropy = found;
    result.rounds = round;
    if (tolerance <= kTolerance && (std::abs(missing) < kTolerance || next == theta)) break;
    if (round == kMostRounds) break;
    found_before = found;
    before = theta;
    theta = next;
    tolerance = std::max(kTolerance, std::min(kFirstTolerance, std::abs(missing) * kOfMissing));
  }

  const double unit = factor_ / lambda_;
  CoreTable exact;  // the query's letter is the first index
  for (std::size_t i = 0; i < kCoreLetters; ++i)
    for (std::size_t j = 0; j < kCoreLetters; ++j)
      exact[i][j] =
          unit * (result.theta * lambda_ * stated_[i][j] + std::log(balance.a[i]) + std::log(balance.b[j]));
  const std::vector<Share> of_queries = shares(p), of_subjects = shares(r);
  const std::size_t unknown = Alphabet::protein().encode('X');
  for (std::size_t q = 0; q < kMaxLetters; ++q)
    for (std::size_t s = 0; s < kMaxLetters; ++s) {
      double& score = result.scores[s * kMaxLetters + q];
      if (q == unknown || s == unknown) {
        score = -factor_ * scoring_.scale;
      } else if (of_queries[q].empty() || of_subjects[s].empty()) {
        score = factor_ * stated(scoring_, q, s);
      } else {
        score = 0;
        for (const auto& [i, of_query] : of_queries[q])
          for (const auto& [j, of_subject] : of_subjects[s]) score += of_query * of_subject * exact[i][j];
      }
    }
  return result;
}

}  // namespace alnus::test
