// What pairs of a run with a checkpoint are expected to cost: jobs of minutes have several stripes, and big
// jobs of scores have no more than they need.
#include "api/pair_cost.h"

#include <gtest/gtest.h>

#include "engine/all_pairs_driver.h"

namespace alnus::test {
namespace {

using api::expected_cost;

constexpr double kGcups = 90;  // speed of two cores with AVX-512
constexpr int kThreads = 2;

engine::AllPairsOptions options_of(Detail detail, bool significance) {
  engine::AllPairsOptions options;
  options.fields.detail = detail;
  options.fields.significance = significance;
  if (significance) {
    options.statistics.method = StatisticsMethod::spouge;
    options.statistics.composition = Composition::adjust;
    options.statistics.low_complexity = LowComplexity::statistics;
  }
  return options;
}

// Returns the expected seconds of all pairs of `count` sequences of `length` residues.
double seconds_of(double count, double length, const engine::PairCost& cost) {
  const double pairs = count * count / 2, cells = length * length;
  return pairs * (cells * (cost.cell + cost.cell_if_left) + cost.pair + cost.if_left);
}

TEST(ApiPairCost, AlignmentsAndSecondScoresOfProteinsTakeManyStripes) {
  const auto cost = expected_cost(options_of(Detail::alignment, true), kGcups, kThreads);
  EXPECT_GT(seconds_of(2857, 460, cost), 10 * engine::kStripeSeconds);
  EXPECT_LT(seconds_of(2857, 460, cost), 60 * engine::kStripeSeconds);
}

TEST(ApiPairCost, CountsWhatIsComputedOfAPair) {
  const auto seconds = [](const engine::AllPairsOptions& options) {
    return seconds_of(1000, 100, expected_cost(options, kGcups, kThreads));
  };
  const double scores = seconds(options_of(Detail::score, false)),
               alignments = seconds(options_of(Detail::alignment, false)),
               judged = seconds(options_of(Detail::alignment, true));
  EXPECT_LT(scores, alignments);
  EXPECT_LT(1.5 * alignments, judged);
  engine::AllPairsOptions options = options_of(Detail::alignment, false);
  options.fields.identity_ranges = {Denominator::alignment};
  EXPECT_LT(1.5 * alignments, seconds(options));
  options = options_of(Detail::alignment, true);
  options.statistics.method = StatisticsMethod::zvalue;
  EXPECT_LT(20 * judged, seconds(options));
  options = options_of(Detail::alignment, false);
  options.fields.strands = Strands::both;
  EXPECT_LT(1.2 * alignments, seconds(options));
  options = options_of(Detail::score, false);
  options.nearest = engine::Nearest{};
  EXPECT_EQ(expected_cost(options, kGcups, kThreads).cell_if_left, 0);
  options.fields.detail = Detail::alignment;
  EXPECT_GT(expected_cost(options, kGcups, kThreads).cell_if_left, 0) << "the nearest are aligned";
}

// With a million columns every stripe costs a GPU 0.2 s more. So a stripe of scores must have all its
// stripe_cells() cells before its expected time reaches kStripeSeconds, which would end it earlier.
TEST(ApiPairCost, ScoresOfShortSequencesOnAGpuEndByTheirCells) {
  const double gcups = 5000;
  engine::AllPairsOptions options = options_of(Detail::score, false);
  options.listed = false;
  options.stripe_cells = engine::stripe_cells(gcups);
  const auto cost = expected_cost(options, gcups, 16);
  const double cells = 15 * 15, pairs = options.stripe_cells / cells;
  EXPECT_LT(pairs * (cells * cost.cell + cost.pair), engine::kStripeSeconds);
}

}  // namespace
}  // namespace alnus::test
