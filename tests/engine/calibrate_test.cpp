#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "engine/calibrate_driver.h"
#include "engine/random_pairs.h"
#include "engine/registry.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/scorings.h"

namespace alnus::engine {
namespace {

using test::dna;
using test::protein;

using testing::AllOf;
using testing::HasSubstr;

// Calibrations of short sequences are quick, but rough.
constexpr double kPrecision = 0.1;
constexpr std::uint32_t kLength = 500;

Calibration calibrate_on_cpu(const Scoring& scoring, std::uint32_t length = kLength,
                             const std::string& isa = "auto", int threads = 2) {
  SessionOptions request;
  request.devices = "cpu";
  request.isa = isa;
  request.threads = threads;
  const auto devices = make_devices(request);
  std::vector<Device*> pointers{devices.front().get()};
  test::EngineCall call(pointers, threads);
  Calibration result =
      calibrate(scoring, default_background(scoring.matrix.alphabet()), kPrecision, length, call);
  EXPECT_EQ(call.progress().cells_done, call.progress().cells_total);
  EXPECT_FALSE(call.progress().counting().planned) << "what follows in the same call adds its own totals";
  return result;
}

// While there is an ExtraWork, a calibration counts its cells as extra cells, and adds none to those of the
// run.
TEST(CalibrateProgress, AsExtraWorkItHasNoCells) {
  SessionOptions request;
  request.devices = "cpu";
  request.threads = 2;
  const auto devices = make_devices(request);
  std::vector<Device*> pointers{devices.front().get()};
  test::EngineCall call(pointers, 2);
  Progress& progress = call.progress();
  {
    const ExtraWork extra(progress);
    const Scoring scoring = make_scoring({});
    calibrate(scoring, default_background(scoring.matrix.alphabet()), kPrecision, 200, call);
  }
  EXPECT_EQ(progress.cells_total, 0u);
  EXPECT_EQ(progress.cells_done, 0u);
  EXPECT_EQ(progress.pairs_total, 0u);
  EXPECT_GT(progress.extra_cells_total, 0u);
  EXPECT_EQ(progress.extra_cells_done, progress.extra_cells_total);
  EXPECT_FALSE(progress.counting().extra);
}

std::string refusal(const Scoring& scoring, std::span<Device* const> devices) {
  test::EngineCall call(devices);
  try {
    calibrate(scoring, default_background(scoring.matrix.alphabet()), kPrecision, kLength, call);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "nothing was thrown";
}

void expect_near(const ParameterEstimate& found, double expected, double most) {
  EXPECT_NEAR(found.value, expected, most * expected + 3 * found.error);
  EXPECT_LT(found.error, 0.2 * expected);
}

// The results are close to BLAST's parameters. With sequences as short as these, lambda is up to 2% off, and
// K up to 20%.
TEST(Calibrate, FindsThePublishedParameters) {
  const Calibration blosum62 = calibrate_on_cpu(protein("BLOSUM62", "11", "1"));
  expect_near(blosum62.lambda, 0.267, 0.02);
  expect_near(blosum62.K, 0.041, 0.2);
  expect_near(blosum62.alpha, 1.9, 0.1);
  EXPECT_EQ(blosum62.beta, 2 * 12 * (blosum62.ungapped.alpha - blosum62.alpha.value));
  EXPECT_NEAR(blosum62.parameters().H, 0.14, 0.05);
  EXPECT_EQ(blosum62.length, 1000u);  // doubled: alignments are too long for 500 residues
  EXPECT_EQ(blosum62.pairs, 6u * 64 * 64);

  const Calibration pam30 = calibrate_on_cpu(protein("PAM30", "9", "1"));
  expect_near(pam30.lambda, 0.294, 0.02);
  expect_near(pam30.K, 0.11, 0.2);
  EXPECT_EQ(pam30.length, 500u);
}

TEST(Calibrate, TheResultDoesNotDependOnThreadsNorInstructionSets) {
  constexpr std::uint32_t kShort = 200;
  const Scoring scoring = protein("BLOSUM62", "11", "1");
  const Calibration one = calibrate_on_cpu(scoring, kShort, "auto", 1);
  for (const auto& [isa, threads] : std::vector<std::pair<std::string, int>>{{"auto", 3}, {"portable", 2}}) {
    const Calibration other = calibrate_on_cpu(scoring, kShort, isa, threads);
    EXPECT_EQ(other.lambda.value, one.lambda.value);
    EXPECT_EQ(other.lambda.error, one.lambda.error);
    EXPECT_EQ(other.K.value, one.K.value);
    EXPECT_EQ(other.alpha.value, one.alpha.value);
    EXPECT_EQ(other.sigma.value, one.sigma.value);
  }
}

TEST(Calibrate, ParametersArePerUnitOfTheUser) {
  constexpr std::uint32_t kShort = 200;
  const Calibration whole = calibrate_on_cpu(dna("2", "-3", "5", "2"), kShort),
                    quarters = calibrate_on_cpu(dna("0.5", "-0.75", "1.25", "0.5"), kShort);
  EXPECT_DOUBLE_EQ(quarters.lambda.value, 4 * whole.lambda.value);
  EXPECT_DOUBLE_EQ(quarters.K.value, whole.K.value);
  EXPECT_DOUBLE_EQ(quarters.alpha.value, 4 * whole.alpha.value);
  EXPECT_DOUBLE_EQ(quarters.beta, whole.beta);
  EXPECT_DOUBLE_EQ(quarters.ungapped.alpha_v, 4 * whole.ungapped.alpha_v);
  EXPECT_DOUBLE_EQ(quarters.parameters().H, whole.parameters().H);
}

TEST(Calibrate, GapsThatDoNotOccurLeaveTheExactParameters) {
  const Calibration found = calibrate_on_cpu(protein("BLOSUM62", "1000", "1"));
  EXPECT_EQ(found.lambda.value, found.ungapped.lambda);
  EXPECT_EQ(found.lambda.error, 0);
  EXPECT_NEAR(found.K.value, 0.134, 5e-4);
  EXPECT_NEAR(found.sigma.value, 4.96466, 1e-4);
  EXPECT_NEAR(found.parameters().H, 0.4012, 5e-5);
  EXPECT_EQ(found.beta, 0);
  EXPECT_EQ(found.pairs, 0u);
}

TEST(Calibrate, LinearGrowthIsRefused) {
  SessionOptions request;
  request.devices = "cpu";
  const auto devices = make_devices(request);
  std::vector<Device*> pointers{devices.front().get()};
  for (const Scoring& scoring : {protein("PAM250", "10", "1"), dna("1", "-1", "0", "1")})
    EXPECT_THAT(refusal(scoring, pointers), AllOf(HasSubstr("linearly"), HasSubstr("250, 500 and 1000")));
}

TEST(Calibrate, ScoresWithoutStatisticsAreRefusedAtOnce) {
  const test::FakeDevices devices;
  EXPECT_THAT(refusal(dna("5", "-1", "10", "1"), devices.pointers), HasSubstr("0.5 on average"));
  ScoringOptions global;
  global.mode = "global";
  EXPECT_THAT(refusal(make_scoring(global), devices.pointers), HasSubstr("mode local"));
  Background only_a(4);
  only_a[0] = 1;
  ScoringOptions options;
  options.alphabet = AlphabetKind::dna;
  options.matrix = "negative";
  options.matrix_text = "  A C G T\nA -1 2 2 2\nC 2 -1 2 2\nG 2 2 -1 2\nT 2 2 2 -1\n";
  options.gap_open = "5";
  options.gap_extend = "2";
  test::EngineCall call(devices.pointers);
  EXPECT_THROW(calibrate(make_scoring(options), only_a, kPrecision, kLength, call), Error);
  EXPECT_EQ(devices.owned.front()->runs(), 0);
}

// Half the error takes four times as many pairs, and twice the length four times as many cells of each.
TEST(Calibrate, ExpectedCellsFollowPrecisionAndLength) {
  const auto cells = [](double precision, std::uint32_t length) {
    return expected_cells({.precision = precision, .length = length});
  };
  EXPECT_EQ(cells(0.01, 4000), 4 * cells(0.01, 2000));
  EXPECT_EQ(cells(0.1, 200), 4 * cells(0.1, 100));
  const std::uint64_t once = cells(0.01, 100), twice = cells(0.005, 100), again = cells(0.0025, 100);
  EXPECT_EQ(again - twice, 4 * (twice - once));
  // At this precision 655,360 pairs are scored, 32,768 are aligned, and some are for the growth of scores.
  EXPECT_EQ(once, (twice - once) / 3 + 64 * 64 * 21 / 4 * 10'000);
  EXPECT_EQ((twice - once) / 3, (655'360 + 32'768) * 10'000ULL);
}

TEST(RandomSequences, HaveTheFrequenciesOfTheBackground) {
  Background background = {0.5, 0, 0.375, 0.125};
  const RandomSequences random(AlphabetKind::dna, background);
  constexpr std::uint32_t kCount = 20, kLength = 5000;
  const SequenceSet set = random.draw(7, kCount, kLength);
  ASSERT_EQ(set.size(), kCount);
  std::vector<double> found(4);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(set.length(i), kLength);
    for (const Residue residue : set.residues(i)) found.at(residue) += 1.0 / (kCount * kLength);
  }
  for (std::size_t letter = 0; letter < 4; ++letter)
    EXPECT_NEAR(found[letter], background[letter], 4 * std::sqrt(0.25 / (kCount * kLength))) << letter;
  EXPECT_EQ(found[1], 0);
}

TEST(RandomSequences, AreTheSameForASeedAndNoOther) {
  const RandomSequences random(AlphabetKind::protein, default_background(AlphabetKind::protein));
  const SequenceSet set = random.draw(1, 2, 100), same = random.draw(1, 2, 100),
                    other = random.draw(2, 2, 100);
  EXPECT_TRUE(std::ranges::equal(set.residues(1), same.residues(1)));
  EXPECT_FALSE(std::ranges::equal(set.residues(1), other.residues(1)));
  EXPECT_FALSE(std::ranges::equal(set.residues(0), set.residues(1)));
}

// Each score is a sum of parts of its own, of the row and of the column. The parts of rows and columns vary
// with the sequences, and variance() tells how much.
TEST(PairSquare, KnowsWhatIsTheSequences) {
  std::mt19937 random(1);
  const auto normal = [&] {  // a normal random number of variance 100
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random() / 4294967296.0;
    return 10 * sum;
  };
  constexpr std::uint32_t kSide = 300;
  std::vector<double> rows(kSide), columns(kSide);
  for (double& row : rows) row = 3 * normal();
  for (double& column : columns) column = 2 * normal();
  PairSquare square{kSide, {}};
  for (const double row : rows)
    for (const double column : columns)
      square.pairs.push_back(
          {static_cast<std::int32_t>(std::lround(1000 + row + column + 5 * normal())), 0, 0});
  const PairSquare::Variance variance = square.variance();
  EXPECT_NEAR(square.mean_score(), 1000, 10);
  EXPECT_NEAR(variance.of_sequences, 1300, 200);
  EXPECT_NEAR(variance.all, 3800, 250);
}

}  // namespace
}  // namespace alnus::engine
