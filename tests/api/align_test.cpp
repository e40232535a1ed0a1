// Session::align of given pairs, and align_all: rows equal those of align_reference(), in the order of the
// given pairs.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/expected.h"
#include "api/support/inputs.h"
#include "api/support/table.h"

namespace alnus::test {
namespace {

class ApiAlignScorings : public testing::TestWithParam<NamedScoring> {
 protected:
  const Scoring& scoring_ = GetParam().scoring;
  const AlphabetKind alphabet_ = scoring_.matrix.alphabet();
  const SequenceSet queries_ = joined(random_set({.seed = 1, .count = 8, .alphabet = alphabet_}),
                                      relatives_set(2, 4, 60, alphabet_)),
                    subjects_ = joined(random_set({.seed = 3, .count = 12, .alphabet = alphabet_}),
                                       relatives_set(2, 5, 60, alphabet_));
  Session session_{session_options()};
};

TEST_P(ApiAlignScorings, PairsComeInTheirOrderRepeatedOrNot) {
  const std::vector<IndexPair> pairs = random_pairs(4, 80, queries_, subjects_);
  const std::vector<ExpectedRow> expected = expected_rows(queries_, subjects_, pairs, scoring_);
  for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
    for (const bool cigars : {true, false}) {
      const AlignOptions options{.detail = detail, .cigars = cigars, .statistics = no_statistics()};
      const Columns rows = session_.align(queries_, subjects_, pairs, scoring_, options);
      EXPECT_TRUE(equal(rows, expected, {detail, cigars}, queries_, subjects_, scoring_));
    }
  }
}

TEST_P(ApiAlignScorings, StreamedRowsAreTheCollectedOnesWithASummary) {
  const std::vector<IndexPair> pairs = random_pairs(5, 60, queries_, subjects_);
  const AlignOptions options{.statistics = no_statistics()};
  Table streamed;
  const AlignSummary summary = session_.align(queries_, subjects_, pairs, scoring_, options,
                                              [&](const Columns& rows, const std::string& statistics) {
                                                streamed.append(rows);
                                                EXPECT_EQ(statistics, "");
                                              });
  EXPECT_TRUE(same(streamed, Table(session_.align(queries_, subjects_, pairs, scoring_, options))));
  std::uint64_t cells = 0, empty = 0;
  for (const auto& [query, subject] : pairs) cells += queries_.length(query) * subjects_.length(subject);
  for (const ExpectedRow& row : expected_rows(queries_, subjects_, pairs, scoring_))
    empty += is_empty(row, scoring_);
  EXPECT_EQ(summary.pairs, pairs.size());
  EXPECT_EQ(summary.cells, cells);
  EXPECT_EQ(summary.empty, empty);
  EXPECT_EQ(summary.statistics, "");
  EXPECT_GT(summary.seconds, 0);
}

TEST_P(ApiAlignScorings, AlignAllTakesEveryQueryWithEverySubjectQueryByQuery) {
  Table rows;
  const AlignSummary summary =
      session_.align_all(queries_, subjects_, scoring_, {.statistics = no_statistics()},
                         [&](const Columns& batch, const std::string&) { rows.append(batch); });
  const std::vector<IndexPair> pairs = every_pair(queries_, subjects_);
  EXPECT_TRUE(same(
      rows, Table(session_.align(queries_, subjects_, pairs, scoring_, {.statistics = no_statistics()}))));
  EXPECT_EQ(summary.pairs, pairs.size());
  EXPECT_EQ(summary.cells, queries_.total_residues() * subjects_.total_residues());
}

INSTANTIATE_TEST_SUITE_P(, ApiAlignScorings, testing::ValuesIn(scorings()),
                         [](const auto& info) { return info.param.name; });

class ApiAlign : public testing::Test {
 protected:
  const SequenceSet set_ = relatives_set(1, 12, 60);
  const std::vector<IndexPair> pairs_ = every_pair(set_, set_);
  const Scoring scoring_ = default_scoring();
  Session session_{session_options()};
};

TEST_F(ApiAlign, LocalAlignmentsOfScoreZeroAreAmongTheRows) {
  const SequenceSet set = set_of({"WWWW", "CCCC", "WWW"});
  const std::vector<IndexPair> pairs = every_pair(set, set);
  const Columns rows = session_.align(set, set, pairs, scoring_);
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_TRUE(equal(rows, expected_rows(set, set, pairs, scoring_), {}, set, set, scoring_));
  EXPECT_EQ(rows.score[1], 0);
  EXPECT_EQ(rows.query_begin[1], 0);
  EXPECT_EQ(rows.query_end[1], 0);
  EXPECT_TRUE(rows.row(1).cigar.empty());
  const AlignSummary summary =
      session_.align(set, set, pairs, scoring_, {}, [](const Columns&, const std::string&) {});
  EXPECT_EQ(summary.empty, 4u);
}

TEST_F(ApiAlign, ManyPairsComeInSeveralBatchesInOrder) {
  const SequenceSet set = random_set({.seed = 1, .count = 100, .shortest = 5, .longest = 15});
  const std::vector<IndexPair> pairs = random_pairs(2, 400'000, set, set);
  Table streamed;
  std::size_t batches = 0;
  const auto sink = [&](const Columns& rows, const std::string&) {
    streamed.append(rows);
    ++batches;
  };
  session_.align(set, set, pairs, scoring_, {.detail = Detail::ends}, sink);
  EXPECT_GT(batches, 1u);
  ASSERT_EQ(streamed.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    ASSERT_TRUE(streamed.query[i] == pairs[i].query && streamed.subject[i] == pairs[i].subject) << i;
  EXPECT_TRUE(same(streamed, Table(session_.align(set, set, pairs, scoring_, {.detail = Detail::ends}))));
  streamed = {};
  session_.align_all(set, set, scoring_, {.detail = Detail::ends}, sink);
  EXPECT_TRUE(same(
      streamed, Table(session_.align(set, set, every_pair(set, set), scoring_, {.detail = Detail::ends}))));
}

TEST_F(ApiAlign, RowsOwnTheirArrays) {
  Columns rows;
  std::vector<Columns> batches;
  Table expected;
  {
    Session session(session_options());
    const Database set(relatives_set(1, 12, 60));
    rows = session.align(set, set, pairs_, scoring_);
    session.align(set, set, pairs_, scoring_, {},
                  [&](const Columns& batch, const std::string&) { batches.push_back(batch); });
    expected = Table(rows);
  }
  EXPECT_TRUE(same(Table(rows), expected));
  Table streamed;
  for (const Columns& batch : batches) streamed.append(batch);
  EXPECT_TRUE(same(streamed, expected));
  EXPECT_TRUE(equal(rows, expected_rows(set_, set_, pairs_, scoring_), {}, set_, set_, scoring_));
}

TEST_F(ApiAlign, SignificanceComesIfItIsWanted) {
  const Columns without = session_.align(set_, set_, pairs_, scoring_);
  for (const auto& column : {without.bits, without.evalue, without.zscore, without.zscore_se, without.zfit})
    EXPECT_TRUE(column.empty());
  const Columns with = session_.align(set_, set_, pairs_, scoring_,
                                      {.statistics = unadjusted_statistics(), .significance = true});
  for (std::size_t i = 0; i < with.size(); ++i) {
    const Significance significance = with.row(i).significance;
    ASSERT_TRUE(significance.bits);
    EXPECT_NEAR(*significance.bits, (0.267 * with.score[i] - std::log(0.041)) / std::log(2.0), 1e-9);
    EXPECT_FALSE(significance.evalue) << "no search space was named";
  }
}

TEST_F(ApiAlign, EvaluesOfANamedSearchSpaceAreThoseOfASearch) {
  const SearchResult found = session_.search(set_, set_, scoring_, {.evalue = 1e300});
  std::vector<IndexPair> pairs;
  for (std::size_t i = 0; i < found.hits.rows.size(); ++i)
    pairs.push_back({found.hits.rows.query[i], found.hits.rows.subject[i]});
  AlignOptions options{.significance = true};
  options.statistics.residues = static_cast<double>(set_.total_residues());
  options.statistics.sequences = set_.size();
  std::string statistics;
  Table rows;
  const AlignSummary summary = session_.align(set_, set_, pairs, scoring_, options,
                                              [&](const Columns& batch, const std::string& words) {
                                                rows.append(batch);
                                                statistics = words;
                                              });
  EXPECT_TRUE(same(rows, Table(found.hits.rows)));
  EXPECT_NE(summary.statistics, "");
  EXPECT_EQ(statistics, summary.statistics);
}

TEST_F(ApiAlign, ZscoresOfPairsAreTheirZvalues) {
  const std::vector<IndexPair> pairs = {{0, 1}, {3, 2}, {5, 5}};
  AlignOptions options{.significance = true};
  options.statistics = {.method = StatisticsMethod::zvalue,
                        .shuffles = ShuffleOptions{.shuffles = 15, .seed = 9}};
  const Columns rows = session_.align(set_, set_, pairs, scoring_, options);
  const std::vector<ZValue> z =
      session_.z_values(set_, set_, pairs, {}, scoring_, {.shuffles = 15, .seed = 9});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(rows.row(i).significance.zscore, z[i].z);
    EXPECT_EQ(rows.row(i).significance.zscore_se, z[i].standard_error);
  }
}

TEST_F(ApiAlign, IdentityRangesComeByDenominator) {
  AlignOptions options;
  options.identity_ranges = {Denominator::ungapped, Denominator::shorter};
  const Columns rows = session_.align(set_, set_, pairs_, scoring_, options);
  for (std::size_t k = 0; k < kDenominators; ++k) {
    const auto by = static_cast<Denominator>(k);
    const bool asked = by == Denominator::ungapped || by == Denominator::shorter;
    ASSERT_EQ(rows.identity_range[k].size(), asked ? rows.size() : 0);
    if (!asked) continue;
    const std::vector<IdentityRange> expected = session_.identity_range(set_, set_, pairs_, scoring_, by);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows.identity_range[k][i].lowest, expected[i].lowest);
      EXPECT_EQ(rows.identity_range[k][i].highest, expected[i].highest);
    }
  }
}

TEST_F(ApiAlign, OfNoPairsAndOfUnusualSequences) {
  EXPECT_EQ(session_.align(set_, set_, std::vector<IndexPair>{}, scoring_).size(), 0u);
  EXPECT_EQ(session_.align(Database(), Database(), std::vector<IndexPair>{}, scoring_).size(), 0u);
  const AlignSummary none =
      session_.align_all(set_, Database(), scoring_, {},
                         [](const Columns& rows, const std::string&) { EXPECT_EQ(rows.size(), 0u); });
  EXPECT_EQ(none.pairs, 0u);
  const SequenceSet odd = set_of({"", "W", "A", "MKWVTFISLL"});
  const std::vector<IndexPair> pairs = every_pair(odd, odd);
  for (const char* mode : {"local", "global", "semiglobal"}) {
    const Scoring scoring = default_scoring(mode);
    EXPECT_TRUE(equal(session_.align(odd, odd, pairs, scoring), expected_rows(odd, odd, pairs, scoring), {},
                      odd, odd, scoring));
  }
}

TEST_F(ApiAlign, AnIndexThatNoSequenceHasIsAnError) {
  for (const IndexPair pair : {IndexPair{12, 0}, IndexPair{0, 12}})
    EXPECT_NE(input_error([&] { session_.align(set_, set_, std::vector<IndexPair>{pair}, scoring_); }), "");
}

}  // namespace
}  // namespace alnus::test
