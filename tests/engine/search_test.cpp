#include "engine/search.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "stats/regression.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;
using test::random_sequences;

struct Row {
  SequenceSet::Index query = 0, subject = 0;
  Alignment alignment;
  double bits = -1, evalue = -1;
  bool operator==(const Row&) const = default;
};

Scoring scoring(const std::string& mode = "local") {
  ScoringOptions options;
  options.mode = mode;
  return make_scoring(options);
}

struct Found {
  std::vector<Row> rows;
  std::vector<SequenceSet::Index> emitted;
  SearchSummary summary;
  std::vector<std::string> warnings;
};

Found search_with(const FakeDevices& devices, const SequenceSet& queries, const SequenceSet& database,
                  const Scoring& scoring, const SearchOptions& options) {
  Found found;
  Progress progress;
  progress.warn = [&](const std::string& warning) { found.warnings.push_back(warning); };
  found.summary = search(
      queries, database, scoring, options, devices.pointers, progress,
      [&](SequenceSet::Index query, std::span<const io::Hit> hits, const stats::QueryStatistics*) {
        found.emitted.push_back(query);
        for (const io::Hit& hit : hits) {
          EXPECT_EQ(hit.subject.header, database[hit.subject_index].header);
          found.rows.push_back({query, hit.subject_index, hit.alignment, hit.significance.bits.value_or(-1),
                                hit.significance.evalue.value_or(-1)});
        }
      });
  EXPECT_EQ(progress.cells_done, progress.cells_total);
  EXPECT_EQ(progress.pairs_done, progress.pairs_total);
  return found;
}

// By the definition: all pairs, sorted, cut.
std::vector<Row> expected_rows(const SequenceSet& queries, const SequenceSet& database,
                               const Scoring& scoring, const SearchOptions& options, std::int32_t lowest) {
  std::vector<Row> all;
  for (SequenceSet::Index query = 0; query < queries.size(); ++query) {
    std::vector<Row> rows;
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject) {
      Row row{query, subject,
              align_reference(queries.residues(query), database.residues(subject), scoring, options.detail)};
      if (row.alignment.score >= lowest) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.alignment.score > b.alignment.score; });
    if (rows.size() > options.max_target_seqs) rows.resize(options.max_target_seqs);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

std::vector<Row> without_statistics(std::vector<Row> rows) {
  for (Row& row : rows) row.bits = row.evalue = -1;
  return rows;
}

TEST(Search, FindsWhatTheReferenceFindsInEveryModeAndDetail) {
  const SequenceSet queries = random_sequences(1, 9, 40), database = random_sequences(2, 120, 60);
  const FakeDevices devices({{.concurrency = 2, .dawdle = true}});
  for (const std::string mode : {"local", "global", "semiglobal"}) {
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      const SearchOptions options{.detail = detail, .max_target_seqs = 12, .evalue = 1e9};
      const Found found = search_with(devices, queries, database, scoring(mode), options);
      const std::int32_t lowest = mode == "local" ? 1 : INT32_MIN;
      EXPECT_EQ(without_statistics(found.rows),
                expected_rows(queries, database, scoring(mode), options, lowest));
      EXPECT_EQ(found.emitted, (std::vector<SequenceSet::Index>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
      EXPECT_EQ(found.summary.hits, found.rows.size());
      EXPECT_EQ(found.summary.pairs, 9u * 120);
      EXPECT_EQ(found.summary.filtered, 9u * 120 - found.rows.size());
      EXPECT_EQ(found.summary.cells, queries.total_residues() * database.total_residues());
    }
  }
}

TEST(Search, AnyDevicesGiveTheSame) {
  const SequenceSet queries = random_sequences(3, 12, 60), database = random_sequences(4, 300, 60);
  const SearchOptions options{
      .max_target_seqs = 20, .evalue = 1e9, .memory_bytes = 1};  // a batch for each query
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
  SearchOptions options{.evalue = 1};
  options.statistics = default_statistics(scoring(), database);
  EXPECT_EQ(options.statistics.method, stats::Method::spouge);
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  std::vector<Row> expected;
  for (const Row& row : expected_rows(queries, database, scoring(), {.max_target_seqs = 1000}, 1)) {
    const auto statistics = stats::spouge_statistics(*parameters, scoring(), queries.length(row.query),
                                                     stats::search_space_of(database));
    const stats::Significance significance =
        statistics->of(row.alignment.score, database.length(row.subject));
    if (significance.evalue <= 1)
      expected.push_back({row.query, row.subject, row.alignment, *significance.bits, *significance.evalue});
  }
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(found.rows, expected);
}

// Of more residues than a regression takes at least.
SequenceSet long_queries() {
  const SequenceSet any = random_sequences(7, 20, 60);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (SequenceSet::Index i = 0; i < any.size() && builder.size() < 3; ++i)
    if (any.length(i) > 20) builder.add(any[i].header, any.residues(i));
  return builder.finish();
}

TEST(Search, RegressionTakesTheScoresOfTheSearch) {
  const SequenceSet queries = long_queries(), database = random_sequences(8, 900, 90);
  SearchOptions options{.max_target_seqs = 10, .evalue = 1e9};
  options.statistics = default_statistics(scoring(), database);
  options.statistics.method = stats::Method::regression;
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(found.summary.fallbacks, 0u);
  const auto ungapped = stats::ungapped_parameters(scoring());
  ASSERT_FALSE(found.rows.empty());
  for (const Row& row : found.rows) {
    std::vector<stats::ScoredLength> scores;
    for (SequenceSet::Index subject = 0; subject < database.size(); ++subject)
      scores.push_back(
          {static_cast<double>(align_reference(queries.residues(row.query), database.residues(subject),
                                               scoring(), Detail::score)
                                   .score),
           static_cast<std::uint32_t>(database.length(subject))});
    const auto fit = stats::fit_regression(scores, queries.length(row.query), *ungapped);
    ASSERT_TRUE(fit);
    const auto statistics = stats::regression_statistics(*fit, scoring(), queries.length(row.query),
                                                         stats::search_space_of(database));
    const double expected = *statistics->of(row.alignment.score, database.length(row.subject)).evalue;
    EXPECT_NEAR(row.evalue, expected, 1e-9 * expected);
  }
  // In parts, for want of memory, and on several devices.
  options.memory_bytes = 4 * AllScores::bytes_of_row(database.size());
  const Found in_parts = search_with(FakeDevices({{.concurrency = 2, .dawdle = true}, {}}), queries, database,
                                     scoring(), options);
  EXPECT_EQ(in_parts.rows, found.rows);
  EXPECT_EQ(in_parts.emitted, found.emitted);
}

TEST(Search, RegressionFallsBackByName) {
  const SequenceSet queries = random_sequences(7, 2, 60), database = random_sequences(8, 100, 90);
  SearchOptions options{.max_target_seqs = 10, .evalue = 1e9};
  options.statistics = default_statistics(scoring(), database);
  const Found spouge = search_with(FakeDevices(), queries, database, scoring(), options);
  options.statistics.method = stats::Method::regression;
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(found.summary.fallbacks, 2u);
  EXPECT_EQ(found.rows, spouge.rows);
  options.statistics.parameters.reset();
  const Found none = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(none.rows, without_statistics(spouge.rows));
}

TEST(Search, TheHistogramCountsEveryPair) {
  const SequenceSet queries = random_sequences(7, 3, 60), database = random_sequences(8, 700, 90);
  SearchOptions options{.max_target_seqs = 5, .evalue = 1};
  options.statistics = default_statistics(scoring(), database);
  const Found plain = search_with(FakeDevices(), queries, database, scoring(), options);
  options.histogram = true;
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
}

TEST(Search, TheLowestScoreFilters) {
  const SequenceSet queries = random_sequences(7, 5, 60), database = random_sequences(8, 100, 60);
  const SearchOptions options{.detail = Detail::ends, .evalue = 1e9, .min_score = 25};
  const Found found = search_with(FakeDevices(), queries, database, scoring(), options);
  EXPECT_EQ(without_statistics(found.rows), expected_rows(queries, database, scoring(), options, 25));
}

TEST(Search, EqualScoresAreCutInDatabaseOrderAndCounted) {
  SequenceSetBuilder queries(AlphabetKind::protein), database(AlphabetKind::protein);
  queries.add_text("q", "MKWVTFISLL");
  for (int i = 0; i < 200; ++i) database.add_text("s", "MKWVTFISLL");
  const SearchOptions options{.max_target_seqs = 7, .evalue = 1e9};
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
  const Found found = search_with(devices, empty, some, scoring(), {.evalue = 1e9});
  EXPECT_EQ(found.emitted.size(), 1u);
  EXPECT_TRUE(found.rows.empty());
  EXPECT_EQ(search_with(devices, empty, some, scoring("global"), {}).rows.size(), 3u);
}

TEST(Search, RefusesToKeepNoHits) {
  const SequenceSet some = random_sequences(9, 3, 20);
  EXPECT_THROW(search_with(FakeDevices(), some, some, scoring(), {.max_target_seqs = 0}), Error);
}

TEST(Search, WhatEmitThrowsEndsIt) {
  const SequenceSet some = random_sequences(10, 30, 40);
  Progress progress;
  const FakeDevices devices(std::vector<FakeBehaviour>{{.concurrency = 2}});
  int emitted = 0;
  EXPECT_THROW(search(some, some, scoring(), {.evalue = 1e9, .memory_bytes = 1}, devices.pointers, progress,
                      [&](auto...) {
                        if (++emitted == 3) throw io::ClosedPipe{};
                      }),
               io::ClosedPipe);
  EXPECT_EQ(emitted, 3);
}

std::vector<Row> align_with(const FakeDevices& devices, const SequenceSet& queries,
                            const SequenceSet& subjects, const std::vector<PairIndex>& pairs,
                            const Scoring& scoring, Detail detail) {
  std::vector<Row> rows;
  Progress progress;
  align_pairs(queries, subjects, pairs, scoring, {detail}, devices.pointers, progress,
              [&](std::size_t ordinal, const io::Hit& hit) {
                EXPECT_EQ(ordinal, rows.size());
                rows.push_back({pairs[ordinal].row, hit.subject_index, hit.alignment});
              });
  return rows;
}

TEST(AlignPairs, GivesEveryPairInOrderRepeatedOnesToo) {
  const SequenceSet queries = random_sequences(11, 30, 60), subjects = random_sequences(12, 40, 60);
  std::mt19937 random(13);
  std::vector<PairIndex> pairs;
  for (int i = 0; i < 300; ++i)
    pairs.push_back({static_cast<std::uint32_t>(random() % 30), static_cast<std::uint32_t>(random() % 20)});
  const FakeDevices devices(
      {{.concurrency = 2, .bytes_per_pair = 1 << 24, .dawdle = true}, {.bytes_per_pair = 1 << 24}});
  for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
    std::vector<Row> expected;
    for (const PairIndex& pair : pairs)
      expected.push_back({pair.row, pair.column,
                          align_reference(queries.residues(pair.row), subjects.residues(pair.column),
                                          scoring("global"), detail)});
    EXPECT_EQ(align_with(devices, queries, subjects, pairs, scoring("global"), detail), expected);
  }
  EXPECT_TRUE(align_with(devices, queries, subjects, {}, scoring(), Detail::score).empty());
}

TEST(AlignPairs, WithinOneSet) {
  const SequenceSet set = random_sequences(14, 10, 30);
  const std::vector<PairIndex> pairs{{0, 9}, {9, 0}, {5, 5}};
  const std::vector<Row> rows =
      align_with(FakeDevices(), set, set, pairs, scoring("semiglobal"), Detail::ends);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].alignment,
            align_reference(set.residues(9), set.residues(0), scoring("semiglobal"), Detail::ends));
}

TEST(AlignPairs, IdentityRangesAreThoseOfASearch) {
  const SequenceSet queries = random_sequences(17, 8, 40), database = random_sequences(18, 12, 40);
  const FakeDevices devices;
  const std::vector<Denominator> wanted{Denominator::ungapped, Denominator::longer};
  std::vector<PairIndex> pairs;
  std::vector<std::vector<IdentityRange>> found;
  Progress progress;
  search(queries, database, scoring(), {.identity_ranges = wanted}, devices.pointers, progress,
         [&](SequenceSet::Index query, std::span<const io::Hit> hits, const stats::QueryStatistics*) {
           for (const io::Hit& hit : hits) {
             pairs.push_back({query, hit.subject_index});
             found.push_back(hit.identity);
           }
         });
  ASSERT_GT(pairs.size(), 20u);
  align_pairs(queries, database, pairs, scoring(), {Detail::alignment, wanted}, devices.pointers, progress,
              [&](std::size_t ordinal, const io::Hit& hit) {
                const AlignmentCounts counts =
                    count(hit.alignment, queries.residues(pairs[ordinal].row),
                          database.residues(pairs[ordinal].column), scoring().matrix);
                ASSERT_EQ(hit.identity.size(), kDenominators);
                for (const Denominator by : wanted) {
                  const auto& [lowest, highest] = hit.identity[static_cast<std::size_t>(by)];
                  const auto& [lowest_hit, highest_hit] = found[ordinal][static_cast<std::size_t>(by)];
                  EXPECT_EQ(lowest, lowest_hit);
                  EXPECT_EQ(highest, highest_hit);
                  const std::int64_t whole =
                      by == Denominator::ungapped
                          ? counts.columns - counts.gap_residues
                          : static_cast<std::int64_t>(std::max(queries.length(pairs[ordinal].row),
                                                               database.length(pairs[ordinal].column)));
                  EXPECT_LE(lowest.numerator * whole, counts.identical * lowest.denominator);
                  EXPECT_GE(highest.numerator * whole, counts.identical * highest.denominator);
                }
              });
}

TEST(AlignPairs, RefusesPairsThatDoNotExist) {
  const SequenceSet set = random_sequences(14, 10, 30);
  EXPECT_THROW(align_with(FakeDevices(), set, set, {{0, 10}}, scoring(), Detail::score), Error);
}

TEST(AlignAll, GivesRowByRow) {
  const SequenceSet queries = random_sequences(15, 6, 30), subjects = random_sequences(16, 7, 30);
  const FakeDevices devices(std::vector<FakeBehaviour>{{.concurrency = 2}});
  Progress progress;
  std::size_t expected = 0;
  align_all(queries, subjects, scoring("global"), {Detail::alignment}, devices.pointers, progress,
            [&](std::size_t ordinal, const io::Hit& hit) {
              EXPECT_EQ(ordinal, expected++);
              EXPECT_EQ(hit.subject_index, ordinal % 7);
              EXPECT_EQ(hit.alignment,
                        align_reference(queries.residues(static_cast<std::uint32_t>(ordinal / 7)),
                                        subjects.residues(hit.subject_index), scoring("global"),
                                        Detail::alignment));
            });
  EXPECT_EQ(expected, 42u);
}

}  // namespace
}  // namespace alnus::engine
