#include "stats/gumbel_fit.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace alnus::stats {
namespace {

// A score, and the numbers that the likelihood needs for it.
struct Term {
  double score, next;  // `next`: the next higher score that a pair can have
  double log_area, next_log_area;
  double count;  // number of pairs with this score
};

// The log-likelihood as a function of ln K and lambda, and its derivatives.
struct Likelihood {
  double value = 0;
  double K = 0, lambda = 0;                  // first derivatives
  double KK = 0, K_lambda = 0, lambda2 = 0;  // minus the second derivatives
};

// The exponent w of P(S < s) = exp(-w): w = log1p(spread * u) / spread with u = K area(s) exp(-lambda s), and
// w = u if spread is 0. Its first derivatives by ln K and lambda are first * (1, -s), its second derivatives
// second * (1, -s; -s, s^2).
struct Exponent {
  double w, first, second;

  Exponent(double log_u, double spread) {
    const double u = std::exp(log_u), whole = 1 + spread * u;
    w = spread > 0 ? std::log(whole) / spread : u;
    first = u / whole;
    second = first / whole;
  }
};

// Returns the log-likelihood of all terms, with P(S = s) = exp(-w(next)) - exp(-w(s)).
Likelihood likelihood(std::span<const Term> terms, double spread, double log_K, double lambda) {
  Likelihood sum;
  for (const Term& t : terms) {
    const Exponent at(log_K + t.log_area - lambda * t.score, spread),
        next(log_K + t.next_log_area - lambda * t.next, spread);
    const double d = at.w - next.w, d_K = at.first - next.first,
                 d_lambda = -t.score * at.first + t.next * next.first;
    const double slope = 1 / std::expm1(d), bend = slope * (1 + slope);  // derivatives of ln(1 - exp(-d))
    sum.value += t.count * (-next.w + std::log(-std::expm1(-d)));
    sum.K += t.count * (-next.first + d_K * slope);
    sum.lambda += t.count * (t.next * next.first + d_lambda * slope);
    sum.KK += t.count * (next.second - (at.second - next.second) * slope + d_K * d_K * bend);
    sum.K_lambda += t.count * (-t.next * next.second + (t.score * at.second - t.next * next.second) * slope +
                               d_K * d_lambda * bend);
    sum.lambda2 += t.count * (t.next * t.next * next.second -
                              (t.score * t.score * at.second - t.next * t.next * next.second) * slope +
                              d_lambda * d_lambda * bend);
  }
  return sum;
}

// Returns the slope of y on x by ordinary least squares. Its standard error holds even if the variance of the
// residuals depends on x.
ParameterEstimate slope(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::reduce(x.begin(), x.end()) / n, mean_y = std::reduce(y.begin(), y.end()) / n;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  double square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double residual = (x[i] - mean_x) * (y[i] - mean_y - xy / xx * (x[i] - mean_x));
    square += residual * residual;
  }
  return {xy / xx, std::sqrt(square) / xx};
}

}  // namespace

GumbelFit fit_gumbel(const Histogram& scores, std::int32_t step, const std::function<double(double)>& area,
                     double spread) {
  std::vector<Term> terms;
  double pairs = 0, sum = 0, square = 0;
  for (const auto& [score, times] : scores) {
    const double s = score, next = s + step, count = static_cast<double>(times);
    terms.push_back({s, next, std::log(area(s)), std::log(area(next)), count});
    pairs += count;
    sum += s * count;
    square += s * s * count;
  }
  // Newton's method begins with the lambda and K of the continuous Gumbel distribution that has the mean and
  // the standard deviation of the scores.
  const double mean = sum / pairs, deviation = std::sqrt(square / pairs - mean * mean);
  double lambda = std::numbers::pi / std::sqrt(6) / deviation;
  double log_K = lambda * (mean + step / 2.0) - std::numbers::egamma - std::log(area(mean));

  constexpr int kRounds = 100;
  constexpr double kClose = 1e-10;
  Likelihood at = likelihood(terms, spread, log_K, lambda);
  for (int round = 0; round < kRounds; ++round) {
    const double determinant = at.KK * at.lambda2 - at.K_lambda * at.K_lambda;
    double step_K = (at.lambda2 * at.K - at.K_lambda * at.lambda) / determinant,
           step_lambda = (at.KK * at.lambda - at.K_lambda * at.K) / determinant;
    Likelihood next = likelihood(terms, spread, log_K + step_K, lambda + step_lambda);
    while (!(next.value >= at.value) && std::abs(step_lambda) > kClose * lambda) {
      step_K /= 2;
      step_lambda /= 2;
      next = likelihood(terms, spread, log_K + step_K, lambda + step_lambda);
    }
    log_K += step_K;
    lambda += step_lambda;
    at = next;
    if (std::abs(step_lambda) <= kClose * lambda) break;
  }
  const double determinant = at.KK * at.lambda2 - at.K_lambda * at.K_lambda;
  const double K = std::exp(log_K);
  return {{lambda, std::sqrt(at.KK / determinant)}, {K, K * std::sqrt(at.lambda2 / determinant)}};
}

LengthFit fit_lengths(std::span<const AlignedLengths> alignments) {
  std::vector<double> score, length;
  for (const AlignedLengths& a : alignments) {
    score.push_back(a.score);
    length.push_back((a.query + a.subject) / 2.0);
  }
  const auto n = static_cast<double>(score.size());
  const double mean_score = std::reduce(score.begin(), score.end()) / n,
               mean_length = std::reduce(length.begin(), length.end()) / n;
  LengthFit result;
  result.alpha = slope(score, length);
  std::vector<double> squares, products;
  for (const AlignedLengths& a : alignments) {
    const double expected = mean_length + result.alpha.value * (a.score - mean_score);
    const double query = a.query - expected, subject = a.subject - expected;
    squares.push_back((query * query + subject * subject) / 2);
    products.push_back(query * subject);
  }
  result.alpha_v = slope(score, squares);
  result.sigma = slope(score, products);
  return result;
}

}  // namespace alnus::stats
