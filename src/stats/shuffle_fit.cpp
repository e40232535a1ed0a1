#include "stats/shuffle_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/log_gamma.h"

namespace alnus::stats {
namespace {

// The scores that occur, how often each occurs, and their moments.
struct ScoreCounts {
  struct Cell {
    std::int32_t score = 0, count = 0;
  };
  std::vector<Cell> cells;  // by rising score
  std::int32_t step = 0;    // scores differ by multiples of it; 0: all scores are equal
  // `size`: the number of scores.
  double size = 0, mean = 0, variance = 0, skewness = 0;
};

ScoreCounts counts_of(std::span<const std::int32_t> scores) {
  std::vector<std::int32_t> sorted(scores.begin(), scores.end());
  std::sort(sorted.begin(), sorted.end());
  ScoreCounts result;
  for (const std::int32_t score : sorted) {
    if (result.cells.empty() || result.cells.back().score != score) result.cells.push_back({score, 0});
    ++result.cells.back().count;
    result.step = std::gcd(result.step, score - sorted.front());
  }
  result.size = static_cast<double>(sorted.size());
  for (const auto& [score, count] : result.cells) result.mean += 1.0 * score * count / result.size;
  double squares = 0, cubes = 0;
  for (const auto& [score, count] : result.cells) {
    const double deviation = score - result.mean;
    squares += deviation * deviation * count;
    cubes += deviation * deviation * deviation * count;
  }
  result.variance = squares / (result.size - 1);
  if (result.step > 0) result.skewness = cubes / result.size / std::pow(squares / result.size, 1.5);
  return result;
}

// A distribution of scores S that is fitted to shuffles:
//   P(S >= s) = P(shape, area(s) * exp(intercept - rate * (s - origin))),
// where P(., .) is the regularized lower incomplete gamma function (log_gamma.h). For local alignments
// area(s) is the number of cells in which an alignment of score s can begin (log_area()); otherwise it is 1.
// docs/z-values.md explains the choices.
class Distribution {
 public:
  // For modes global and semiglobal: fits by moments, and takes scores for rounded continuous values. If all
  // ends are free, scores follow Gumbel's distribution (shape 1). The fewer ends are free, the closer is
  // their distribution to a normal one; the shape then comes from the skewness.
  static Distribution by_moments(const ScoreCounts& scores, const PairModel& model) {
    Distribution fit(scores, {});
    if (model.free_ends != FreeEnds::all()) {
      fit.shape_ = log_gamma_shape(scores.skewness);
      ++fit.parameters_;
    }
    const Moments moments = log_gamma_moments(fit.shape_);
    const double rounding = 1.0 * scores.step * scores.step / 12;
    fit.rate_ = std::sqrt(moments.variance / std::max(scores.variance - rounding, scores.variance / 2));
    fit.intercept_ = fit.rate_ * scores.step / 2 - moments.mean;
    return fit;
  }

  // For mode local: fits by maximum likelihood of P(S = s) = P(S >= s) - P(S >= s + step). Taking integers
  // for continuous scores would shift them by half a step. A score of 0 stands for all scores below, too.
  static Distribution by_likelihood(const ScoreCounts& scores, const PairModel& model) {
    Distribution fit(scores, model);
    const Moments gumbel = log_gamma_moments(1);
    fit.rate_ = std::sqrt(gumbel.variance / scores.variance);
    fit.intercept_ = fit.rate_ * scores.step / 2 - gumbel.mean - fit.log_area(scores.mean);
    constexpr int kMostSteps = 50, kMostHalvings = 20;
    constexpr double kGain = 1e-9, kSteepest = 8;
    const double steepest = kSteepest * fit.rate_;
    Likelihood now = fit.likelihood(scores);
    for (int i = 0; i < kMostSteps; ++i) {
      // Fisher scoring, with the information matrix of the observed scores. If it has no information on a
      // parameter, the steps are not a number and the fit stays as it is.
      const double determinant = now.rate2 * now.intercept2 - now.cross * now.cross;
      const double rate = (now.intercept2 * now.rate - now.cross * now.intercept) / determinant;
      const double intercept = (now.rate2 * now.intercept - now.cross * now.rate) / determinant;
      if (!(rate * now.rate + intercept * now.intercept > kGain)) break;
      Distribution next = fit;
      Likelihood then;
      int halvings = 0;
      for (; halvings < kMostHalvings; ++halvings) {
        const double part = std::ldexp(1, -halvings);
        next.rate_ = fit.rate_ + part * rate;
        next.intercept_ = fit.intercept_ + part * intercept;
        then = next.likelihood(scores);
        if (next.rate_ > 0 && next.rate_ < steepest && then.value > now.value) break;
      }
      if (halvings == kMostHalvings) break;
      fit = next;
      now = then;
    }
    return fit;
  }

  double log_tail(double score) const { return log_lower_gamma(shape_, log_x(score)); }
  // Returns the logarithm of the P-value, in which half of the probability of equal scores counts. So the
  // share of chance scores with a P-value of at most P is P, on average over where P falls between two
  // scores.
  double log_p(double score) const {
    const double at = log_tail(score), above = log_tail(score + step_);
    return at + std::log1p(std::exp(above - at)) - std::log(2);
  }
  Moments moments() const { return log_gamma_moments(shape_); }

  // Returns the P-value of a chi-square test of the fit, or nothing if there are too few groups. Scores are
  // joined to groups until each group has as many expected scores as the chi-square approximation needs.
  std::optional<double> goodness(const ScoreCounts& scores) const {
    constexpr double kFewest = 5, kGroups = 25;
    const double enough = std::max(kFewest, scores.size / kGroups);
    double statistic = 0, tail = 1, observed = 0;
    int groups = 0;
    const auto close = [&](double next_tail) {
      const double expected = scores.size * (tail - next_tail);
      statistic += (observed - expected) * (observed - expected) / expected;
      tail = next_tail;
      observed = 0;
      ++groups;
    };
    for (const auto& [score, count] : scores.cells) {
      observed += count;
      const double next_tail = std::exp(log_tail(score + step_));
      if (scores.size * std::min(tail - next_tail, next_tail) >= enough) close(next_tail);
    }
    close(0);
    const int freedom = groups - 1 - parameters_;
    if (freedom < 1) return std::nullopt;
    return chi_square_tail(statistic, freedom);
  }

 private:
  Distribution(const ScoreCounts& scores, const PairModel& model)
      : model_(model), step_(scores.step), origin_(scores.mean) {}

  // The log-likelihood, its derivatives by rate and intercept, and the sums of the squares and products of
  // the derivatives of each score.
  struct Likelihood {
    double value = 0, rate = 0, intercept = 0, rate2 = 0, cross = 0, intercept2 = 0;
  };
  Likelihood likelihood(const ScoreCounts& scores) const {
    Likelihood sum;
    for (const auto& [score, count] : scores.cells) {
      const double upper = std::exp(log_x(score + step_));
      const double lower = score == 0 ? HUGE_VAL : std::exp(log_x(score));
      const double inside = -std::expm1(upper - lower);
      const double at_upper = upper / inside;
      const double at_lower = inside < 1 ? lower * std::exp(upper - lower) / inside : 0;
      const double rate = (score + step_ - origin_) * at_upper - (score - origin_) * at_lower;
      const double intercept = at_lower - at_upper;
      sum.value += count * (std::log(inside) - upper);
      sum.rate += count * rate;
      sum.intercept += count * intercept;
      sum.rate2 += count * rate * rate;
      sum.cross += count * rate * intercept;
      sum.intercept2 += count * intercept * intercept;
    }
    return sum;
  }

  double log_x(double score) const { return intercept_ - rate_ * (score - origin_) + log_area(score); }

  // Returns ln area(s), for mode local. An alignment of this score can begin at about (length of the sequence
  // - mean length of such alignments) residues of each sequence. Since lengths of alignments vary, this
  // number falls to 0 smoothly, over some kVariation residues. At least one place is counted.
  double log_area(double score) const {
    if (model_.alpha <= 0) return 0;
    constexpr double kVariation = 25;
    const double length = std::max(model_.alpha * score + model_.beta, 0.0);
    const auto log_left = [&](std::size_t residues) {
      const double left = (static_cast<double>(residues) - length) / kVariation;
      return std::log1p(kVariation * (std::max(left, 0.0) + std::log1p(std::exp(-std::abs(left)))));
    };
    return log_left(model_.query_length) + log_left(model_.subject_length);
  }

  PairModel model_;
  double step_, origin_;
  double shape_ = 1, rate_ = 0, intercept_ = 0;
  int parameters_ = 2;
};

}  // namespace

ZValue z_value(std::int32_t score, const ShuffledScores& shuffled, const PairModel& model) {
  ZValue result;
  for (const ShuffledSide side : {ShuffledSide::query, ShuffledSide::subject}) {
    const std::span<const std::int32_t> of_side =
        side == ShuffledSide::query ? shuffled.query : shuffled.subject;
    if (of_side.empty()) continue;
    const ScoreCounts scores = counts_of(of_side);
    if (scores.step == 0) return {};
    const Distribution distribution = model.mode == Mode::local ? Distribution::by_likelihood(scores, model)
                                                                : Distribution::by_moments(scores, model);
    const double z = (score - scores.mean) / std::sqrt(scores.variance);
    if (!result.z || z < *result.z) {
      const Moments moments = distribution.moments();
      result.z = z;
      result.standard_error =
          std::sqrt((1 + moments.skewness * z + (moments.kurtosis - 1) / 4 * z * z) / scores.size);
      result.side = side;
    }
    result.log_p = distribution.log_p(score);  // the subject's shuffles come last, and replace the query's
    result.goodness = distribution.goodness(scores);
  }
  return result;
}

}  // namespace alnus::stats
