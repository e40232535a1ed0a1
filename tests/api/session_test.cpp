// The options, devices and counters of a session, and the costs that it expects calls to have.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

#include "alnus/alnus.h"
#include "api/support/calls.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/table.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

bool has_gpu() {
  for (const Backend& backend : backends())
    if (backend.name == "cuda") return backend.available;
  return false;
}

Backend cpu() {
  for (const Backend& backend : backends())
    if (backend.name == "cpu") return backend;
  return {};
}

TEST(ApiSession, WordsThatAreNothingAreErrorsThatNameTheOption) {
  const auto error = [](auto&& change) {
    SessionOptions options;
    options.devices = "cpu";
    change(options);
    return input_error([&] { Session session(options); });
  };
  EXPECT_THAT(error([](SessionOptions& o) { o.devices = "cpx"; }), HasSubstr("cpx"));
  EXPECT_THAT(error([](SessionOptions& o) { o.devices = ""; }), Not(HasSubstr("nothing was thrown")));
  EXPECT_THAT(error([](SessionOptions& o) { o.isa = "avx1024"; }), HasSubstr("avx1024"));
  EXPECT_THAT(error([](SessionOptions& o) { o.method = "magic"; }), HasSubstr("magic"));
  EXPECT_THAT(error([](SessionOptions& o) { o.threads = -1; }), HasSubstr("threads"));
}

TEST(ApiSession, AWordNearlyRightIsAnErrorThatNamesTheNearest) {
  SessionOptions options;
  options.devices = "cpu";
  options.isa = "portabel";
  EXPECT_THAT(input_error([&] { Session session(options); }), HasSubstr("portable"));
}

TEST(ApiSession, DevicesThatThisMachineDoesNotHaveAreErrors) {
  SessionOptions options;
  options.devices = has_gpu() ? "cuda:99" : "cuda";
  EXPECT_NE(error_of(ErrorKind::device, [&] { Session session(options); }), "");
}

TEST(ApiSession, AutoWorksWithAndWithoutAGpu) {
  Session session;
  EXPECT_EQ(session.options().devices, "auto");
  EXPECT_FALSE(session.devices().empty());
  expect_works(session);
}

TEST(ApiSession, TheCpuWorksWithoutAGpu) {
  SessionOptions options;
  options.devices = "cpu";
  options.threads = 3;
  Session session(options);
  const std::vector<DeviceDescription> devices = session.devices();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].name, "cpu");
  EXPECT_THAT(devices[0].description, HasSubstr("3 threads"));
  EXPECT_GT(devices[0].gcups, 0);
  EXPECT_GT(devices[0].memory_bytes, 0u);
  EXPECT_GE(devices[0].concurrency, 1);
  expect_works(session);
}

TEST(ApiSession, EveryInstructionSetAndMethodThatIsListedWorks) {
  const Backend backend = cpu();
  EXPECT_TRUE(backend.available);
  EXPECT_EQ(backend.unavailable_because, "");
  EXPECT_THAT(backend.isas, Contains("portable"));
  for (const std::string& isa : backend.isas) {
    SessionOptions options;
    options.devices = "cpu";
    options.isa = isa;
    options.threads = 1;
    Session session(options);
    EXPECT_THAT(session.devices().at(0).description, HasSubstr(isa));
    expect_works(session);
  }
  for (const std::string& method : backend.methods) {
    SessionOptions options;
    options.devices = "cpu";
    options.method = method;
    options.threads = 1;
    Session session(options);
    // A method may support some modes only, and then throws Error(device).
    const Thrown thrown = thrown_by([&] { session.align("MKVW", "MKVW", default_scoring()); });
    EXPECT_TRUE(!thrown.error || thrown.kind == ErrorKind::device) << method << ": " << thrown.text;
  }
}

TEST(ApiSession, KeepsItsOptions) {
  SessionOptions options = session_options(3, 123 << 20);
  options.calibration_cache.place = CalibrationCache::Place::none;
  const Session session(options);
  EXPECT_EQ(session.options().threads, 3);
  EXPECT_EQ(session.options().memory_bytes, 123u << 20);
  EXPECT_EQ(session.options().devices, options.devices);
  EXPECT_EQ(session.options().calibration_cache.place, CalibrationCache::Place::none);
  EXPECT_EQ(SessionOptions().memory_bytes, 8ULL << 30);
}

TEST(ApiSession, Moves) {
  std::optional<Session> first(session_options());
  const Database database(relatives_set(1, 5, 50));
  const SearchRows expected(first->search(database, database, default_scoring()).hits);
  Session second(std::move(*first));
  first.reset();
  EXPECT_EQ(second.counters().calls, 1u);
  EXPECT_TRUE(same(SearchRows(second.search(database, database, default_scoring()).hits), expected));
  Session third(session_options(1));
  third.search(database, database, default_scoring());
  third = std::move(second);
  EXPECT_EQ(third.counters().calls, 2u);
  EXPECT_TRUE(same(SearchRows(third.search(database, database, default_scoring()).hits), expected));
  expect_works(third);
}

TEST(ApiSession, CountersCount) {
  Session session(session_options());
  const SessionCounters fresh = session.counters();
  EXPECT_EQ(fresh.calls + fresh.uploads + fresh.uploaded_bytes + fresh.resident_bytes + fresh.reserved_bytes +
                fresh.peak_reserved_bytes + fresh.devices_retired,
            0u);
  const Database database(relatives_set(1, 30, 100));
  const std::vector<IndexPair> pairs = every_pair(database.sequences(), database.sequences());
  session.search(database, database, default_scoring());
  EXPECT_EQ(session.counters().calls, 1u);
  session.align(database, database, pairs, default_scoring());
  EXPECT_EQ(session.counters().calls, 2u);
  EXPECT_NE(
      input_error([&] { session.search(database, database, default_scoring(), {.max_target_seqs = 0}); }),
      "");
  EXPECT_EQ(session.counters().calls, 3u) << "calls that began";
  const SessionCounters counters = session.counters();
  EXPECT_GT(counters.peak_reserved_bytes, 0u);
  EXPECT_EQ(counters.reserved_bytes, 0u);
  EXPECT_EQ(counters.devices_retired, 0u);
  if (session.options().devices != "cpu") return;
  EXPECT_EQ(counters.uploads, 0u);
  EXPECT_EQ(counters.uploaded_bytes, 0u);
  EXPECT_EQ(counters.resident_bytes, 0u);
}

TEST(ApiSession, ReleaseDropsWhatDevicesHoldAndTheDatabaseCanBeUsedAgain) {
  Session session(session_options());
  const Database database(relatives_set(1, 30, 100));
  const SearchRows expected(session.search(database, database, default_scoring()).hits);
  session.release(database);
  EXPECT_EQ(session.counters().resident_bytes, 0u);
  EXPECT_TRUE(same(SearchRows(session.search(database, database, default_scoring()).hits), expected));
  session.release(Database(relatives_set(2, 3, 30)));  // no device holds this database
}

TEST(ApiSession, PrepareGivesDevicesTheDatabase) {
  Session session(session_options());
  const Database database(relatives_set(1, 30, 100));
  session.prepare(database);
  const std::uint64_t uploads = session.counters().uploads;
  session.search(database.part(0, 1), database, default_scoring());
  session.search(database.part(0, 1), database, default_scoring());
  EXPECT_LE(session.counters().uploads, uploads + 2) << "no more than the two queries";
}

TEST(ApiSession, ABudgetOfAnySizeWorks) {
  for (const std::uint64_t memory :
       {std::uint64_t{1} << 20, std::uint64_t{16} << 20, std::uint64_t{1} << 40}) {
    Session session(session_options(2, memory));
    expect_works(session);
    EXPECT_LE(session.counters().peak_reserved_bytes, memory);
  }
}

TEST(ApiVersion, IsThatOfTheRunningLibrary) {
  EXPECT_THAT(std::string(version()), MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(ApiBackends, SayWhatTheyHaveOrWhyNot) {
  const std::vector<Backend> all = backends();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().name, "cpu");
  for (const Backend& backend : all) {
    EXPECT_EQ(backend.available, backend.unavailable_because.empty()) << backend.name;
    EXPECT_EQ(backend.available, !backend.devices.empty()) << backend.name;
    for (const PaperMethod& paper : backend.papers)
      EXPECT_THAT(backend.methods, Contains(std::string(paper.name)));
  }
}

TEST(ApiStatistics, MethodsHaveTheNamesOfTheProgram) {
  EXPECT_EQ(to_string(StatisticsMethod::spouge), "spouge");
  EXPECT_EQ(to_string(StatisticsMethod::karlin), "karlin");
  EXPECT_EQ(to_string(StatisticsMethod::regression), "regression");
  EXPECT_EQ(to_string(StatisticsMethod::zvalue), "zvalue");
  EXPECT_EQ(to_string(StatisticsMethod::none), "none");
}

// ---- Costs ----

class ApiCosts : public testing::Test {
 protected:
  const SequenceSet queries_ = relatives_set(1, 7, 80), subjects_ = relatives_set(2, 30, 90);
  Session session_{session_options()};
  const Scoring scoring_ = default_scoring();
};

TEST_F(ApiCosts, OfASearch) {
  const Cost cost = session_.cost_of_search(queries_, subjects_, scoring_, {.max_target_seqs = 12});
  EXPECT_EQ(cost.queries, 7u);
  EXPECT_EQ(cost.subjects, 30u);
  EXPECT_EQ(cost.pairs, 210u);
  EXPECT_EQ(cost.cells, queries_.total_residues() * subjects_.total_residues());
  EXPECT_EQ(cost.rows, 7u * 12);
  EXPECT_EQ(cost.matrix_bytes, 0u);
  EXPECT_GT(cost.seconds, 0);
  EXPECT_LT(cost.seconds, 10);
  EXPECT_FALSE(cost.devices.empty());
  EXPECT_EQ(session_.cost_of_search(queries_, subjects_, scoring_, {.max_target_seqs = 500}).rows, 210u);
}

TEST_F(ApiCosts, AlignmentsForFiltersOfASearchAreNotCounted) {
  const Cost usual = session_.cost_of_search(queries_, subjects_, scoring_, {});
  EXPECT_FALSE(usual.any_alignments || usual.any_rows);
  const SearchOptions filtered{.max_hsps = kAllHsps, .filter = {.min_length = 9}};
  const Cost cost = session_.cost_of_search(queries_, subjects_, scoring_, filtered);
  EXPECT_TRUE(cost.any_alignments && cost.any_rows);
  EXPECT_EQ(cost.cells, usual.cells);
  const AlignOptions options{.filter = {.min_length = 9}};
  EXPECT_FALSE(session_.cost_of_align(queries_, subjects_, {}, true, scoring_, options).any_alignments)
      << "every pair is aligned anyway";
}

// A search computes identity ranges of hits alone: here of half of the pairs.
TEST_F(ApiCosts, IdentityRangesCostAsMuchAsTheyHavePairs) {
  const auto seconds = [&](std::uint32_t hits, std::vector<Denominator> ranges) {
    const SearchOptions options{.max_target_seqs = hits, .identity_ranges = std::move(ranges)};
    return session_.cost_of_search(queries_, subjects_, scoring_, options).seconds;
  };
  const double none = seconds(30, {}), all = seconds(30, {Denominator::shorter}) - none;
  EXPECT_GT(all, 0);
  EXPECT_NEAR(seconds(15, {Denominator::shorter}) - none, all / 2, all / 100);
  EXPECT_NEAR(seconds(15, {Denominator::shorter, Denominator::mean}) - none, all, all / 100);
}

TEST_F(ApiCosts, OfGivenPairsAndOfAll) {
  const std::vector<IndexPair> pairs = {{0, 1}, {3, 2}, {0, 1}};
  const Cost some = session_.cost_of_align(queries_, subjects_, pairs, false, scoring_, {});
  std::uint64_t cells = 0;
  for (const auto& [query, subject] : pairs) cells += queries_.length(query) * subjects_.length(subject);
  EXPECT_EQ(some.pairs, 3u);
  EXPECT_EQ(some.cells, cells);
  EXPECT_EQ(some.rows, 3u);
  const Cost all = session_.cost_of_align(queries_, subjects_, {}, true, scoring_, {});
  EXPECT_EQ(all.pairs, 210u);
  EXPECT_EQ(all.cells, queries_.total_residues() * subjects_.total_residues());
  EXPECT_EQ(all.rows, 210u);
  AlignOptions shuffled{.significance = true};
  shuffled.statistics = {.method = StatisticsMethod::zvalue, .shuffles = ShuffleOptions{.shuffles = 10}};
  EXPECT_EQ(session_.cost_of_align(queries_, subjects_, pairs, false, scoring_, shuffled).cells, 21 * cells);
}

TEST_F(ApiCosts, OfAllPairsWithTheirFiles) {
  const TempDir directory;
  AllPairsOptions options;
  options.self = true;
  options.value = MatrixValue{.kind = PairValue::distance};
  PairFiles files;
  files.matrix = directory.file("matrix.npy");
  const PairInputs inputs{.set = subjects_};
  const Cost cost = session_.cost_of_all_pairs(inputs, scoring_, options, files);
  EXPECT_EQ(cost.queries, 30u);
  EXPECT_EQ(cost.subjects, 30u);
  EXPECT_EQ(cost.pairs, 30u * 31 / 2);
  EXPECT_EQ(cost.rows, 0u) << "with rows if `files` has them";
  const AllPairsSummary summary = session_.all_pairs(inputs, scoring_, options, files);
  EXPECT_EQ(cost.cells, summary.cells);
  const auto bytes = static_cast<double>(std::filesystem::file_size(files.matrix));
  EXPECT_NEAR(static_cast<double>(cost.matrix_bytes), bytes, 0.05 * bytes + 128);
  files.rows = directory.file("rows.tsv");
  EXPECT_EQ(session_.cost_of_all_pairs(inputs, scoring_, options, files).rows, 30u * 31 / 2);
}

TEST_F(ApiCosts, NothingIsComputedAndNothingIsWritten) {
  const TempDir directory;
  const PairFiles files{.rows = directory.file("rows.tsv"), .format = OutputFormat::parse("6")};
  session_.cost_of_all_pairs(PairInputs{.set = subjects_}, scoring_, {}, files);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace alnus::test
