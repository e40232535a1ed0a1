// Session::search: hits are those that follow from align_reference(), and columns have what was asked for.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <tuple>

#include "alnus/session.h"
#include "api/support/expected.h"
#include "api/support/inputs.h"
#include "api/support/table.h"

namespace alnus::test {
namespace {

SearchOptions without_statistics(std::uint32_t max_target_seqs, Detail detail = Detail::alignment) {
  return {.detail = detail, .max_target_seqs = max_target_seqs, .statistics = no_statistics()};
}

class ApiSearchScorings : public testing::TestWithParam<NamedScoring> {};

TEST_P(ApiSearchScorings, TheHitsAreThePairsOfHighestScore) {
  const Scoring& scoring = GetParam().scoring;
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  const SequenceSet queries = joined(random_set({.seed = 1, .count = 6, .longest = 60, .alphabet = alphabet}),
                                     relatives_set(2, 2, 50, alphabet));
  const SequenceSet subjects =
      joined(random_set({.seed = 3, .count = 45, .alphabet = alphabet}), relatives_set(2, 8, 50, alphabet));
  Session session(session_options());
  for (const std::uint32_t max_target_seqs : {1U, 7U, 500U}) {
    const ExpectedHits expected = expected_hits(queries, subjects, scoring, max_target_seqs);
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      SearchOptions options = without_statistics(max_target_seqs, detail);
      options.strands = Strands::plus;
      const SearchResult result = session.search(queries, subjects, scoring, options);
      EXPECT_TRUE(equal(result.hits.rows, expected.rows, {detail}, queries, subjects, scoring));
      EXPECT_EQ(SearchRows(result.hits).hits, expected.hits);
      EXPECT_EQ(result.hits.queries, (IndexRange{0, queries.size()}));
      const SearchSummary& summary = result.summary;
      EXPECT_EQ(summary.queries, queries.size());
      EXPECT_EQ(summary.pairs, std::uint64_t{queries.size()} * subjects.size());
      EXPECT_EQ(summary.cells, queries.total_residues() * subjects.total_residues());
      EXPECT_EQ(summary.hits, expected.rows.size());
      EXPECT_EQ(summary.left_out, summary.pairs - expected.rows.size());
      EXPECT_EQ(summary.cut_ties, expected.cut_ties);
      EXPECT_EQ(summary.cut_tie_ids.size(), std::min<std::uint64_t>(kNamedQueries, expected.cut_ties));
      EXPECT_EQ(summary.without_hits,
                static_cast<std::uint64_t>(std::ranges::count(expected.hits, std::uint64_t{0})));
      EXPECT_GT(summary.seconds, 0);
    }
  }
}

TEST_P(ApiSearchScorings, StreamedHitsAreTheCollectedOnes) {
  const Scoring& scoring = GetParam().scoring;
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  const SequenceSet queries = random_set({.seed = 5, .count = 20, .longest = 40, .alphabet = alphabet});
  const SequenceSet subjects = random_set({.seed = 6, .count = 100, .longest = 40, .alphabet = alphabet});
  Session session(session_options());
  const SearchOptions options = without_statistics(30);
  const SearchResult collected = session.search(queries, subjects, scoring, options);
  SearchRows streamed;
  const SearchSummary summary = session.search(queries, subjects, scoring, options, streamed.sink());
  EXPECT_TRUE(same(streamed, SearchRows(collected.hits)));
  EXPECT_EQ(streamed.hits.size(), queries.size());
  EXPECT_EQ(summary.hits, collected.summary.hits);
}

INSTANTIATE_TEST_SUITE_P(, ApiSearchScorings, testing::ValuesIn(scorings()),
                         [](const auto& info) { return info.param.name; });

// The queries and half of the subjects are relatives, so that there are hits and gaps.
class ApiSearch : public testing::Test {
 protected:
  SearchResult search(const SearchOptions& options, const std::string& mode = "local") {
    return session_.search(queries_, subjects_, default_scoring(mode), options);
  }

  const SequenceSet queries_ = relatives_set(1, 5, 60),
                    subjects_ = joined(relatives_set(1, 30, 60), random_set({.seed = 2, .count = 60}));
  Session session_{session_options()};
};

TEST_F(ApiSearch, BatchesHoldWholeQueriesAndNotTooMany) {
  const SequenceSet queries = random_set({.seed = 1, .count = 1400, .shortest = 10, .longest = 20}),
                    subjects = random_set({.seed = 2, .count = 400, .shortest = 10, .longest = 20});
  const SearchOptions options = without_statistics(500, Detail::ends);
  SearchRows streamed;
  session_.search(queries, subjects, default_scoring("global"), options, streamed.sink());
  EXPECT_GT(streamed.batch_sizes.size(), 1u);
  EXPECT_EQ(streamed.rows.size(), 560'000u);
  EXPECT_LT(std::ranges::max(streamed.batch_sizes), 400'000u);
  const SearchResult collected = session_.search(queries, subjects, default_scoring("global"), options);
  EXPECT_TRUE(same(streamed, SearchRows(collected.hits)));
}

TEST_F(ApiSearch, HitsOwnTheirArraysTogether) {
  std::optional<SearchResult> result;
  std::vector<SearchBatch> kept;
  Table expected;
  {
    Session session(session_options());
    const Database queries(queries_), subjects(joined(subjects_, random_set({.count = 5})));
    result = session.search(queries, subjects, default_scoring(), without_statistics(20));
    session.search(queries, subjects, default_scoring(), without_statistics(20),
                   [&](const SearchBatch& batch) { kept.push_back(batch); });
    expected = Table(result->hits.rows);
  }
  EXPECT_TRUE(same(Table(result->hits.rows), expected));
  Table streamed;
  for (const SearchBatch& batch : kept) streamed.append(batch.rows);
  EXPECT_TRUE(same(streamed, expected));
}

TEST_F(ApiSearch, WhoeverHoldsACopyOfTheOwnerMayReadTheColumns) {
  std::optional<SearchResult> result = search(without_statistics(20));
  const std::shared_ptr<const void> owner = result->hits.rows.owner;
  ASSERT_NE(owner, nullptr);
  const std::span<const std::int32_t> scores = result->hits.rows.score;
  const std::span<const CigarRun> runs = result->hits.rows.cigar_runs;
  const std::vector<std::int32_t> expected(scores.begin(), scores.end());
  const std::vector<CigarRun> expected_runs(runs.begin(), runs.end());
  result.reset();
  EXPECT_TRUE(std::ranges::equal(scores, expected));
  EXPECT_TRUE(std::ranges::equal(runs, expected_runs));
}

TEST_F(ApiSearch, ARowIsTheFamiliarRecord) {
  const SearchResult result = search({.max_target_seqs = 20});
  const Columns& rows = result.hits.rows;
  ASSERT_GT(rows.size(), 0u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row row = rows.row(i);
    EXPECT_EQ(row.query, rows.query[i]);
    EXPECT_EQ(row.subject, rows.subject[i]);
    EXPECT_EQ(row.score, rows.score[i]);
    EXPECT_EQ(row.query_begin, rows.query_begin[i]);
    EXPECT_EQ(row.query_end, rows.query_end[i]);
    EXPECT_EQ(row.subject_begin, rows.subject_begin[i]);
    EXPECT_EQ(row.subject_end, rows.subject_end[i]);
    EXPECT_EQ(row.cigar.data(), rows.cigar_runs.data() + rows.cigar_offsets[i]);
    EXPECT_EQ(row.significance.bits, rows.bits[i]);
    EXPECT_EQ(row.significance.evalue, rows.evalue[i]);
    EXPECT_FALSE(row.significance.zscore || row.significance.zscore_se || row.significance.zfit);
    for (const auto& range : row.identity_range) EXPECT_FALSE(range);
  }
}

TEST_F(ApiSearch, AnAlignmentOfARowStandsAlone) {
  std::optional<SearchResult> result = search(without_statistics(20));
  const Alignment alignment = result->hits.rows.row(0).alignment();
  const Index query = result->hits.rows.query[0], subject = result->hits.rows.subject[0];
  result.reset();
  EXPECT_EQ(alignment, align_reference(queries_.residues(query), subjects_.residues(subject),
                                       default_scoring(), Detail::alignment));
}

TEST_F(ApiSearch, ColumnsThatWereNotAskedForAreEmpty) {
  const SequenceSet &queries = queries_, &subjects = subjects_;
  const Scoring scoring = default_scoring();
  const ExpectedHits expected = expected_hits(queries, subjects, scoring, 9);
  SearchOptions options{.cigars = false, .max_target_seqs = 9, .significance = false};
  options.statistics.method = StatisticsMethod::none;
  const Columns rows = search(options).hits.rows;
  options.statistics.method = StatisticsMethod::spouge;
  options.evalue = 1e9;
  EXPECT_TRUE(equal(rows, expected.rows, {.cigars = false}, queries, subjects, scoring));
  for (const auto& column :
       {rows.adjusted_score, rows.bits, rows.evalue, rows.zscore, rows.zscore_se, rows.zfit})
    EXPECT_TRUE(column.empty());
  for (const auto& column : rows.identity_range) EXPECT_TRUE(column.empty());
  options.identity_ranges = {Denominator::longer};
  options.significance = true;
  const Columns more = search(options).hits.rows;
  EXPECT_EQ(more.bits.size(), more.size());
  EXPECT_EQ(more.evalue.size(), more.size());
  for (std::size_t k = 0; k < kDenominators; ++k)
    EXPECT_EQ(more.identity_range[k].size(),
              k == static_cast<std::size_t>(Denominator::longer) ? more.size() : 0);
}

TEST_F(ApiSearch, QueryStatisticsComeIfTheyAreWanted) {
  EXPECT_TRUE(search({}).hits.query_statistics.empty());
  const SearchResult result = search({.query_statistics = true});
  ASSERT_EQ(result.hits.query_statistics.size(), queries_.size());
  for (const QueryStatistics& of : result.hits.query_statistics) {
    EXPECT_NE(of.description.find("spouge"), std::string::npos) << of.description;
    ASSERT_TRUE(of.karlin);
    EXPECT_DOUBLE_EQ(of.karlin->lambda, 0.267);
    EXPECT_DOUBLE_EQ(of.karlin->K, 0.041);
    EXPECT_GT(of.karlin->search_space, 0);
  }
  EXPECT_EQ(result.summary.method, StatisticsMethod::spouge);
  EXPECT_FALSE(result.summary.statistics.empty());
  EXPECT_EQ(result.hits.statistics, result.summary.statistics);
}

TEST_F(ApiSearch, NoHitIsBelowMinScoreInTheMatrixUnits) {
  ScoringOptions words;
  words.preset = "emboss-water";  // its scale is 2, because its gap costs have halves
  const Scoring scoring = make_scoring(words);
  ASSERT_EQ(scoring.scale, 2);
  for (const double min_score : {0.5, 40.0, 40.5, 41.0, 1e6}) {
    SearchOptions options = without_statistics(12);
    options.min_score = min_score;
    const SearchResult result = session_.search(queries_, subjects_, scoring, options);
    const ExpectedHits expected =
        expected_hits(queries_, subjects_, scoring, 12, static_cast<std::int32_t>(2 * min_score));
    EXPECT_TRUE(equal(result.hits.rows, expected.rows, {}, queries_, subjects_, scoring)) << min_score;
    EXPECT_EQ(result.summary.left_out, result.summary.pairs - expected.rows.size());
  }
}

TEST_F(ApiSearch, AMinScoreBelowZeroKeepsNegativeScoresOfOtherModes) {
  SearchOptions options = without_statistics(500);
  options.min_score = -30;
  const SearchResult result = search(options, "global");
  const ExpectedHits expected = expected_hits(queries_, subjects_, default_scoring("global"), 500, -30);
  EXPECT_TRUE(equal(result.hits.rows, expected.rows, {}, queries_, subjects_, default_scoring("global")));
}

// The rows whose E-value is at most `evalue`.
SearchRows filtered(const SearchRows& all, const SearchBatch& batch, double evalue) {
  SearchRows wanted;
  std::vector<std::size_t> indices;
  wanted.hits.assign(all.hits.size(), 0);
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    if (batch.rows.evalue[i] > evalue) continue;
    indices.push_back(i);
    ++wanted.hits[batch.rows.query[i]];
  }
  wanted.rows = rows_of(all.rows, indices);
  return wanted;
}

TEST_F(ApiSearch, NoHitsEvalueIsAboveTheLimit) {
  const SearchResult all = search({.max_target_seqs = 40, .evalue = 1e300});
  std::vector<double> evalues = doubles(all.hits.rows.evalue);
  ASSERT_GT(evalues.size(), 10u);
  std::ranges::sort(evalues);
  for (const double limit : {evalues[evalues.size() / 3], evalues[evalues.size() / 2], 1e-200}) {
    const SearchResult some = search({.max_target_seqs = 40, .evalue = limit});
    EXPECT_TRUE(same(SearchRows(some.hits), filtered(SearchRows(all.hits), all.hits, limit)));
  }
}

TEST_F(ApiSearch, TheDefaultEvalueHolds) {
  const SearchResult all = search({.evalue = 1e300}), usual = search({});
  EXPECT_TRUE(same(SearchRows(usual.hits), filtered(SearchRows(all.hits), all.hits, kDefaultEvalue)));
  EXPECT_LT(usual.hits.rows.size(), all.hits.rows.size());
}

TEST_F(ApiSearch, TheDefaultEvalueFiltersNothingWhereThereAreNoEvalues) {
  const SearchResult result = search({}, "global");
  EXPECT_EQ(result.hits.rows.size(), std::size_t{queries_.size()} * subjects_.size());
  EXPECT_EQ(result.summary.method, StatisticsMethod::none);
  EXPECT_EQ(result.summary.statistics, "");
}

TEST_F(ApiSearch, EvalueFiltersWhetherSignificanceIsWantedOrNot) {
  const SearchResult with = search({.evalue = 1e-3}),
                     without = search({.evalue = 1e-3, .significance = false});
  ASSERT_GT(with.hits.rows.size(), 0u);
  SearchRows expected(with.hits);
  for (auto& column : expected.rows.significance) column.clear();
  EXPECT_TRUE(same(SearchRows(without.hits), expected));
}

TEST_F(ApiSearch, ItsHitsAreTheBestScoresLessThoseOfLargeEvalues) {
  // A query's hits are cut to the best scores before the E-value filters them.
  const SearchResult cut = search({.max_target_seqs = 4, .evalue = 1e300}),
                     both = search({.max_target_seqs = 4, .evalue = 1e-6});
  EXPECT_TRUE(same(SearchRows(both.hits), filtered(SearchRows(cut.hits), cut.hits, 1e-6)));
}

TEST_F(ApiSearch, BitScoresFollowThePublishedParameters) {
  const SearchResult result = search({.statistics = unadjusted_statistics()});
  ASSERT_GT(result.hits.rows.size(), 0u);
  for (std::size_t i = 0; i < result.hits.rows.size(); ++i)
    EXPECT_NEAR(result.hits.rows.bits[i],
                (0.267 * result.hits.rows.score[i] - std::log(0.041)) / std::log(2.0), 1e-9);
}

TEST_F(ApiSearch, AKarlinEvalueOfASearchSpaceIsTheFormula) {
  SearchOptions options;
  options.statistics = unadjusted_statistics();
  options.statistics.method = StatisticsMethod::karlin;
  options.statistics.cells = 1e9;
  const SearchResult result = search(options);
  ASSERT_GT(result.hits.rows.size(), 0u);
  for (std::size_t i = 0; i < result.hits.rows.size(); ++i) {
    const double expected = 0.041 * 1e9 * std::exp(-0.267 * result.hits.rows.score[i]);
    EXPECT_NEAR(result.hits.rows.evalue[i], expected, 1e-9 * expected);
  }
}

TEST_F(ApiSearch, CompositionNeverMakesAnEvalueSmaller) {
  const SequenceSet serines = set_of({"STANSTAKSTEQSTADSTANSKSTASTENS"});
  const SequenceSet queries = joined(queries_, serines), subjects = joined(subjects_, serines);
  const auto search = [&](const SearchOptions& options) {
    return session_.search(queries, subjects, default_scoring(), options);
  };
  for (const StatisticsMethod method : {StatisticsMethod::spouge, StatisticsMethod::karlin}) {
    SearchOptions options{.evalue = 1e300, .statistics = unadjusted_statistics()};
    options.statistics.method = method;
    const SearchResult plain = search(options);
    options.statistics.composition = Composition::scale;
    const SearchResult composed = search(options);
    ASSERT_EQ(composed.hits.rows.size(), plain.hits.rows.size());
    bool larger = false;
    for (std::size_t i = 0; i < plain.hits.rows.size(); ++i) {
      EXPECT_GE(composed.hits.rows.evalue[i], plain.hits.rows.evalue[i]);
      larger |= composed.hits.rows.evalue[i] > plain.hits.rows.evalue[i];
    }
    EXPECT_TRUE(larger);
  }
}

TEST_F(ApiSearch, RegressionJudgesByTheScoresOfTheSearch) {
  const SequenceSet subjects = random_set({.seed = 8, .count = 900, .shortest = 10, .longest = 90});
  SearchOptions options{.max_target_seqs = 20, .evalue = 1e9};
  options.statistics.method = StatisticsMethod::regression;
  const SearchResult result = session_.search(queries_, subjects, default_scoring(), options);
  EXPECT_EQ(result.summary.method, StatisticsMethod::regression);
  EXPECT_EQ(result.summary.fallbacks, 0u);
  const Columns& rows = result.hits.rows;
  ASSERT_GT(rows.size(), 0u);
  const double euler = 0.5772156649015329;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double expected = 900 * -std::expm1(-std::exp(-1.2825 * rows.zscore[i] - euler));
    EXPECT_NEAR(rows.evalue[i], expected, 1e-3 * expected);
  }
}

TEST_F(ApiSearch, QueriesThatDoNotSufficeForARegressionFallBack) {
  SearchOptions options{.evalue = 1e9, .statistics = unadjusted_statistics()};
  const SearchResult spouge = search(options);
  options.statistics.method = StatisticsMethod::regression;
  ASSERT_LT(subjects_.size(), kFewestForRegression);
  const SearchResult result = search(options);
  EXPECT_EQ(result.summary.fallbacks, queries_.size());
  EXPECT_TRUE(result.summary.has_parameters);
  EXPECT_EQ(result.summary.fallback, StatisticsMethod::spouge);
  EXPECT_TRUE(same(SearchRows(result.hits), SearchRows(spouge.hits)));
  const SequenceSet many = random_set({.seed = 8, .count = 600, .shortest = 10, .longest = 60}),
                    short_query = set_of({"MKWVTFISL", "MKWVTFISLLFLFSSAYS"});
  EXPECT_EQ(session_.search(short_query, many, default_scoring(), options).summary.fallbacks, 1u)
      << "a query shorter than kShortestForRegression, and one that is not";
}

TEST_F(ApiSearch, ZscoresOfHitsAreTheirZvalues) {
  SearchOptions options{.max_target_seqs = 3, .evalue = 1e9};
  options.statistics = {.method = StatisticsMethod::zvalue, .shuffles = ShuffleOptions{.shuffles = 20}};
  const Columns rows = search(options).hits.rows;
  ASSERT_GT(rows.size(), 0u);
  std::vector<IndexPair> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i) pairs.push_back({rows.query[i], rows.subject[i]});
  const std::vector<ZValue> z =
      session_.z_values(queries_, subjects_, pairs, {}, default_scoring(), {.shuffles = 20});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Significance significance = rows.row(i).significance;
    EXPECT_EQ(significance.zscore, z[i].z);
    EXPECT_EQ(significance.zscore_se, z[i].standard_error);
    EXPECT_EQ(significance.zfit, z[i].goodness);
    ASSERT_TRUE(significance.evalue && z[i].log_p);
    EXPECT_NEAR(*significance.evalue, subjects_.size() * std::exp(*z[i].log_p), 1e-9 * *significance.evalue);
  }
}

TEST_F(ApiSearch, WithoutStatisticsNoRowHasAny) {
  const Columns rows = search(without_statistics(5)).hits.rows;
  ASSERT_GT(rows.size(), 0u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Significance none = rows.row(i).significance;
    EXPECT_FALSE(none.bits || none.evalue || none.zscore || none.zscore_se || none.zfit);
  }
}

TEST_F(ApiSearch, IdentityRangesOfHitsAreThoseOfTheirPairs) {
  SearchOptions options = without_statistics(4);
  options.identity_ranges = {Denominator::alignment, Denominator::mean};
  const Columns rows = search(options).hits.rows;
  std::vector<IndexPair> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i) pairs.push_back({rows.query[i], rows.subject[i]});
  for (const Denominator by : options.identity_ranges) {
    const auto& column = rows.identity_range[static_cast<std::size_t>(by)];
    ASSERT_EQ(column.size(), rows.size());
    const std::vector<IdentityRange> expected =
        session_.identity_range(queries_, subjects_, pairs, default_scoring(), by);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(column[i].lowest, expected[i].lowest);
      EXPECT_EQ(column[i].highest, expected[i].highest);
      EXPECT_TRUE(rows.row(i).identity_range[static_cast<std::size_t>(by)]);
    }
  }
}

TEST_F(ApiSearch, TheHistogramCountsEveryPair) {
  SearchOptions options{.max_target_seqs = 2, .evalue = 1};
  const SearchResult plain = search(options);
  EXPECT_TRUE(plain.summary.histogram.pairs.empty());
  options.score_histogram = true;
  const SearchResult result = search(options);
  EXPECT_TRUE(same(SearchRows(result.hits), SearchRows(plain.hits)));
  const ScoreHistogram& histogram = result.summary.histogram;
  EXPECT_EQ(histogram.stride, 1u);
  std::vector<std::uint64_t> expected(histogram.pairs.size());
  for (const ExpectedRow& row :
       expected_rows(queries_, subjects_, every_pair(queries_, subjects_), default_scoring()))
    ++expected.at(static_cast<std::size_t>(row.alignment.score - histogram.lowest));
  EXPECT_EQ(histogram.pairs, expected);
  EXPECT_EQ(histogram.expected.size(), expected.size());
}

TEST_F(ApiSearch, TheSummaryNamesSomeQueries) {
  SequenceSetBuilder builder(AlphabetKind::protein, "queries");
  std::vector<std::string> ids;
  for (const bool found : {false, true, true, false, true, false, false, true}) {
    ids.push_back((found ? "tie" : "none") + std::to_string(ids.size()));
    builder.add_text(ids.back(), found ? "WWWWWWWW" : "PPPPPPPP");
  }
  const SequenceSet queries = builder.finish();
  SequenceSetBuilder subjects(AlphabetKind::protein, "subjects");
  for (int k = 0; k < 3; ++k) subjects.add_text("s" + std::to_string(k), "WWWWWWWW");
  SearchOptions options = without_statistics(2);
  options.min_score = 50;
  SearchSummary summary = session_.search(queries, subjects.finish(), default_scoring(), options).summary;
  EXPECT_EQ(summary.without_hits, 4u);
  EXPECT_EQ(summary.without_hits_ids, (std::vector<std::string>{"none0", "none3", "none5"}));
  EXPECT_EQ(summary.cut_ties, 4u);
  EXPECT_EQ(summary.cut_tie_ids, (std::vector<std::string>{"tie1", "tie2", "tie4"}));
  SearchSummary sum;
  sum.without_hits_ids = {"first"};
  sum += summary;
  EXPECT_EQ(sum.without_hits, 4u);
  EXPECT_EQ(sum.without_hits_ids, (std::vector<std::string>{"first", "none0", "none3"}));
  EXPECT_EQ(sum.cut_tie_ids, summary.cut_tie_ids);
}

TEST_F(ApiSearch, SummariesAdd) {
  SearchSummary sum = search({.score_histogram = true}).summary;
  const SearchSummary first = sum, second = search({.max_target_seqs = 1}).summary;
  sum += second;
  EXPECT_EQ(sum.queries, first.queries + second.queries);
  EXPECT_EQ(sum.cells, first.cells + second.cells);
  EXPECT_EQ(sum.pairs, first.pairs + second.pairs);
  EXPECT_EQ(sum.hits, first.hits + second.hits);
  EXPECT_EQ(sum.cut_ties, first.cut_ties + second.cut_ties);
  EXPECT_EQ(sum.left_out, first.left_out + second.left_out);
  EXPECT_DOUBLE_EQ(sum.seconds, first.seconds + second.seconds);
  EXPECT_EQ(sum.histogram.pairs, first.histogram.pairs);
}

class ApiSearchSizes : public testing::TestWithParam<std::string> {
 protected:
  const Scoring scoring_ = default_scoring(GetParam());
  Session session_{session_options()};
};

TEST_P(ApiSearchSizes, OfNoQueryAndNoSubject) {
  const SequenceSet some = random_set({.count = 3, .shortest = 1});
  for (const auto& [queries, subjects] :
       {std::pair<Database, Database>{Database(), some}, {some, Database()}, {Database(), Database()}}) {
    const SearchResult result = session_.search(queries, subjects, scoring_);
    EXPECT_EQ(result.hits.rows.size(), 0u);
    EXPECT_EQ(SearchRows(result.hits).hits, std::vector<std::uint64_t>(queries.size(), 0));
    EXPECT_EQ(result.summary.pairs, 0u);
    EXPECT_EQ(result.summary.hits, 0u);
    SearchRows streamed;
    session_.search(queries, subjects, scoring_, {}, streamed.sink());
    EXPECT_EQ(streamed.hits, std::vector<std::uint64_t>(queries.size(), 0));
  }
}

TEST_P(ApiSearchSizes, OfEmptySequencesAndOfOneResidue) {
  const SequenceSet odd = set_of({"", "W", "", "A", "WA", "MKWVTFISLL"});
  const ExpectedHits expected = expected_hits(odd, odd, scoring_, 500);
  const SearchResult result = session_.search(odd, odd, scoring_, without_statistics(500));
  EXPECT_TRUE(equal(result.hits.rows, expected.rows, {}, odd, odd, scoring_));
  EXPECT_EQ(SearchRows(result.hits).hits, expected.hits);
}

INSTANTIATE_TEST_SUITE_P(, ApiSearchSizes, testing::Values("local", "global", "semiglobal"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace alnus::test
