#include "stats/regression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <vector>

namespace alnus::stats {
namespace {

constexpr double kGamma = std::numbers::egamma;
// pi / sqrt(6), as ssearch36 has it: the standard deviation of a Gumbel distribution of scale 1. z is in
// standard deviations.
constexpr double kGumbel = 1.2825498;

// Bin j has the lengths whose 10 ln(length) rounds to j. The last bin has all lengths above about 5e8
// residues, too.
constexpr int kBins = 201;
constexpr std::size_t kFewestBins = 5, kFewestScores = 50;

double log_length(std::uint32_t length) { return 10 * std::log(length); }
// Returns the x of a bin in the regression. Scores are judged at log_length, which is half a bin lower on
// average, as in ssearch36.
double position(int bin) { return bin + 0.5; }

struct Binned {
  int bin;
  double score;
  double log_length, exact;  // exact: the score before it is limited to the highest
};

struct Bin {
  double count = 0, sum = 0, squares = 0;
  double mean() const { return sum / count; }
  double variance() const { return squares / count - mean() * mean(); }
};
using Bins = std::array<Bin, kBins>;

struct Line {
  double slope = 0, intercept = 0;
  double at(double x) const { return intercept + slope * x; }
};

// True if the bin is used in fits. A bin with a single score is not used, since it has no variance.
bool counts(const Bin& bin) { return bin.count >= 2; }

// Fits a line to value_of(bin). The weight of a bin is the inverse of the variance of its mean, which is
// taken to be `least_variance` or more.
template <typename ValueOf>
Line fit_line(const Bins& bins, double least_variance, ValueOf value_of) {
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  const auto each = [&](auto use) {
    for (int j = 0; j < kBins; ++j)
      if (counts(bins[j]))
        use(bins[j].count / std::max(least_variance, bins[j].variance() / (bins[j].count - 1)), position(j),
            value_of(j));
  };
  each([&](double weight, double at, double value) {
    weights += weight;
    x += weight * at;
    y += weight * value;
  });
  x /= weights;
  y /= weights;
  each([&](double weight, double at, double value) {
    xx += weight * (at - x) * (at - x);
    xy += weight * (at - x) * (value - y);
  });
  const double slope = xx > 0 ? xy / xx : 0;
  return {slope, y - slope * x};
}

Bins bins_of(const std::vector<Binned>& scores) {
  Bins bins;
  for (const Binned& score : scores) {
    Bin& bin = bins[score.bin];
    ++bin.count;
    bin.sum += score.score;
    bin.squares += score.score * score.score;
  }
  return bins;
}

Line fit_means(const Bins& bins, double least_variance) {
  return fit_line(bins, least_variance, [&](int j) { return bins[j].mean(); });
}

double residual_variance(const std::vector<Binned>& scores, const Bins& bins, const Line& line) {
  double squares = 0, count = 0;
  for (const Binned& score : scores) {
    if (!counts(bins[score.bin])) continue;
    const double residual = score.score - line.at(position(score.bin));
    squares += residual * residual;
    ++count;
  }
  return squares / count;
}

// Returns the bins whose scores vary around `line` much more or much less than a line fitted to the variances
// of all bins says. As a rule these bins have many copies of a sequence.
std::array<bool, kBins> odd_bins(const std::vector<Binned>& scores, const Bins& bins, const Line& line) {
  std::array<double, kBins> squares{};
  for (const Binned& score : scores) {
    const double residual = score.score - line.at(position(score.bin));
    squares[score.bin] += residual * residual;
  }
  const Line variances = fit_line(bins, 1.0, [&](int j) { return squares[j] / bins[j].count; });
  double least = 0;  // lower limit of the line's variances, if the line falls
  if (variances.slope < 0) {
    int longest = kBins - 1;
    while (!counts(bins[longest])) --longest;
    least = variances.at(position(longest));
    if (least <= 0) {
      const double shortest = log_length(20);
      const double where_it_is_its_slope = (-variances.slope - variances.intercept) / variances.slope;
      least = variances.at(std::max(shortest, where_it_is_its_slope));
    }
  }
  std::array<double, kBins> odds{};
  double sum = 0, count = 0;
  for (int j = 0; j < kBins; ++j) {
    if (!counts(bins[j])) continue;
    const double predicted = bins[j].count * std::max(least, variances.at(position(j)));
    odds[j] = std::abs(squares[j] - predicted) / std::sqrt(bins[j].count - 1);
    sum += odds[j] * odds[j];
    ++count;
  }
  constexpr double kOdd = 3;
  std::array<bool, kBins> odd{};
  for (int j = 0; j < kBins; ++j) odd[j] = odds[j] > kOdd * std::sqrt(sum / count);
  return odd;
}

bool suffices(const std::vector<Binned>& scores, const Bins& bins) {
  return scores.size() >= kFewestScores &&
         static_cast<std::size_t>(std::ranges::count_if(bins, counts)) >= kFewestBins;
}

}  // namespace

std::optional<RegressionFit> fit_regression(std::span<const ScoredLength> all, std::uint64_t query_length,
                                            const UngappedParameters& ungapped) {
  std::vector<Binned> scores;
  double residues = 0;
  for (const ScoredLength& one : all) {
    if (one.length < kShortestForRegression) continue;
    residues += one.length;
    const int bin = static_cast<int>(std::floor(log_length(one.length) + 0.5));
    scores.push_back({std::min(bin, kBins - 1), one.score, log_length(one.length), one.score});
  }
  if (scores.size() < kFewestForRegression || query_length <= kShortestForRegression) return std::nullopt;
  const auto count = static_cast<double>(scores.size());
  // The score with E-value 0.01 in this search by the ungapped K and 0.7 of the ungapped lambda. Higher
  // scores count as this score.
  const double cells = static_cast<double>(query_length) * residues;
  const double highest = std::round(-std::log(0.01 / (ungapped.K * cells)) / (0.7 * ungapped.lambda));
  for (Binned& score : scores) score.score = std::min(score.score, highest);

  constexpr double kLeast = 0.1, kLeastOfTrimmed = 1;
  Bins bins = bins_of(scores);
  if (!suffices(scores, bins)) return std::nullopt;
  Line line = fit_means(bins, kLeast);
  const double deviation = std::sqrt(residual_variance(scores, bins, line));
  // The z with the E-value 1: one unrelated subject of all is expected to reach it. Subjects with a higher z
  // are left out.
  const double related = (std::log(count) - kGamma) / kGumbel;
  constexpr double kTooLow = -3;
  std::erase_if(scores, [&](const Binned& score) {
    const double z = (score.exact - line.at(score.log_length)) / deviation;
    return z < kTooLow || z > related;
  });

  bins = bins_of(scores);
  if (!suffices(scores, bins)) return std::nullopt;
  line = fit_means(bins, kLeastOfTrimmed);
  const std::array<bool, kBins> odd = odd_bins(scores, bins, line);
  std::erase_if(scores, [&](const Binned& score) { return odd[score.bin]; });

  bins = bins_of(scores);
  if (!suffices(scores, bins)) return std::nullopt;
  line = fit_means(bins, kLeast);
  RegressionFit fit{line.slope, line.intercept, residual_variance(scores, bins, line), scores.size(), 0};
  fit.trimmed = static_cast<std::uint64_t>(count) - fit.fitted;
  if (!(fit.variance > 0)) return std::nullopt;
  return fit;
}

namespace {

class RegressionJudge final : public ScoreJudge {
 public:
  RegressionJudge(const RegressionFit& fit, const Scoring& scoring, std::uint64_t query_length,
                  const SearchSpace& space)
      : fit_(fit),
        score_unit_(1.0 / scoring.scale),
        query_(static_cast<double>(query_length)),
        is_dna_(scoring.matrix.alphabet() == AlphabetKind::dna),
        space_(space) {}

  Significance of(double score, std::uint64_t subject_length) const override {
    const double z = z_of(score, subject_length);
    const double cells = query_ * static_cast<double>(subject_length);
    const double bits = (kGumbel * z + kGamma + std::log(cells)) / std::numbers::ln2;
    return {{}, bits, evalue(z, subject_length), z, {}, {}};
  }
  double pvalue(std::int32_t score, std::uint64_t subject_length) const override {
    return pvalue(deviations(score, subject_length));
  }

  StatisticsMethod method() const override { return StatisticsMethod::regression; }
  std::string description() const override {
    return fmt::format("mean {:.4f} + {:.4f} ln(length), variance {:.4f}, from {} subjects, {} left out",
                       fit_.mu, 10 * fit_.rho, fit_.variance, fit_.fitted, fit_.trimmed);
  }

 private:
  // Returns the z of a score. Subjects of fewer than kShortestForRegression residues, which the regression
  // leaves out, get the z of an average score, 0.
  double z_of(double score, std::uint64_t subject_length) const {
    return subject_length < kShortestForRegression ? 0 : deviations(score, subject_length);
  }
  double deviations(double score, std::uint64_t subject_length) const {
    const double expected = fit_.mu + fit_.rho * log_length(static_cast<std::uint32_t>(subject_length));
    return (score_unit_ * score - expected) / std::sqrt(fit_.variance);
  }
  static double pvalue(double z) { return -std::expm1(-std::exp(-kGumbel * z - kGamma)); }
  // Returns the E-value of a z. The number of subjects is that of the search space or, for DNA, the search
  // space's residues divided by the subject's length.
  double evalue(double z, std::uint64_t subject_length) const {
    const double subjects =
        is_dna_ ? space_.residues / static_cast<double>(subject_length) : space_.sequences;
    return space_.strands * subjects * pvalue(z);
  }

  const RegressionFit fit_;
  const double score_unit_, query_;
  const bool is_dna_;
  const SearchSpace space_;
};

}  // namespace

ScoreJudgePtr regression_judge(const RegressionFit& fit, const Scoring& scoring, std::uint64_t query_length,
                               const SearchSpace& space) {
  return std::make_unique<RegressionJudge>(fit, scoring, query_length, space);
}

}  // namespace alnus::stats
