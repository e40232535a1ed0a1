#include "engine/calibrate_driver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/refuse_input.h"
#include "engine/random_pairs.h"
#include "stats/background.h"
#include "stats/gumbel_fit.h"
#include "stats/karlin.h"

namespace alnus::engine {
namespace {

// Numbers of simulated pairs at the default precision, a relative error of 0.01 of lambda, where the error of
// K is about 2%. For a precision p the numbers are multiplied by (kDefaultPrecision / p)^2. kPairsOfLong is
// for sequences of twice the length, whose pairs take four times as long and tell no more; kAlignedPairs is
// for the lengths of alignments.
constexpr double kDefaultPrecision = 0.01;
constexpr double kPairs = 655360, kPairsOfLong = 229376, kAlignedPairs = 32768;

// If alignments take more than this fraction of the sequences on average, sequences of twice the length are
// simulated.
constexpr double kLongAlignments = 0.035;

// From this ratio on, growth counts as linear: what the second of two doublings of the length adds to the
// mean score, divided by what the first one adds. The ratio is 1 if scores grow with the logarithm of the
// length, and 2 if they grow linearly. Each mean is of kGrowthSide x kGrowthSide pairs.
constexpr double kLinearGrowth = 1.4;
constexpr std::uint32_t kGrowthSide = 64;

// The pairs to simulate: `count` squares, each of `side` random sequences with `side` others, all of `length`
// residues.
struct Squares {
  std::uint32_t count = 0, side = 0, length = 0;

  // Makes about `pairs` pairs, in at least `fewest` squares, whose differences tell the error (fit()).
  Squares(double pairs, double fewest, std::uint32_t sequence_length) : length(sequence_length) {
    constexpr std::uint32_t kSide = 128, kSideOfFew = 64;
    side = pairs < fewest * kSide * kSide ? kSideOfFew : kSide;
    count = static_cast<std::uint32_t>(std::lround(std::max(pairs / side / side, fewest)));
  }
  std::uint64_t pairs() const { return std::uint64_t{count} * side * side; }
  std::uint64_t cells() const { return pairs() * length * length; }
};

constexpr double kFewestSquares = 6;

[[noreturn]] void refuse(const Scoring& scoring, const std::string& why) {
  refuse_input(fmt::format("There are no statistics for {} with gap costs {}: {}", scoring.matrix.name(),
                           scoring.format_gaps(), why));
}

UngappedParameters ungapped(const Scoring& scoring, const Background& background) {
  if (scoring.mode != Mode::local)
    refuse_input(fmt::format("Scores have statistics in mode local, not in {}.", to_string(scoring.mode)));
  const std::map<std::int32_t, double> scores = stats::pair_scores(scoring.matrix, background);
  if (scores.rbegin()->first <= 0) refuse(scoring, "no pair of letters scores above 0.");
  double mean = 0;
  for (const auto& [score, p] : scores) mean += score * p;
  if (mean >= 0)
    refuse(scoring, fmt::format("a pair of random letters scores {:.3g} on average, and it must be below 0.",
                                mean / scoring.scale));
  return stats::ungapped_parameters(scores);
}

void refuse_linear_growth(const Scoring& scoring, RandomPairs& random, std::uint32_t length) {
  std::array<double, 3> means{};
  const std::array<std::uint32_t, 3> lengths{length / 2, length, 2 * length};
  for (std::size_t i = 0; i < lengths.size(); ++i)
    means[i] = random.square(kGrowthSide, lengths[i], Detail::score).mean_score() / scoring.scale;
  if (means[2] - means[1] < kLinearGrowth * (means[1] - means[0])) return;
  refuse(scoring,
         fmt::format("gaps are too cheap. Scores of random sequences grow linearly with their length "
                     "(on average {:.1f}, {:.1f} and {:.1f} for {}, {} and {} residues), and would "
                     "have to grow with its logarithm. Higher gap costs help.",
                     means[0], means[1], means[2], lengths[0], lengths[1], lengths[2]));
}

struct Lengths {
  bool gapped = false;  // some alignment is of unequal lengths, and so has a gap
  double mean = 0;
  stats::LengthFit fit{};
};

Lengths measure_lengths(RandomPairs& random, const Squares& squares, const UngappedParameters& least) {
  std::vector<stats::AlignedLengths> alignments;
  for (std::uint32_t i = 0; i < squares.count; ++i) {
    const PairSquare square = random.square(squares.side, squares.length, Detail::alignment);
    alignments.insert(alignments.end(), square.pairs.begin(), square.pairs.end());
  }
  Lengths result;
  for (const stats::AlignedLengths& a : alignments) {
    result.gapped |= a.query != a.subject;
    result.mean += a.query / static_cast<double>(alignments.size());
  }
  result.fit = stats::fit_lengths(alignments);
  // Gaps make alignments longer, so that these parameters are at least those without gaps.
  result.fit.alpha.value = std::max(result.fit.alpha.value, least.alpha);
  result.fit.alpha_v.value = std::max(result.fit.alpha_v.value, least.alpha_v);
  result.fit.sigma.value = std::max(result.fit.sigma.value, least.alpha_v);
  return result;
}

// Returns the largest number of which all scores of alignments are multiples.
std::int32_t score_step(const Scoring& scoring, const Background& background) {
  std::int32_t step = std::gcd(scoring.open, scoring.extend);
  for (const auto& [score, p] : stats::pair_scores(scoring.matrix, background)) step = std::gcd(step, score);
  return step;
}

struct Scores {
  std::vector<stats::Histogram> squares;
  double spread = 0;  // as fit_gumbel() takes it
};

Scores measure_scores(RandomPairs& random, const Squares& squares) {
  Scores result;
  double all = 0, of_sequences = 0;
  for (std::uint32_t i = 0; i < squares.count; ++i) {
    const PairSquare square = random.square(squares.side, squares.length, Detail::score);
    stats::Histogram& histogram = result.squares.emplace_back();
    for (const stats::AlignedLengths& pair : square.pairs) ++histogram[pair.score];
    const PairSquare::Variance variance = square.variance();
    all += variance.all;
    of_sequences += variance.of_sequences;
  }
  // If exp(x) times as many alignments are expected, scores rise by x / lambda; and scores have the variance
  // pi^2 / (6 lambda^2). So the variance of x is pi^2 / 6 times the share of the scores' variance that comes
  // from the sequences.
  constexpr double kPi = std::numbers::pi;
  result.spread = std::max(0.0, of_sequences / all) * kPi * kPi / 6;
  return result;
}

// Fits lambda and K to all squares. Their errors come from further fits, each without one of the squares
// (jackknife): pairs of one square are not independent of each other, but squares are.
stats::GumbelFit fit(const Scores& scores, std::int32_t step, const std::function<double(double)>& area,
                     CallState& call) {
  stats::Histogram all;
  for (const stats::Histogram& square : scores.squares)
    for (const auto& [score, count] : square) all[score] += count;
  stats::GumbelFit result = stats::fit_gumbel(all, step, area, scores.spread);
  std::vector<stats::GumbelFit> without(scores.squares.size());
  call.for_each(without.size(), [&](std::size_t k) {
    stats::Histogram others = all;
    for (const auto& [score, count] : scores.squares[k])
      if ((others[score] -= count) == 0) others.erase(score);
    without[k] = stats::fit_gumbel(others, step, area, scores.spread);
  });
  double lambda = 0, K = 0;
  for (const stats::GumbelFit& other : without) {
    lambda += std::pow(other.lambda.value - result.lambda.value, 2);
    K += std::pow(other.K.value - result.K.value, 2);
  }
  const auto n = static_cast<double>(scores.squares.size());
  result.lambda.error = std::sqrt(lambda * (n - 1) / n);
  result.K.error = std::sqrt(K * (n - 1) / n);
  return result;
}

// Converts parameters per score unit of 1/scale to parameters per unit of the matrix' scores.
Calibration in_user_units(Calibration calibration, double scale) {
  for (ParameterEstimate* estimate :
       {&calibration.lambda, &calibration.alpha, &calibration.alpha_v, &calibration.sigma})
    *estimate = {scale * estimate->value, scale * estimate->error};
  calibration.ungapped.lambda *= scale;
  calibration.ungapped.alpha *= scale;
  calibration.ungapped.alpha_v *= scale;
  return calibration;
}

// Returns parameters per score unit of 1/scale.
Calibration simulate(const Scoring& scoring, const Background& background, const UngappedParameters& least,
                     double precision, std::uint32_t length, CallState& call) {
  const double more = std::pow(kDefaultPrecision / precision, 2);
  const Squares aligned(kAlignedPairs * more, 1, length), common(kPairs * more, kFewestSquares, length),
      of_long(kPairsOfLong * more, kFewestSquares, 2 * length);
  Progress& progress = call.progress;
  const PlannedProgress planned(progress);
  progress.expected_cells() += expected_cells({.precision = precision, .length = length});

  RandomPairs random(scoring, background, call);
  refuse_linear_growth(scoring, random, length);
  const Lengths lengths = measure_lengths(random, aligned, least);
  Calibration result{.ungapped = least};
  if (!lengths.gapped) {
    progress.expected_cells() -= common.cells();
    result.lambda.value = least.lambda;
    result.K.value = least.K;
    result.alpha.value = least.alpha;
    result.alpha_v.value = result.sigma.value = least.alpha_v;
    return result;
  }
  const Squares squares = lengths.mean > kLongAlignments * length ? of_long : common;
  progress.expected_cells() += squares.cells() - common.cells();
  const Scores scores = measure_scores(random, squares);

  const double first_gap = 1.0 * scoring.open + scoring.extend, L = squares.length;
  result.alpha = lengths.fit.alpha;
  result.alpha_v = lengths.fit.alpha_v;
  result.sigma = lengths.fit.sigma;
  result.beta = 2 * first_gap * (least.alpha - result.alpha.value);
  GumbelParameters parameters = result.parameters();
  parameters.lambda = least.lambda;  // near enough: lambda only bounds the area of low scores
  const stats::GumbelFit fitted = fit(
      scores, score_step(scoring, background),
      [&](double score) { return stats::finite_size_area(parameters, first_gap, score, L, L); }, call);
  result.lambda = fitted.lambda;
  result.K = fitted.K;
  result.length = squares.length;
  result.pairs = squares.pairs();
  return result;
}

}  // namespace

Calibration calibrate(const Scoring& scoring, const Background& background, double precision,
                      std::uint32_t length, CallState& call) {
  const auto start = std::chrono::steady_clock::now();
  const UngappedParameters least = ungapped(scoring, background);
  Calibration result =
      in_user_units(simulate(scoring, background, least, precision, length, call), scoring.scale);
  result.precision = precision;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::uint64_t expected_cells(const CalibrationOptions& options) {
  const double more = std::pow(kDefaultPrecision / options.precision, 2);
  constexpr double kGrowthCells = (1 + 4 + 16) / 4.0 * kGrowthSide * kGrowthSide;  // times length^2
  return static_cast<std::uint64_t>(kGrowthCells * options.length * options.length) +
         Squares(kAlignedPairs * more, 1, options.length).cells() +
         Squares(kPairs * more, kFewestSquares, options.length).cells();
}

}  // namespace alnus::engine
