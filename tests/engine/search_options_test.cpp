// What options of a search mean before anything is scored, and what its summary counts.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "engine/search_counts.h"
#include "engine/search_driver.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

constexpr StatisticsMethod kEveryMethod[] = {StatisticsMethod::spouge, StatisticsMethod::karlin,
                                             StatisticsMethod::regression, StatisticsMethod::zvalue,
                                             StatisticsMethod::none};

TEST(ResolvedStatistics, AdjustOnlyScoresThatParametersJudge) {
  for (const StatisticsMethod method : kEveryMethod)
    for (const Composition composition : {Composition::adjust, Composition::scale, Composition::none})
      for (const LowComplexity low_complexity : {LowComplexity::statistics, LowComplexity::none}) {
        ResolvedStatistics statistics;
        statistics.method = method;
        statistics.composition = composition;
        statistics.low_complexity = low_complexity;
        const bool by_parameters = method == StatisticsMethod::spouge || method == StatisticsMethod::karlin,
                   asks = composition == Composition::adjust || low_complexity == LowComplexity::statistics;
        EXPECT_EQ(statistics.by_parameters_now(), by_parameters);
        EXPECT_EQ(statistics.adjusts(), by_parameters && asks);
      }
}

TEST(ResolvedStatistics, TheParametersAllowAMethod) {
  ResolvedStatistics statistics;
  EXPECT_EQ(statistics.by_parameters(), StatisticsMethod::none);
  statistics.parameters = stats::published_parameters(make_scoring({}));
  EXPECT_EQ(statistics.by_parameters(), StatisticsMethod::spouge);
  statistics.parameters->alpha_v = 0;  // the finite-size correction needs it
  EXPECT_EQ(statistics.by_parameters(), StatisticsMethod::karlin);
}

// If scores choose the hits, one candidate more tells whether a tie was cut. Otherwise there are many more,
// but no more than GPUs choose themselves, as long as these suffice.
TEST(SearchOptions, KeepMoreCandidatesThanHits) {
  constexpr std::uint32_t kMost = UINT32_MAX, kGpu = 1024;
  for (const StatisticsMethod method : kEveryMethod)
    for (const bool adjusts : {false, true}) {
      SearchOptions options;
      options.statistics.method = method;
      if (adjusts) options.statistics.composition = Composition::adjust;
      std::uint32_t before = 0;
      for (const std::uint32_t hits :
           {1u, 2u, 500u, kGpu - 1, kGpu, kGpu + 1, 1u << 20, kMost / 2 - 1, kMost - 1, kMost}) {
        options.asked.max_target_seqs = hits;
        const std::uint32_t most = options.most_candidates();
        EXPECT_GE(most, before) << "more hits need no fewer candidates";
        before = most;
        if (method == StatisticsMethod::none || method == StatisticsMethod::zvalue) {
          EXPECT_EQ(most, hits == kMost ? kMost : hits + 1);
        } else if (hits > kMost / 2 - 2) {
          EXPECT_EQ(most, kMost);
        } else if (options.statistics.adjusts() || hits >= kGpu) {
          EXPECT_GE(most, 2 * hits + kGpu);
        } else {
          EXPECT_LE(most, kGpu);
          EXPECT_GE(most, std::min(hits + 500, kGpu));
        }
      }
    }
}

TEST(SearchCounts, ALimitBelowTheNumberOfSubjectsLimits) {
  EXPECT_EQ(limit_of(4, 5).max_target_seqs, 4u);
  EXPECT_EQ(limit_of(5, 5).max_target_seqs, 0u);
  EXPECT_EQ(limit_of(6, 5).max_target_seqs, 0u);
  EXPECT_EQ(limit_of(1, 0).max_target_seqs, 0u);
}

TEST(SearchCounts, AreThoseOfTheHitsOfEachQuery) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const SequenceSet queries = test::random_sequences(4, 12, 5);  // s0, s1, ...
    constexpr std::uint32_t kFirst = 30;                           // the number of s0 among all queries
    SearchSummary found, expected;
    found.limit = expected.limit = {.max_target_seqs = round % 3 == 0 ? 0u : 2u};
    // Two batches: the queries before s5, and those from it on.
    for (const IndexRange range : {IndexRange{kFirst, kFirst + 5}, IndexRange{kFirst + 5, kFirst + 12}}) {
      std::vector<std::uint64_t> first_row{0};
      std::vector<SequenceSet::Index> subjects;  // of the rows: a hit has one row or several
      for (std::uint32_t query = range.begin; query < range.end; ++query) {
        const std::uint64_t hits = random() % 3;
        const std::string id = "s" + std::to_string(query - kFirst);
        const auto name = [&](std::vector<std::string>& ids) {
          if (ids.size() < kNamedQueries) ids.push_back(id);
        };
        expected.hits += hits;
        if (hits == 0) {
          ++expected.without_hits;
          name(expected.without_hits_ids);
        }
        if (hits == 2 && expected.limit.max_target_seqs == 2) {
          ++expected.limit.full_queries;
          name(expected.limit.full_query_ids);
        }
        for (SequenceSet::Index hit = 0; hit < hits; ++hit)
          subjects.insert(subjects.end(), 1 + random() % 3, hit);
        first_row.push_back(subjects.size());
      }
      const std::vector<std::int32_t> scores(subjects.size());
      SearchBatch batch;
      batch.queries = range;
      batch.first_row = first_row;
      batch.rows.subject = subjects;
      batch.rows.score = scores;
      count_hits(batch, queries, kFirst, found);
    }
    EXPECT_EQ(found.hits, expected.hits);
    EXPECT_EQ(found.without_hits, expected.without_hits);
    EXPECT_EQ(found.without_hits_ids, expected.without_hits_ids);
    EXPECT_EQ(found.limit.full_queries, expected.limit.full_queries);
    EXPECT_EQ(found.limit.full_query_ids, expected.limit.full_query_ids);
  }
  SearchSummary ties;
  for (std::size_t k = 0; k < kNamedQueries + 2; ++k) count_cut_tie("t" + std::to_string(k), ties);
  EXPECT_EQ(ties.cut_ties, kNamedQueries + 2);
  EXPECT_EQ(ties.cut_tie_ids, (std::vector<std::string>{"t0", "t1", "t2"}));
}

}  // namespace
}  // namespace alnus::engine
