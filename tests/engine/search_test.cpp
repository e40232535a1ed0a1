#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/output.h"
#include "engine/all_scores.h"
#include "engine/search_driver.h"
#include "stats/regression.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevices;
using test::FoundRow;
using test::published_statistics;
using test::random_sequences;
using test::reference_row;
using test::sorted;

Scoring scoring(const std::string& mode = "local") {
  ScoringOptions options;
  options.mode = mode;
  return make_scoring(options);
}

struct Found {
  std::vector<FoundRow> rows;
  std::vector<SequenceSet::Index> emitted;
  SearchSummary summary;
  std::vector<QueryStatistics> query_statistics;
  std::vector<std::string> warnings;
};

Found search_with(const FakeDevices& devices, const SequenceSet& queries, const SequenceSet& database,
                  const Scoring& scoring, const SearchOptions& options) {
  EngineCall call(devices.pointers);
  test::FoundHits hits;
  const SearchSummary summary = search(queries, sorted(database), scoring, options, call,
                                       [&](SearchBatch& batch) { hits.take(batch); });
  EXPECT_EQ(call.progress().cells_done, call.progress().cells_total);
  EXPECT_EQ(call.progress().pairs_done, call.progress().pairs_total);
  return {hits.rows, hits.queries, summary, hits.query_statistics, call.warnings()};
}

// Returns the rows by their definition: those of all pairs, sorted and cut off at the limit.
std::vector<FoundRow> expected_rows(const SequenceSet& queries, const SequenceSet& database,
                                    const Scoring& scoring, const SearchOptions& options,
                                    std::int32_t lowest) {
  std::vector<FoundRow> all;
  for (SequenceSet::Index query = 0; query < queries.size(); ++query) {
    std::vector<FoundRow> rows;
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject) {
      const FoundRow row = reference_row(queries, database, {query, subject}, scoring, options.asked.detail);
      if (row.alignment.score >= lowest) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const FoundRow& a, const FoundRow& b) {
      return a.alignment.score > b.alignment.score;
    });
    if (rows.size() > options.asked.max_target_seqs) rows.resize(options.asked.max_target_seqs);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

std::vector<FoundRow> without_statistics(std::vector<FoundRow> rows) {
  for (FoundRow& row : rows) row.bits = row.evalue = std::nullopt;
  return rows;
}

TEST(Search, FindsWhatTheReferenceFindsInEveryModeAndDetail) {
  const SequenceSet queries = random_sequences(1, 9, 40), database = random_sequences(2, 120, 60);
  const FakeDevices devices({{.concurrency = 2, .dawdle = true}});
  for (const std::string mode : {"local", "global", "semiglobal"}) {
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      const SearchOptions options{.asked = {.detail = detail, .max_target_seqs = 12, .evalue = 1e9}};
      const Found found = search_with(devices, queries, database, scoring(mode), options);
      const std::int32_t lowest = mode == "local" ? 1 : INT32_MIN;
      EXPECT_EQ(without_statistics(found.rows),
                expected_rows(queries, database, scoring(mode), options, lowest));
      EXPECT_EQ(found.emitted, (std::vector<SequenceSet::Index>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
      EXPECT_EQ(found.summary.hits, found.rows.size());
      EXPECT_EQ(found.summary.pairs, 9u * 120);
      EXPECT_EQ(found.summary.left_out, 9u * 120 - found.rows.size());
      EXPECT_EQ(found.summary.cells, queries.total_residues() * database.total_residues());
    }
  }
}

TEST(Search, AnyDevicesGiveTheSame) {
  const SequenceSet queries = random_sequences(3, 12, 60), database = random_sequences(4, 300, 60);
  const SearchOptions options{.asked = {.max_target_seqs = 20, .evalue = 1e9},
                              .memory_bytes = 1};  // one query in each batch
  const FakeBehaviour slow{.concurrency = 1, .bytes_per_pair = 1 << 20, .dawdle = true};
  FakeBehaviour fast = slow;
  fast.concurrency = 3;
  const Found one = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_FALSE(one.rows.empty());
  for (const auto& several :
       std::vector<std::vector<FakeBehaviour>>{{slow, fast}, {slow, slow, fast, fast, slow}}) {
    const Found found = search_with(FakeDevices(several), queries, database, scoring(), options);
    EXPECT_EQ(found.rows, one.rows);
    EXPECT_EQ(found.summary.cut_ties, one.summary.cut_ties);
  }
}

TEST(Search, StatisticsFilterAndFill) {
  const SequenceSet queries = random_sequences(5, 4, 80), database = random_sequences(6, 200, 80);
  const auto parameters = stats::published_parameters(scoring());
  ASSERT_TRUE(parameters);
  SearchOptions options{.asked = {.evalue = 1}};
  options.statistics = published_statistics(scoring(), database);
  EXPECT_EQ(options.statistics.method, StatisticsMethod::spouge);
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  std::vector<FoundRow> expected;
  for (const FoundRow& row :
       expected_rows(queries, database, scoring(), {.asked = {.max_target_seqs = 1000}}, 1)) {
    const auto statistics = stats::spouge_judge(*parameters, scoring(), queries.length(row.query),
                                                stats::search_space_of(database));
    const Significance significance = statistics->of(row.alignment.score, database.length(row.subject));
    if (significance.evalue > 1) continue;
    expected.push_back(row);
    expected.back().bits = significance.bits;
    expected.back().evalue = significance.evalue;
  }
  ASSERT_FALSE(expected.empty());
  std::ranges::stable_sort(expected, {},
                           [](const FoundRow& row) { return std::pair(row.query, *row.evalue); });
  EXPECT_EQ(found.rows, expected);
}

// Returns queries long enough for a regression.
SequenceSet long_queries() {
  const SequenceSet any = random_sequences(7, 20, 60);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (SequenceSet::Index i = 0; i < any.size() && builder.size() < 3; ++i)
    if (any.length(i) > 20) builder.add(any[i].header, any.residues(i));
  return builder.finish();
}

TEST(Search, RegressionTakesTheScoresOfTheSearch) {
  const SequenceSet queries = long_queries(), database = random_sequences(8, 900, 90);
  SearchOptions options{.asked = {.max_target_seqs = 10, .evalue = 1e9}};
  options.statistics = published_statistics(scoring(), database);
  options.statistics.method = StatisticsMethod::regression;
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(found.summary.fallbacks, 0u);
  const auto ungapped = stats::ungapped_parameters(scoring());
  ASSERT_FALSE(found.rows.empty());
  for (const FoundRow& row : found.rows) {
    std::vector<stats::ScoredLength> scores;
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject)
      scores.push_back(
          {static_cast<double>(align_reference(queries.residues(row.query), database.residues(subject),
                                               scoring(), Detail::score)
                                   .score),
           static_cast<std::uint32_t>(database.length(subject))});
    const auto fit = stats::fit_regression(scores, queries.length(row.query), *ungapped);
    ASSERT_TRUE(fit);
    const auto statistics =
        stats::regression_judge(*fit, scoring(), queries.length(row.query), stats::search_space_of(database));
    const double expected = *statistics->of(row.alignment.score, database.length(row.subject)).evalue;
    EXPECT_NEAR(row.evalue.value(), expected, 1e-9 * expected);
  }
  // The rows are the same in parts, for lack of memory, and on several devices.
  options.memory_bytes = 4 * AllScores::bytes_of_row(database.size());
  const Found in_parts = search_with(FakeDevices({{.concurrency = 2, .dawdle = true}, {}}), queries, database,
                                     scoring(), options);
  EXPECT_EQ(in_parts.rows, found.rows);
  EXPECT_EQ(in_parts.emitted, found.emitted);
}

TEST(Search, RegressionFallsBackByName) {
  const SequenceSet queries = random_sequences(7, 2, 60), database = random_sequences(8, 100, 90);
  SearchOptions options{.asked = {.max_target_seqs = 10, .evalue = 1e9}};
  options.statistics = published_statistics(scoring(), database);
  const Found spouge = search_with(FakeDevices(), queries, database, scoring(), options);
  options.statistics.method = StatisticsMethod::regression;
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(found.summary.fallbacks, 2u);
  EXPECT_EQ(found.rows, spouge.rows);
  options.statistics.parameters.reset();
  const Found none = search_with(FakeDevices(), queries, database, scoring(), options);
  options.statistics.method = StatisticsMethod::none;
  EXPECT_EQ(none.rows, search_with(FakeDevices(), queries, database, scoring(), options).rows);
}

TEST(Search, TheHistogramCountsEveryPair) {
  const SequenceSet queries = random_sequences(7, 3, 60), database = random_sequences(8, 700, 90);
  SearchOptions options{.asked = {.max_target_seqs = 5, .evalue = 1}};
  options.statistics = published_statistics(scoring(), database);
  const Found plain = search_with(FakeDevices(), queries, database, scoring(), options);
  options.asked.score_histogram = true;
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(found.rows, plain.rows);
  const ScoreHistogram& histogram = found.summary.histogram;
  EXPECT_EQ(histogram.stride, 1u);
  std::vector<std::uint64_t> counts(histogram.pairs.size());
  for (SequenceSet::Index query = 0; query < queries.size(); ++query)
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject)
      ++counts.at(
          align_reference(queries.residues(query), database.residues(subject), scoring(), Detail::score)
              .score);
  EXPECT_EQ(histogram.pairs, counts);
  ASSERT_EQ(histogram.expected.size(), counts.size());
  EXPECT_NEAR(std::accumulate(histogram.expected.begin(), histogram.expected.end(), 0.0), 3 * 700, 30);
  // Up to the highest score of each query, its subjects are expected to score by their P-values.
  std::vector<double> expected(counts.size());
  for (SequenceSet::Index query = 0; query < queries.size(); ++query) {
    const auto judge = stats::judge_of(queries.residues(query),
                                       options.statistics.model(StatisticsMethod::spouge), scoring());
    std::int32_t highest = 0;
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject)
      highest = std::max(highest, align_reference(queries.residues(query), database.residues(subject),
                                                  scoring(), Detail::score)
                                      .score);
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject) {
      const std::size_t length = database.length(subject);
      for (std::int32_t score = 0; judge && length > 0 && score <= highest; ++score)
        expected[static_cast<std::size_t>(score)] +=
            (score == 0 ? 1 : judge->pvalue(score, length)) - judge->pvalue(score + 1, length);
    }
  }
  for (std::size_t score = 0; score < expected.size(); ++score)  // similar lengths are counted as equal
    EXPECT_NEAR(histogram.expected[score], expected[score], 0.05 * expected[score] + 1) << score;
}

TEST(Search, TheHistogramCountsScoresBelowNull) {
  const SequenceSet queries = random_sequences(7, 3, 30), database = random_sequences(8, 90, 40);
  const Found found = search_with(FakeDevices(), queries, database, scoring("global"),
                                  {.asked = {.detail = Detail::score, .score_histogram = true}});
  std::map<std::int32_t, std::uint64_t> expected, counted;
  for (SequenceSet::Index query = 0; query < queries.size(); ++query)
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject)
      ++expected[align_reference(queries.residues(query), database.residues(subject), scoring("global"),
                                 Detail::score)
                     .score];
  const ScoreHistogram& histogram = found.summary.histogram;
  for (std::size_t k = 0; k < histogram.pairs.size(); ++k)
    if (histogram.pairs[k] > 0) counted[histogram.lowest + static_cast<std::int32_t>(k)] = histogram.pairs[k];
  EXPECT_EQ(counted, expected);
  EXPECT_EQ(histogram.lowest, expected.begin()->first);
  EXPECT_EQ(histogram.pairs.size(),
            static_cast<std::size_t>(expected.rbegin()->first - expected.begin()->first + 1));
  EXPECT_TRUE(histogram.expected.empty());
}

// Regressions and histograms take the scores with every first, second or third subject of the file, and at
// most 60,000 of a query; hits may be any subjects.
TEST(Search, ScoresOfManySubjectsAreSampledEvenly) {
  const SortedSequences rows(random_sequences(1, 2, 5));
  for (const std::uint32_t count : {1u, 60'000u, 60'001u, 120'000u, 120'001u}) {
    SequenceSetBuilder builder(AlphabetKind::protein);
    const std::vector<Residue> residues(3);
    for (std::uint32_t k = 0; k < count; ++k) builder.add("", std::span(residues).first(1 + k % 3));
    const SortedSequences columns(builder.finish());
    const auto score_of = [](std::uint32_t row, Position column) {
      return static_cast<std::int32_t>((column.value() * 7 + row) % 1000);
    };
    TopHits top(columns, LowestScores({0, 0}), 5);
    AllScores all(rows, columns, top);
    EXPECT_EQ(all.stride(), (count + 59'999) / 60'000);
    Tile tile;
    tile.rows = &rows;
    tile.columns = &columns;
    tile.row_range = {Position(0), Position(1)};
    tile.column_range = columns.all();
    std::vector<std::int32_t> scores;
    std::vector<PairResult> results;
    for (Position column = columns.begin(); column < columns.end(); ++column) {
      scores.push_back(score_of(0, column));
      PairResult& result = results.emplace_back();
      result.row = Position(1);
      result.column = column;
      result.score = score_of(1, column);
    }
    all.accept_scores(tile, {tile.column_range, scores.data()});
    all.accept(tile, results);
    for (const std::uint32_t row : {0u, 1u}) {
      const std::vector<stats::ScoredLength> sampled = all.of_row(Position(row), 0.5);
      EXPECT_LE(sampled.size() * sizeof(std::int32_t), AllScores::bytes_of_row(count));
      std::size_t next = 0;
      std::vector<std::int32_t> highest;
      for (Position column = columns.begin(); column < columns.end(); ++column) {
        highest.push_back(score_of(row, column));
        if (columns.index(column) % all.stride() != 0) continue;
        ASSERT_LT(next, sampled.size());
        ASSERT_EQ(sampled[next].score, 0.5 * score_of(row, column));
        ASSERT_EQ(sampled[next++].length, columns.length(column));
      }
      EXPECT_EQ(next, sampled.size());
      std::ranges::sort(highest, std::greater());
      highest.resize(std::min<std::size_t>(highest.size(), 5));
      std::vector<std::int32_t> found;
      for (const TopHit& hit : top.choose(Position(row), top.candidates(Position(row))))
        found.push_back(hit.score);
      EXPECT_EQ(found, highest);
    }
  }
}

TEST(Search, TheLowestScoreFilters) {
  const SequenceSet queries = random_sequences(7, 5, 60), database = random_sequences(8, 100, 60);
  const SearchOptions options{.asked = {.detail = Detail::ends, .evalue = 1e9}, .min_score = 25};
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(without_statistics(found.rows), expected_rows(queries, database, scoring(), options, 25));
}

TEST(Search, EqualScoresAreCutInDatabaseOrderAndCounted) {
  SequenceSetBuilder queries(AlphabetKind::protein), database(AlphabetKind::protein);
  queries.add_text("q", "MKWVTFISLL");
  for (int i = 0; i < 200; ++i) database.add_text("s", "MKWVTFISLL");
  const SearchOptions options{.asked = {.max_target_seqs = 7, .evalue = 1e9}};
  const Found found =
      search_with(FakeDevices({{.concurrency = 3, .bytes_per_pair = 1 << 26, .dawdle = true}}),
                  queries.finish(), database.finish(), scoring(), options);
  ASSERT_EQ(found.rows.size(), 7u);
  for (SequenceSet::Index i = 0; i < 7; ++i) EXPECT_EQ(found.rows[i].subject, i);
  EXPECT_EQ(found.summary.cut_ties, 1u);
}

TEST(Search, EmptySetsAndEmptySequences) {
  const SequenceSet some = random_sequences(9, 3, 20), none;
  SequenceSetBuilder builder(AlphabetKind::protein);
  builder.add_text("empty", "");
  const SequenceSet empty = builder.finish();
  const FakeDevices devices;
  EXPECT_TRUE(search_with(devices, none, some, scoring(), {}).emitted.empty());
  for (const SequenceSet& database : {none, empty}) {
    const Found found = search_with(devices, some, database, scoring(), {});
    EXPECT_EQ(found.emitted.size(), 3u);
    EXPECT_TRUE(found.rows.empty());
  }
  const Found found = search_with(devices, empty, some, scoring(), {.asked = {.evalue = 1e9}});
  EXPECT_EQ(found.emitted.size(), 1u);
  EXPECT_TRUE(found.rows.empty());
  EXPECT_EQ(search_with(devices, empty, some, scoring("global"), {}).rows.size(), 3u);
}

TEST(Search, RefusesToKeepNoHits) {
  const SequenceSet some = random_sequences(9, 3, 20);
  EXPECT_THROW(search_with(FakeDevices(), some, some, scoring(), {.asked = {.max_target_seqs = 0}}), Error);
}

TEST(Search, ADeviceThatFailsIsRetiredAndTheOthersFinish) {
  const SequenceSet queries = random_sequences(19, 12, 60), database = random_sequences(20, 300, 60);
  const SearchOptions options{.asked = {.max_target_seqs = 20, .evalue = 1e9}, .memory_bytes = 1};
  FakeBehaviour sound{.bytes_per_pair = 1 << 25, .dawdle = true}, broken = sound;
  broken.concurrency = 2;
  broken.fail_from = 0;
  test::let_fail_first(broken, sound);
  const FakeDevices devices({broken, sound});
  EngineCall call(devices.pointers);
  test::FoundHits hits;
  search(queries, sorted(database), scoring(), options, call, [&](SearchBatch& batch) { hits.take(batch); });
  EXPECT_EQ(hits.rows, search_with(FakeDevices(), queries, database, scoring(), options).rows);
  // The device is retired once, although there is a scheduler for each query.
  EXPECT_EQ(call.retired(), std::vector<const Device*>{devices.pointers[0]});
  // Another warning is of a query that needs more than the memory, so only those of failures are counted.
  const std::vector<std::string> warnings = call.warnings();
  EXPECT_EQ(std::ranges::count_if(warnings,
                                  [](const std::string& text) { return text.find("failed") != text.npos; }),
            1);
}

// Adds a number to the scores of results.
class AddToScores : public Sink {
 public:
  AddToScores(Sink& sink, std::int32_t more) : sink_(sink), more_(more) {}
  void accept(const Tile& tile, std::span<const PairResult> results) override {
    std::vector<PairResult> changed(results.begin(), results.end());
    for (PairResult& result : changed) result.score += more_;
    sink_.accept(tile, changed);
  }
  const StopFlag& stop_flag() const override { return sink_.stop_flag(); }

 private:
  Sink& sink_;
  const std::int32_t more_;
};

// A device whose scores of lists of pairs are wrong by a number.
class WrongInLists : public test::FakeDevice {
 public:
  explicit WrongInLists(std::int32_t by) : FakeDevice("wrong", {}), by_(by) {}
  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    if (tile.shape != TileShape::list) return FakeDevice::run(tile, problem, sink);
    AddToScores changed(sink, by_);
    FakeDevice::run(tile, problem, changed);
  }

 private:
  const std::int32_t by_;
};

TEST(Search, ADeviceThatScoresAPairInTwoWaysIsAnError) {
  const SequenceSet queries = random_sequences(21, 3, 40), database = random_sequences(22, 40, 40);
  for (const std::int32_t by : {0, 100, -100}) {  // bounds are narrower than 100
    WrongInLists device(by);
    Device* const pointer = &device;
    EngineCall call({&pointer, 1});
    const auto run = [&] {
      search(queries, sorted(database), scoring(), {.asked = {.detail = Detail::ends}}, call,
             [](SearchBatch&) {});
    };
    if (by == 0) {
      EXPECT_NO_THROW(run());
      continue;
    }
    try {
      run();
      ADD_FAILURE() << by;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::other);
      EXPECT_THAT(error.what(), testing::HasSubstr("Internal error"));
    }
  }
}

TEST(Search, WhatEmitThrowsEndsIt) {
  const SequenceSet some = random_sequences(10, 30, 40);
  const FakeDevices devices(std::vector<FakeBehaviour>{{.concurrency = 2}});
  EngineCall call(devices.pointers);
  int emitted = 0;
  EXPECT_THROW(search(some, sorted(some), scoring(), {.asked = {.evalue = 1e9}, .memory_bytes = 1}, call,
                      [&](SearchBatch&) {
                        if (++emitted == 3) throw ClosedPipe{};
                      }),
               ClosedPipe);
  EXPECT_EQ(emitted, 3);
}

}  // namespace
}  // namespace alnus::engine
