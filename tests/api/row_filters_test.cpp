// Filters of rows in calls of a session: which options are refused, what users are warned of, and what a
// filter by E-values does to pairs that are given.
#include <cmath>
#include <cstdint>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ApiRowFilters : public testing::Test {
 protected:
  using ShortRow = std::tuple<Index, Index, std::int32_t>;  // query, subject and score

  static std::vector<ShortRow> in_short(const Columns& rows) {
    std::vector<ShortRow> result;
    for (std::size_t i = 0; i < rows.size(); ++i)
      result.emplace_back(rows.query[i], rows.subject[i], rows.score[i]);
    return result;
  }

  // Calls of every kind whose rows a filter may leave out. They throw what the call throws.
  std::vector<NamedCall> calls(const AlignOptions& options, const std::string& mode = "local",
                               const RunControl& run = {}) {
    SearchOptions of_search;
    of_search.detail = options.detail;
    of_search.max_hsps = options.max_hsps;
    of_search.min_score = options.min_score;
    of_search.filter = options.filter;
    of_search.statistics = options.statistics;
    const Scoring scoring = default_scoring(mode);
    const RowSink sink = [](const Columns&, const std::string&) {};
    return {
        {"search", [=, this] { session_.search(set_, set_, scoring, of_search, run); }},
        {"align", [=, this] { session_.align(set_, set_, pairs_, scoring, options, run); }},
        {"align_all", [=, this] { session_.align_all(set_, set_, scoring, options, sink, run); }},
    };
  }
  // Expects that every call is refused with a text that has all these words.
  void expect_refused(const AlignOptions& options, const std::vector<std::string>& words,
                      const std::string& mode = "local") {
    for (const NamedCall& call : calls(options, mode)) {
      SCOPED_TRACE(call.name);
      const std::string text = input_error(call.run);
      for (const std::string& word : words) EXPECT_THAT(text, HasSubstr(word));
    }
    const Scoring scoring = default_scoring(mode);
    EXPECT_NE(input_error([&] { session_.cost_of_align(set_, set_, pairs_, false, scoring, options); }), "");
  }
  // Returns the warnings of every call; the test fails if they differ from call to call.
  std::vector<std::string> warnings(const RowFilter& filter, const std::string& mode = "local") {
    AlignOptions options;
    options.filter = filter;
    options.statistics = no_statistics();
    std::vector<std::string> messages;
    RunControl run;
    run.on_message = [&](const Message& message) {
      if (message.severity == Severity::warning) messages.push_back(message.text());
    };
    std::vector<std::vector<std::string>> all;
    for (const NamedCall& call : calls(options, mode, run)) {
      messages.clear();
      call.run();
      all.push_back(messages);
    }
    EXPECT_THAT(all, ::testing::Each(all.front()));
    return all.front();
  }

  const SequenceSet set_ = joined(relatives_set(1, 6, 60), random_set({.seed = 2, .count = 4}));
  const std::vector<IndexPair> pairs_ = every_pair(set_, set_);
  Session session_{session_options()};
};

// ---- Errors ----

TEST_F(ApiRowFilters, NeedAlignments) {
  for (const Detail detail : {Detail::score, Detail::ends}) {
    AlignOptions options;
    options.detail = detail;
    for (const RowFilter& filter :
         {RowFilter{.min_identity = 0}, RowFilter{.min_coverage = 50}, RowFilter{.min_length = 1}}) {
      options.filter = filter;
      expect_refused(options, {"min_identity", "min_coverage", "min_length", "detail alignment"});
    }
    options.filter = {.denominator = Denominator::longer, .coverage_of = CoverageOf::query};
    options.min_score = 30;
    for (const NamedCall& call : calls(options)) EXPECT_NO_THROW(call.run()) << call.name;
  }
}

TEST_F(ApiRowFilters, TakePercentAndColumns) {
  AlignOptions options;
  for (const double percent :
       {-0.001, 100.001, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    options.filter = {.min_identity = percent};
    expect_refused(options, {"min_identity takes percent from 0 to 100"});
    options.filter = {.min_coverage = percent};
    expect_refused(options, {"min_coverage takes percent from 0 to 100"});
  }
  options.filter = {.min_length = 0};
  expect_refused(options, {"min_length is 0; it must be 1 or more."});
  options.filter = {.min_identity = 100, .min_coverage = 100, .min_length = 1};
  for (const NamedCall& call : calls(options)) EXPECT_NO_THROW(call.run()) << call.name;
}

// In mode semiglobal any place of the subject has an alignment.
TEST_F(ApiRowFilters, AllAlignmentsNeedALowestScoreInModeSemiglobal) {
  AlignOptions options;
  options.max_hsps = kAllHsps;
  expect_refused(options, {"max_hsps all needs min_score", "mode semiglobal"}, "semiglobal");
  options.filter.min_identity = 90;
  expect_refused(options, {"max_hsps all needs min_score"}, "semiglobal");
  options.min_score = 60;
  for (const char* mode : {"semiglobal", "local"})
    for (const NamedCall& call : calls(options, mode)) EXPECT_NO_THROW(call.run()) << mode << call.name;
  options.max_hsps = 3;
  options.min_score.reset();
  for (const NamedCall& call : calls(options, "semiglobal")) EXPECT_NO_THROW(call.run()) << call.name;
}

TEST_F(ApiRowFilters, FurtherAlignmentsNeedTheirModeAndDetail) {
  AlignOptions options;
  options.max_hsps = 2;
  expect_refused(options, {"max_hsps 2 is for mode local"}, "global");
  options.max_hsps = kAllHsps;
  expect_refused(options, {"max_hsps all is for mode local"}, "global");
  options.min_score = 60;
  options.detail = Detail::ends;
  expect_refused(options, {"max_hsps all needs alignments; choose detail alignment."});
  options.max_hsps = 0;
  expect_refused(options, {"max_hsps is 0; it must be 1 or more."});
}

// ---- E-values of pairs that are given ----

TEST_F(ApiRowFilters, AnEvalueOfGivenPairsNeedsASearchSpace) {
  const auto refused = [&](const AlignOptions& options, const std::string& mode = "local") {
    return input_error([&] { session_.align(set_, set_, pairs_, default_scoring(mode), options); });
  };
  AlignOptions options;
  options.evalue = 1;
  EXPECT_THAT(refused(options), AllOf(HasSubstr("evalue needs the size of a search"), HasSubstr("dbsize")));
  EXPECT_THAT(refused(options, "global"), AllOf(HasSubstr("evalue"), HasSubstr("min_score")));
  options.significance = true;
  EXPECT_THAT(refused(options), HasSubstr("dbsize"));
  options.statistics.residues = 1e6;
  EXPECT_THAT(refused(options, "global"), HasSubstr("mode global"));
  options.statistics.method = StatisticsMethod::none;
  for (const char* mode : {"local", "global"})
    EXPECT_THAT(refused(options, mode), HasSubstr("evalue needs E-values, and statistics none gives none."));
  options.statistics = {.method = StatisticsMethod::zvalue};
  for (const char* mode : {"local", "global"})
    EXPECT_THAT(refused(options, mode), HasSubstr("evalue needs the size of a search"));
  options.statistics = {};
  for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    options.evalue = wrong;
    options.statistics.residues = 1e6;
    EXPECT_THAT(refused(options), HasSubstr("evalue takes a number not below 0"));
  }
}

TEST_F(ApiRowFilters, AnEvalueLeavesOutGivenPairsWhetherItIsShownOrNot) {
  const Scoring scoring = default_scoring();
  for (const bool by_cells : {false, true}) {
    SCOPED_TRACE(by_cells);
    AlignOptions options;
    options.significance = true;
    if (by_cells)
      options.statistics.cells = 1e9;
    else
      options.statistics.residues = 1e6;
    const Columns all = session_.align(set_, set_, pairs_, scoring, options);
    std::vector<ShortRow> expected;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!(all.evalue[i] > 1e-6)) expected.emplace_back(all.query[i], all.subject[i], all.score[i]);
    ASSERT_LT(expected.size(), all.size());
    ASSERT_FALSE(expected.empty());
    options.evalue = 1e-6;
    const Columns shown = session_.align(set_, set_, pairs_, scoring, options);
    EXPECT_EQ(in_short(shown), expected);
    EXPECT_EQ(shown.evalue.size(), shown.size());
    options.significance = false;
    const Columns hidden = session_.align(set_, set_, pairs_, scoring, options);
    EXPECT_EQ(in_short(hidden), expected);
    EXPECT_TRUE(hidden.evalue.empty());
    EXPECT_TRUE(hidden.bits.empty());
  }
}

// Shuffles judge only the first alignment of a pair.
TEST_F(ApiRowFilters, AnEvalueOfShufflesDecidesAboutAllRowsOfAPair) {
  AlignOptions options{.significance = true, .max_hsps = 2};
  options.statistics.method = StatisticsMethod::zvalue;
  options.statistics.residues = 1e6;
  options.statistics.sequences = 1e4;
  options.statistics.shuffles = ShuffleOptions{.shuffles = 20};
  const Scoring scoring = default_scoring();
  const Columns all = session_.align(set_, set_, pairs_, scoring, options);
  std::vector<ShortRow> expected;
  std::size_t further = 0;
  bool passes = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.hsp[i] == 1)
      passes = !(all.evalue[i] > 1);
    else
      EXPECT_TRUE(std::isnan(all.evalue[i]));
    if (passes) expected.emplace_back(all.query[i], all.subject[i], all.score[i]);
    if (!passes && all.hsp[i] > 1) ++further;
  }
  EXPECT_GT(further, 0U);
  ASSERT_FALSE(expected.empty());
  options.evalue = 1;
  EXPECT_EQ(in_short(session_.align(set_, set_, pairs_, scoring, options)), expected);
}

TEST_F(ApiRowFilters, PairsWithoutARowAreCounted) {
  const SequenceSet set = set_of({"WWWW", "CCCC", "WWW"});
  std::size_t rows = 0;
  const RowSink sink = [&](const Columns& batch, const std::string&) { rows += batch.size(); };
  const auto align_all = [&](const AlignOptions& options) {
    rows = 0;
    return session_.align_all(set, set, default_scoring(), options, sink);
  };
  AlignSummary summary = align_all({});
  EXPECT_EQ(rows, 9U);
  EXPECT_EQ(summary.left_out, 0U);
  EXPECT_EQ(summary.empty, 4U);
  summary = align_all({.min_score = 34});  // WWW with WWW or WWWW scores 33, WWWW and CCCC score 44 and 36
  EXPECT_EQ(rows, 2U);
  EXPECT_EQ(summary.pairs, 9U);
  EXPECT_EQ(summary.left_out, 7U);
  EXPECT_EQ(summary.empty, 0U);
  summary = align_all({.filter = {.min_coverage = 75, .coverage_of = CoverageOf::both}});
  EXPECT_EQ(rows, 5U);  // WWW covers 75 percent of WWWW
  EXPECT_EQ(summary.left_out, 4U);
  EXPECT_EQ(summary.empty, 0U);
  summary = align_all({.max_hsps = 3, .filter = {.min_length = 3}});
  EXPECT_EQ(summary.left_out, 4U) << "a pair counts once, however many of its alignments are left out";
}

// ---- Warnings ----

TEST_F(ApiRowFilters, AnIdentityThatAFewResiduesHaveIsAWarning) {
  const auto warning = AllOf(HasSubstr("min_identity is relative to the aligned columns"),
                             HasSubstr("a local alignment may be only a few residues long"),
                             HasSubstr("Add min_coverage X or min_length N, or divide by more"),
                             HasSubstr("identity shorter, longer or mean"));
  EXPECT_THAT(warnings({.min_identity = 50}), ElementsAre(warning));
  EXPECT_THAT(warnings({.min_identity = 50, .denominator = Denominator::ungapped}), ElementsAre(warning));
  EXPECT_THAT(warnings({.min_identity = 50}, "semiglobal"),
              ElementsAre(HasSubstr("a semiglobal alignment may be only a few residues long")));
  EXPECT_THAT(warnings({.min_identity = 50}, "global"), IsEmpty());
  EXPECT_THAT(warnings({.min_identity = 0}), IsEmpty());
  EXPECT_THAT(warnings({.min_identity = 50, .min_coverage = 30}), IsEmpty());
  EXPECT_THAT(warnings({.min_identity = 50, .min_length = 20}), IsEmpty());
  EXPECT_THAT(warnings({.min_coverage = 30, .min_length = 20}), IsEmpty());
  for (const Denominator by :
       {Denominator::shorter, Denominator::longer, Denominator::mean, Denominator::with_end_gaps})
    EXPECT_THAT(warnings({.min_identity = 50, .denominator = by}), IsEmpty());
}

TEST_F(ApiRowFilters, AShareInPlaceOfPercentIsAWarning) {
  EXPECT_THAT(warnings({.min_identity = 0.9, .denominator = Denominator::shorter}),
              ElementsAre("min_identity 0.9 means 0.9 percent, which drops next to nothing. For 90 percent "
                          "write 90."));
  EXPECT_THAT(warnings({.min_coverage = 0.5}), ElementsAre(HasSubstr("min_coverage 0.5 means 0.5 percent")));
  EXPECT_THAT(warnings({.min_identity = 0.9, .min_coverage = 0.5}),
              ElementsAre(HasSubstr("min_identity 0.9"), HasSubstr("min_coverage 0.5")));
  for (const double percent : {0.0, 1.0, 90.0})
    EXPECT_THAT(warnings({.min_identity = percent, .min_coverage = percent}),
                Not(Contains(HasSubstr("drops next to nothing"))));
}

TEST_F(ApiRowFilters, ACoverageInModeGlobalIsAWarning) {
  EXPECT_THAT(warnings({.min_coverage = 50}, "global"),
              ElementsAre("A global alignment covers both sequences completely, so that min_coverage drops "
                          "nothing."));
  EXPECT_THAT(warnings({.min_coverage = 0}, "global"), IsEmpty());
  for (const char* mode : {"local", "semiglobal"})
    EXPECT_THAT(warnings({.min_coverage = 50}, mode), IsEmpty()) << mode;
}

}  // namespace
}  // namespace alnus::test
