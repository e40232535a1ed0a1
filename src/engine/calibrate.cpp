#include "engine/calibrate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/random_sequences.h"
#include "engine/scheduler.h"
#include "io/calibration_cache.h"
#include "stats/gumbel_fit.h"

namespace alnus::engine {
namespace {

constexpr std::uint32_t kSide = 128;  // sequences of a rectangle, on either side

// At the default precision: the error of K (which precision does not promise) is below 2% then.
constexpr double kRectangles = 24, kRectanglesOfLong = 12;
constexpr double kDefaultPrecision = 0.01;
constexpr int kFewestRectangles = 6;  // that tell how much they differ
constexpr double kLengthRectangles = 2;

// Alignments that take more of the sequences than this want longer ones.
constexpr double kLongAlignments = 0.04;

// What two doublings of the length add to the mean score: as much each while scores grow with the logarithm
// of the length, twice as much the second time when they grow linearly.
constexpr double kLinearGrowth = 1.4;
constexpr std::uint32_t kGrowthSide = 64;

[[noreturn]] void refuse(const Scoring& scoring, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("There are no statistics for {} with gap costs {}: {}",
                                            scoring.matrix.name(), scoring.format_gaps(), why));
}

// All pairs of a rectangle of random sequences. Every pair of equal lengths: positions are indices.
class PairTable : public Sink {
 public:
  explicit PairTable(std::uint32_t side) : side_(side), pairs_(std::size_t{side} * side) {}

  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& r : results) {
      pairs_[std::size_t{r.row} * side_ + r.column] = {r.score, r.query_end - r.query_begin,
                                                       r.subject_end - r.subject_begin};
    }
  }
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      std::size_t place = std::size_t{row} * side_ + tile.column_range.begin;
      for (const std::int32_t score : scores.of_row(tile, row)) pairs_[place++].score = score;
    }
  }

  std::span<const stats::AlignedLengths> pairs() const { return pairs_; }

  double mean() const {
    double sum = 0;
    for (const auto& pair : pairs_) sum += pair.score;
    return sum / static_cast<double>(pairs_.size());
  }
  // The variance of scores, and which part of it is the sequences' and not the pairs': sequences with much of
  // some letter score higher with all others.
  struct Variance {
    double all = 0, of_sequences = 0;
  };
  Variance variance() const {
    const double n = side_, center = mean();
    double squares = 0, rows = 0, columns = 0;
    for (std::uint32_t i = 0; i < side_; ++i) {
      double row = 0, column = 0;
      for (std::uint32_t j = 0; j < side_; ++j) {
        row += pairs_[std::size_t{i} * side_ + j].score - center;
        column += pairs_[std::size_t{j} * side_ + i].score - center;
        squares += std::pow(pairs_[std::size_t{i} * side_ + j].score - center, 2);
      }
      rows += std::pow(row / n, 2);
      columns += std::pow(column / n, 2);
    }
    const double all = squares / (n * n);
    return {all, (rows + columns) / (n - 1) - 2 * all / n};
  }

 private:
  const std::uint32_t side_;
  std::vector<stats::AlignedLengths> pairs_;
};

class Simulation {
 public:
  Simulation(const Scoring& scoring, const stats::Background& background, std::span<Device* const> devices,
             Progress& progress)
      : scoring_(scoring),
        sequences_(scoring.matrix.alphabet(), background),
        devices_(devices),
        progress_(progress) {}

  // Every rectangle has sequences of its own.
  PairTable rectangle(std::uint32_t side, std::uint32_t length, Detail detail) {
    const SequenceSet rows = sequences_.draw(next_seed_++, side, length),
                      columns = sequences_.draw(next_seed_++, side, length);
    const Problem problem{.scoring = scoring_, .detail = detail, .cigars = false};
    Scheduler scheduler(devices_, rows, columns, problem, progress_);
    PairTable table(side);
    scheduler.run({}, problem, table);
    return table;
  }

 private:
  const Scoring& scoring_;
  const RandomSequences sequences_;
  const std::span<Device* const> devices_;
  Progress& progress_;
  std::uint64_t next_seed_ = 1;
};

stats::UngappedParameters ungapped(const Scoring& scoring, const stats::Background& background) {
  if (scoring.mode != Mode::local)
    throw Error(ErrorKind::input,
                fmt::format("Scores have statistics in mode local, not in {}.", to_string(scoring.mode)));
  const std::map<std::int32_t, double> scores = stats::pair_scores(scoring.matrix, background);
  if (scores.rbegin()->first <= 0) refuse(scoring, "no pair of letters scores above 0.");
  double mean = 0;
  for (const auto& [score, p] : scores) mean += score * p;
  if (mean >= 0)
    refuse(scoring, fmt::format("a pair of random letters scores {:.3g} on average, and it must be below 0.",
                                mean / scoring.scale));
  return stats::ungapped_parameters(scores);
}

void refuse_linear_growth(const Scoring& scoring, Simulation& simulation, std::uint32_t length) {
  std::array<double, 3> means{};
  std::array<std::uint32_t, 3> lengths{length / 2, length, 2 * length};
  for (std::size_t i = 0; i < lengths.size(); ++i)
    means[i] = simulation.rectangle(kGrowthSide, lengths[i], Detail::score).mean() / scoring.scale;
  if (means[2] - means[1] < kLinearGrowth * (means[1] - means[0])) return;
  refuse(scoring,
         fmt::format("gaps are too cheap. Scores of random sequences grow linearly with their length "
                     "(on average {:.1f}, {:.1f} and {:.1f} for {}, {} and {} residues), and would "
                     "have to grow with its logarithm. Higher gap costs help.",
                     means[0], means[1], means[2], lengths[0], lengths[1], lengths[2]));
}

// The lattice that all scores lie on.
std::int32_t score_step(const Scoring& scoring, const stats::Background& background) {
  std::int32_t step = std::gcd(scoring.open, scoring.extend);
  for (const auto& [score, p] : stats::pair_scores(scoring.matrix, background)) step = std::gcd(step, score);
  return step;
}

// As of a scoring by integers; all that is per score is per user's score then.
stats::Estimate times(double factor, const stats::Estimate& estimate) {
  return {factor * estimate.value, factor * estimate.error};
}

struct Lengths {
  std::uint32_t of_sequences = 0;
  bool gapped = false;  // at least one alignment was, by a single gap
  stats::LengthFit fit{};
};

Lengths measure_lengths(Simulation& simulation, const stats::UngappedParameters& least, double rectangles,
                        std::uint32_t length) {
  Lengths result{.of_sequences = length};
  std::vector<stats::AlignedLengths> alignments;
  double residues = 0;
  for (int i = 0; i < std::max(std::lround(rectangles), 1L); ++i) {
    const PairTable table = simulation.rectangle(kSide, length, Detail::alignment);
    alignments.insert(alignments.end(), table.pairs().begin(), table.pairs().end());
  }
  for (const stats::AlignedLengths& a : alignments) {
    residues += a.query;
    result.gapped |= a.query != a.subject;
  }
  if (residues > kLongAlignments * length * static_cast<double>(alignments.size())) result.of_sequences *= 2;
  result.fit = stats::fit_lengths(alignments);
  // Gaps make alignments longer.
  result.fit.alpha.value = std::max(result.fit.alpha.value, least.alpha);
  result.fit.alpha_v.value = std::max(result.fit.alpha_v.value, least.alpha_v);
  result.fit.sigma.value = std::max(result.fit.sigma.value, least.alpha_v);
  return result;
}

// Fits all rectangles, and then all but one of them: what the fits differ by is the error (jackknife). Pairs
// of a rectangle are not independent, rectangles are.
stats::GumbelFit fit(std::span<const stats::Histogram> rectangles, std::int32_t step,
                     const std::function<double(double)>& area, double spread) {
  stats::Histogram all;
  for (const stats::Histogram& rectangle : rectangles)
    for (const auto& [score, count] : rectangle) all[score] += count;
  stats::GumbelFit result = stats::fit_gumbel(all, step, area, spread);
  double lambda = 0, K = 0;
  for (const stats::Histogram& rectangle : rectangles) {
    stats::Histogram others = all;
    for (const auto& [score, count] : rectangle)
      if ((others[score] -= count) == 0) others.erase(score);
    const stats::GumbelFit other = stats::fit_gumbel(others, step, area, spread);
    lambda += std::pow(other.lambda.value - result.lambda.value, 2);
    K += std::pow(other.K.value - result.K.value, 2);
  }
  const auto n = static_cast<double>(rectangles.size());
  result.lambda.error = std::sqrt(lambda * (n - 1) / n);
  result.K.error = std::sqrt(K * (n - 1) / n);
  return result;
}

}  // namespace

stats::Calibration calibrate(const Scoring& scoring, const stats::Background& background,
                             const CalibrationOptions& options, std::span<Device* const> devices,
                             Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  stats::Calibration result;
  result.precision = options.precision;
  result.ungapped = ungapped(scoring, background);
  const stats::UngappedParameters least = result.ungapped;
  const double scale = scoring.scale;
  result.ungapped.lambda *= scale;
  result.ungapped.alpha *= scale;
  result.ungapped.alpha_v *= scale;

  Simulation simulation(scoring, background, devices, progress);
  refuse_linear_growth(scoring, simulation, options.length);
  const double more = std::pow(kDefaultPrecision / options.precision, 2);
  const Lengths lengths = measure_lengths(simulation, least, kLengthRectangles * more, options.length);
  if (!lengths.gapped) {  // the ungapped statistics are exact
    result.lambda.value = result.ungapped.lambda;
    result.K.value = least.K;
    result.alpha.value = result.ungapped.alpha;
    result.alpha_v.value = result.sigma.value = result.ungapped.alpha_v;
    return result;
  }

  const bool is_long = lengths.of_sequences > options.length;
  const long count =
      std::max(std::lround((is_long ? kRectanglesOfLong : kRectangles) * more), long{kFewestRectangles});
  std::vector<stats::Histogram> histograms;
  double variance = 0, of_sequences = 0;
  for (long i = 0; i < count; ++i) {
    const PairTable table = simulation.rectangle(kSide, lengths.of_sequences, Detail::score);
    stats::Histogram& histogram = histograms.emplace_back();
    for (const stats::AlignedLengths& pair : table.pairs()) ++histogram[pair.score];
    variance += table.variance().all;
    of_sequences += table.variance().of_sequences;
  }
  // A factor exp(x) of the number of alignments moves the scores by x / lambda, and scores have the variance
  // pi^2 / (6 lambda^2).
  const double spread = std::max(0.0, of_sequences / variance * std::numbers::pi * std::numbers::pi / 6);

  const stats::LengthFit& l = lengths.fit;
  const double first_gap = scoring.open + scoring.extend, L = lengths.of_sequences;
  const double beta = 2 * first_gap * (least.alpha - l.alpha.value);
  const stats::GumbelParameters of_area{
      least.lambda, 0, 0, l.alpha.value, beta, l.alpha_v.value, l.sigma.value, least.alpha, least.alpha_v};
  const stats::GumbelFit fitted = fit(
      histograms, score_step(scoring, background),
      [&](double score) { return stats::finite_size_area(of_area, first_gap, score, L, L); }, spread);

  result.lambda = times(scale, fitted.lambda);
  result.K = fitted.K;
  result.alpha = times(scale, l.alpha);
  result.alpha_v = times(scale, l.alpha_v);
  result.sigma = times(scale, l.sigma);
  result.beta = beta;
  result.length = lengths.of_sequences;
  result.pairs = histograms.size() * kSide * kSide;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

stats::Calibration calibrated_parameters(const Scoring& scoring, const stats::Background& background,
                                         const CalibrationOptions& options, std::span<Device* const> devices,
                                         Progress& progress,
                                         const std::function<void(const std::string&)>& log) {
  const io::CalibrationCache cache(scoring, background, log);
  if (const auto found = cache.find(options.precision)) return *found;
  const stats::Calibration result = calibrate(scoring, background, options, devices, progress);
  cache.store(result);
  return result;
}

}  // namespace alnus::engine
