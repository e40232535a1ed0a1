// Session::calibrate, the cache of calibrations, E-values by calibrations, and backgrounds.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unistd.h>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/jobs.h"
#include "api/support/process.h"
#include "io/calibration_cache.h"
#include "support/scorings.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Residues of the random sequences; a calibration with so few takes a fraction of a second.
constexpr std::uint32_t kShort = 200;

CalibrationOptions rough() {
  CalibrationOptions options;
  options.precision = 0.1;
  options.length = kShort;
  return options;
}

// A scoring whose statistics are not published.
Scoring unpublished() { return protein("BLOSUM62", "15", "3"); }

SessionOptions with_cache(CalibrationCache::Place place, const std::string& directory = {}) {
  SessionOptions options = session_options();
  options.calibration_cache = {place, directory};
  return options;
}

TEST(ApiCalibration, FindsTheParametersOfAScoring) {
  Session session(session_options());
  CalibrationOptions options;
  options.precision = 0.1;
  options.length = 500;
  const Calibration found = session.calibrate(default_scoring(), options);
  EXPECT_NEAR(found.lambda.value, 0.267, 0.02 * 0.267 + 3 * found.lambda.error);
  EXPECT_NEAR(found.K.value, 0.041, 0.2 * 0.041 + 3 * found.K.error);
  EXPECT_GT(found.lambda.error, 0);
  EXPECT_GT(found.pairs, 0u);
  EXPECT_GE(found.length, 500u);
  EXPECT_EQ(found.precision, 0.1);
  EXPECT_GT(found.seconds, 0);
  EXPECT_NE(found.digest, "");
  const GumbelParameters parameters = found.parameters();
  EXPECT_EQ(parameters.lambda, found.lambda.value);
  EXPECT_EQ(parameters.K, found.K.value);
  EXPECT_EQ(parameters.alpha, found.alpha.value);
  EXPECT_EQ(parameters.beta, found.beta);
  EXPECT_EQ(parameters.alpha_v, found.alpha_v.value);
  EXPECT_EQ(parameters.sigma, found.sigma.value);
  EXPECT_EQ(parameters.alpha_ungapped, found.ungapped.alpha);
  EXPECT_EQ(parameters.alpha_v_ungapped, found.ungapped.alpha_v);
  EXPECT_DOUBLE_EQ(parameters.H, found.lambda.value / found.alpha.value);
}

TEST(ApiCalibration, DependsOnScoringAndOptionsAlone) {
  Session one(session_options(1)), three(session_options(3, 64 << 20));
  Calibration first = one.calibrate(unpublished(), rough()), second = three.calibrate(unpublished(), rough());
  first.seconds = second.seconds = 0;
  EXPECT_EQ(first, second);
}

TEST(ApiCalibration, JsonHoldsEveryDigit) {
  Session session(session_options());
  const Calibration found = session.calibrate(unpublished(), rough());
  EXPECT_EQ(Calibration::from_json(found.to_json()), found);
  Calibration odd = found;
  odd.lambda.value = 0.1 + 0.2;
  odd.K.error = std::numeric_limits<double>::denorm_min();
  odd.beta = -1.0 / 3;
  EXPECT_EQ(Calibration::from_json(odd.to_json()), odd);
}

TEST(ApiCalibration, JsonThatToJsonDidNotMakeIsAnError) {
  Session session(session_options());
  const std::string right = session.calibrate(unpublished(), rough()).to_json();
  std::vector<std::string> wrong = {"",         "{}", "[]", "null", "3", right.substr(0, right.size() / 2),
                                    right + "x"};
  const nlohmann::json json = nlohmann::json::parse(right);
  for (const auto& [key, value] : json.items()) {
    nlohmann::json without = json;
    without.erase(key);
    wrong.push_back(without.dump());
    nlohmann::json changed = json;
    changed[key] = value.is_string() ? nlohmann::json(3) : nlohmann::json("word");
    wrong.push_back(changed.dump());
  }
  for (const std::string& text : wrong)
    EXPECT_NE(input_error([&] { Calibration::from_json(text); }), "") << text;
}

TEST(ApiCalibration, OfAScoringWithoutSuchStatisticsIsAnError) {
  Session session(session_options());
  EXPECT_THAT(input_error([&] { session.calibrate(dna("5", "-1", "5", "2"), rough()); }),
              HasSubstr("average"));
  EXPECT_NE(input_error([&] { session.calibrate(default_scoring("global"), rough()); }), "");
  EXPECT_THAT(input_error([&] { session.calibrate(dna("1", "-1", "0", "1"), rough()); }),
              HasSubstr("linearly"));
}

TEST(ApiCalibration, OptionsOutOfRangeAreErrors) {
  Session session(session_options());
  for (const double precision : {0.0, -1.0, 0.0029, 0.11, 1e9, std::nan("")}) {
    CalibrationOptions options = rough();
    options.precision = precision;
    EXPECT_THAT(input_error([&] { session.calibrate(unpublished(), options); }), HasSubstr("precision"))
        << precision;
  }
  CalibrationOptions options = rough();
  options.background = {0.5, 0.5};
  EXPECT_NE(input_error([&] { session.calibrate(unpublished(), options); }), "")
      << "not of twenty amino acids";
}

TEST(ApiCalibration, AnotherBackgroundHasOtherStatistics) {
  Session session(session_options());
  CalibrationOptions options = rough();
  options.background = parse_background("A 1\nC 3\nG 3\nT 1\n", "test", AlphabetKind::dna);
  const Scoring scoring = dna("2", "-3", "5", "2");
  const Calibration biased = session.calibrate(scoring, options),
                    uniform = session.calibrate(scoring, rough());
  EXPECT_NE(biased.digest, uniform.digest);
  EXPECT_LT(biased.lambda.value, uniform.lambda.value);
}

// ---- E-values by calibrations ----

// Computes the E-values by the formulas of docs/calibration.md and docs/statistics.md.
TEST(ApiCalibration, EvaluesOfACalibratedScoringAreTheFormula) {
  Session session(session_options());
  const Scoring scoring = unpublished();
  Calibration calibration = session.calibrate(scoring, rough());
  calibration.precision = 0.003;  // not true, but a search takes no rougher calibration
  Session searching(session_options());
  searching.add_calibration(scoring, calibration);
  const SequenceSet queries = relatives_set(1, 3, 200), subjects = relatives_set(1, 20, 220);
  const SearchResult result =
      searching.search(queries, subjects, scoring, {.evalue = 1e300, .statistics = unadjusted_statistics()});
  EXPECT_EQ(result.summary.method, StatisticsMethod::spouge);
  const GumbelParameters p = calibration.parameters();
  const double gap = 2 * (15 + 3);
  const auto phi = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); };
  const auto cumulative = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  ASSERT_GT(result.hits.rows.size(), 0u);
  for (std::size_t i = 0; i < result.hits.rows.size(); ++i) {
    const double y = result.hits.rows.score[i];
    const double m = static_cast<double>(queries.length(result.hits.rows.query[i])),
                 n = static_cast<double>(subjects.length(result.hits.rows.subject[i]));
    const double l = p.alpha * y + p.beta;
    const double v =
        std::max(2 * p.alpha_v / p.lambda, p.alpha_v * y + gap * (p.alpha_v_ungapped - p.alpha_v));
    const double c = std::max(2 * p.sigma / p.lambda, p.sigma * y + gap * (p.alpha_v_ungapped - p.sigma));
    const auto share = [&](double length) {
      const double f = (length - l) / std::sqrt(v);
      return (length - l) * cumulative(f) + std::sqrt(v) * phi(f);
    };
    const double area =
        share(m) * share(n) + c * cumulative((m - l) / std::sqrt(v)) * cumulative((n - l) / std::sqrt(v));
    const double expected =
        p.K * area * std::exp(-p.lambda * y) * static_cast<double>(subjects.total_residues()) / n;
    EXPECT_NEAR(result.hits.rows.evalue[i], expected, 1e-6 * expected);
    EXPECT_NEAR(result.hits.rows.bits[i], (p.lambda * y - std::log(p.K)) / std::log(2.0), 1e-9);
  }
}

// ---- Caches ----

// A result that has the seconds of the first one comes from the cache, because a new simulation takes another
// time.
TEST(ApiCalibrationCache, InMemoryASessionSimulatesOnce) {
  Session session(with_cache(CalibrationCache::Place::memory));
  const Calibration first = session.calibrate(unpublished(), rough());
  EXPECT_EQ(session.calibrate(unpublished(), rough()), first);
  CalibrationOptions anew = rough();
  anew.anew = true;
  Calibration again = session.calibrate(unpublished(), anew);
  EXPECT_NE(again.seconds, first.seconds) << "neither look into the cache";
  EXPECT_EQ(session.calibrate(unpublished(), rough()), first) << "nor keep the result there";
  again.seconds = first.seconds;
  EXPECT_EQ(again, first);
}

TEST(ApiCalibrationCache, MemoryIsThatOfOneSession) {
  Session first(with_cache(CalibrationCache::Place::memory)),
      second(with_cache(CalibrationCache::Place::memory));
  const Calibration of_first = first.calibrate(unpublished(), rough());
  EXPECT_NE(second.calibrate(unpublished(), rough()).seconds, of_first.seconds);
}

TEST(ApiCalibrationCache, ADirectoryIsReadByTheNextSession) {
  const TempDir directory;
  const std::string folder = directory.file("made/if/it/is/not/there");
  Calibration first;
  {
    Session session(with_cache(CalibrationCache::Place::directory, folder));
    first = session.calibrate(unpublished(), rough());
  }
  ASSERT_TRUE(std::filesystem::exists(folder));
  Session session(with_cache(CalibrationCache::Place::directory, folder));
  EXPECT_EQ(session.calibrate(unpublished(), rough()), first);
}

// The cache holds a rough calibration under the precision and length of searches, so that a search finds it.
TEST(ApiCalibrationCache, ASearchThatFindsItsCalibrationDoesNotSayThatItCalibrates) {
  const TempDir directory;
  std::vector<std::string> messages;
  SessionOptions cached = with_cache(CalibrationCache::Place::directory, directory.file(""));
  cached.on_message = [&](const Message& message) { messages.push_back(message.text()); };
  Session session(cached);
  const Scoring scoring = unpublished();
  Calibration kept = session.calibrate(scoring, rough());
  const CalibrationOptions of_searches;
  kept.precision = of_searches.precision;
  kept.length = of_searches.length;
  io::CalibrationCache(directory.file(""), scoring, default_background(AlphabetKind::protein),
                       of_searches.length, [](const std::string& text) { ADD_FAILURE() << text; })
      .store(kept);
  const SequenceSet set = random_set({.count = 5});
  const SearchResult result = session.search(set, set, scoring, {});
  EXPECT_THAT(result.summary.statistics, HasSubstr("(calibrated)"));
  session.cost_of_search(set, set, scoring, {});
  EXPECT_THAT(messages, IsEmpty());
}

TEST(ApiCalibrationCache, AFileThatCannotBeReadIsComputedAnewWithAWarning) {
  const TempDir directory;
  Calibration first;
  {
    Session session(with_cache(CalibrationCache::Place::directory, directory.path().string()));
    first = session.calibrate(unpublished(), rough());
  }
  std::string name;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    name = entry.path().filename().string();
    std::filesystem::resize_file(entry.path(), 20);
  }
  Session session(with_cache(CalibrationCache::Place::directory, directory.path().string()));
  std::vector<std::string> messages;
  RunControl run;
  run.on_message = [&](const Message& message) { messages.push_back(message.text()); };
  Calibration again = session.calibrate(unpublished(), rough(), run);
  EXPECT_THAT(messages, ::testing::Contains(HasSubstr(name)));
  again.seconds = first.seconds;
  EXPECT_EQ(again, first);
}

TEST(ApiCalibrationCache, OneLessPreciseThanAskedForIsComputedAnew) {
  Session session(with_cache(CalibrationCache::Place::memory));
  const Calibration coarse = session.calibrate(unpublished(), rough());
  CalibrationOptions options = rough();
  options.precision = 0.02;
  const Calibration fine = session.calibrate(unpublished(), options);
  EXPECT_EQ(fine.precision, 0.02);
  EXPECT_GT(fine.pairs, coarse.pairs);
  EXPECT_EQ(session.calibrate(unpublished(), rough()), fine) << "what is more precise than asked for will do";
}

TEST(ApiCalibrationCache, ResultsOfAnotherLengthAreKeptApart) {
  const TempDir directory;
  CalibrationOptions longer = rough();
  longer.length = 2 * kShort;
  for (const auto place : {CalibrationCache::Place::memory, CalibrationCache::Place::directory}) {
    Session session(with_cache(place, directory.path().string()));
    const Calibration first = session.calibrate(unpublished(), rough());
    const Calibration second = session.calibrate(unpublished(), longer);
    EXPECT_NE(first.lambda.value, second.lambda.value);
    EXPECT_EQ(session.calibrate(unpublished(), rough()), first);
    EXPECT_EQ(session.calibrate(unpublished(), longer), second);
  }
}

TEST(ApiCalibration, LengthsOutOfRangeAreErrors) {
  Session session(session_options());
  for (const std::uint32_t length : {0u, 99u, 100'001u, 4'000'000'000u}) {
    CalibrationOptions options = rough();
    options.length = length;
    EXPECT_THAT(input_error([&] { session.calibrate(unpublished(), options); }),
                HasSubstr("length is " + std::to_string(length) + "; it must be from 100 to 100000"));
  }
}

TEST(ApiCalibrationCache, NoneKeepsNothing) {
  Session session(with_cache(CalibrationCache::Place::none));
  const Calibration first = session.calibrate(unpublished(), rough());
  EXPECT_NE(session.calibrate(unpublished(), rough()).seconds, first.seconds);
}

TEST(ApiCalibrationCache, TakesTheCalibrationOfAnotherProcess) {
  Session computing(session_options()), taking(session_options());
  const Calibration found = computing.calibrate(unpublished(), rough());
  taking.add_calibration(unpublished(), Calibration::from_json(found.to_json()));
  EXPECT_EQ(taking.calibrate(unpublished(), rough()), found);
}

TEST(ApiCalibrationCache, OneOfAnotherScoringIsRefused) {
  Session session(session_options());
  const Calibration found = session.calibrate(unpublished(), rough());
  EXPECT_NE(input_error([&] { session.add_calibration(protein("BLOSUM62", "16", "3"), found); }), "");
  EXPECT_NE(input_error([&] { session.add_calibration(protein("BLOSUM50", "15", "3"), found); }), "");
}

// ---- Backgrounds ----

TEST(ApiBackground, FrequenciesSumToOne) {
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const Background background = default_background(kind);
    EXPECT_NEAR(std::accumulate(background.begin(), background.end(), 0.0), 1, 1e-12);
  }
  EXPECT_NEAR(default_background(AlphabetKind::protein)[0], 0.07805, 1e-9);
  const Background parsed =
      parse_background("# a comment\nresidue frequency\nA 1\nG 3\n", "test", AlphabetKind::dna);
  EXPECT_EQ(parsed, (Background{0.25, 0, 0.75, 0}))
      << "in any unit; a letter that is not named does not occur";
}

TEST(ApiBackground, MistakesNameOriginAndLine) {
  EXPECT_THAT(input_error([] { parse_background("A 1\nC x\n", "gc.tsv", AlphabetKind::dna); }),
              ::testing::AllOf(HasSubstr("gc.tsv"), HasSubstr("line 2")));
  const TempDir directory;
  EXPECT_THAT(input_error([&] { read_background(directory.file("none.tsv"), AlphabetKind::dna); }),
              HasSubstr("none.tsv"));
  EXPECT_EQ(read_background(directory.write_file("a.tsv", "A 1\nC 1\nG 1\nT 1\n"), AlphabetKind::dna),
            default_background(AlphabetKind::dna));
}

// ---- The user's home directory ----

TEST(ApiHome, NothingIsWrittenThere) {
  const TempDir home;
  const Jobs jobs(10);
  const ChildResult result = in_child([&] {
    ::setenv("HOME", home.path().c_str(), 1);
    ::setenv("XDG_CACHE_HOME", home.file("cache").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", home.file("config").c_str(), 1);
    if (::chdir(home.path().c_str()) != 0) return std::string("no home");
    Session session({.devices = devices_of_tests()});
    for (const Job& job : jobs.all()) job.run(session, {}, {});
    session.calibrate(unpublished(), rough());
    return std::string("done");
  });
  EXPECT_EQ(result.text, "done") << "signal " << result.signal;
  EXPECT_TRUE(std::filesystem::is_empty(home.path()));
}

}  // namespace
}  // namespace alnus::test
