// Errors that no other test is about: their kinds, their texts, and how programs name options in them.
#include "api/support/errors.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/inputs.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ApiErrors : public testing::Test {
 protected:
  // Expects that the search throws Error(input). Its text names the option by the API's identifier, and can
  // be rendered with the option's name in a program.
  void expect_refused(const SearchOptions& options, const std::string& identifier,
                      const std::string& mode = "local") {
    const Thrown thrown = thrown_by([&] { session_.search(set_, set_, default_scoring(mode), options); });
    EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::input) << identifier << ": " << thrown.text;
    EXPECT_THAT(thrown.text, HasSubstr(identifier));
    for (const char letter : thrown.text)
      EXPECT_GE(static_cast<unsigned char>(letter), 0x20) << "a mark is left";
    const std::string rendered = render_options(thrown.marked, [](std::string_view name) {
      std::string flag = "--" + std::string(name);
      for (char& letter : flag) letter = letter == '_' ? '-' : letter;
      return flag;
    });
    std::string flag = "--" + identifier;
    for (char& letter : flag) letter = letter == '_' ? '-' : letter;
    EXPECT_THAT(rendered, HasSubstr(flag));
    EXPECT_EQ(plain_text(thrown.marked), thrown.text);
  }

  const SequenceSet set_ = relatives_set(1, 5, 50), dna_ = relatives_set(2, 5, 50, AlphabetKind::dna);
  Session session_{session_options()};
};

TEST_F(ApiErrors, SearchOptionsOutOfRange) {
  expect_refused({.max_target_seqs = 0}, "max_target_seqs");
  expect_refused({.evalue = -1}, "evalue");
  expect_refused({.evalue = std::nan("")}, "evalue");
  expect_refused({.min_score = std::nan("")}, "min_score");
  expect_refused({.max_hsps = 0}, "max_hsps");
  expect_refused({.filter = {.min_identity = 101}}, "min_identity");
  expect_refused({.filter = {.min_coverage = -1}}, "min_coverage");
  expect_refused({.filter = {.min_length = 0}}, "min_length");
  expect_works(session_);
}

// tests/api/row_filters_test.cpp has the same of all calls.
TEST_F(ApiErrors, FurtherAlignmentsAndFiltersThatDoNotFit) {
  for (const Detail detail : {Detail::score, Detail::ends}) {
    expect_refused({.detail = detail, .filter = {.min_coverage = 50}}, "detail");
    expect_refused({.detail = detail, .max_hsps = 2}, "detail");
  }
  expect_refused({.max_hsps = 2}, "mode", "global");
  expect_refused({.max_hsps = kAllHsps}, "min_score", "semiglobal");
  expect_works(session_);
}

TEST_F(ApiErrors, StatisticsThatDoNotFit) {
  const auto with = [](auto&& change) {
    SearchOptions options;
    change(options.statistics);
    return options;
  };
  using S = StatisticsOptions;
  expect_refused(with([](S& s) {
                   s.method = StatisticsMethod::zvalue;
                   s.shuffles = ShuffleOptions{.shuffles = 9};
                 }),
                 "shuffles");
  expect_refused(with([](S& s) { s.shuffles = ShuffleOptions{}; }), "shuffles");
  expect_refused(with([](S& s) {
                   s.method = StatisticsMethod::regression;
                   s.composition = Composition::scale;
                 }),
                 "composition");
  expect_refused(with([](S& s) {
                   s.method = StatisticsMethod::zvalue;
                   s.cells = 1e6;
                 }),
                 "searchsp");
  expect_refused(with([](S& s) { s.cells = 0; }), "searchsp");
  expect_refused(with([](S& s) { s.residues = 0; }), "dbsize");
  expect_refused(with([](S& s) {
                   s.method = StatisticsMethod::karlin;
                   s.residues = 1000;
                 }),
                 "dbsize");
  expect_refused(with([](S& s) { s.method = StatisticsMethod::spouge; }), "statistics", "global");
  SearchOptions none;
  none.evalue = 1;
  none.statistics = no_statistics();
  expect_refused(none, "evalue");
}

TEST_F(ApiErrors, AlphabetsThatDoNotFit) {
  const Scoring protein = default_scoring(), dna = default_scoring("local", AlphabetKind::dna);
  const std::vector<IndexPair> pairs = {{0, 0}};
  const std::vector<NamedCall> calls = {
      {"search, queries", [&] { session_.search(dna_, set_, protein); }},
      {"search, database", [&] { session_.search(set_, dna_, protein); }},
      {"search, scoring", [&] { session_.search(set_, set_, dna); }},
      {"align", [&] { session_.align(set_, dna_, pairs, protein); }},
      {"align_all", [&] { session_.align_all(dna_, dna_, protein, {}, [](const auto&...) {}); }},
      {"all_pairs", [&] { session_.all_pairs(dna_, protein, {}, PairSink{}); }},
      {"all_pairs of two sets", [&] { session_.all_pairs(set_, dna_, protein, {}, PairSink{}); }},
      {"z_values", [&] { session_.z_values(dna_, dna_, pairs, {}, protein); }},
      {"identity_range",
       [&] { session_.identity_range(dna_, set_, pairs, protein, Denominator::alignment); }},
  };
  for (const NamedCall& call : calls) {
    const Thrown thrown = thrown_by(call.run);
    EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::input) << call.name << ": " << thrown.text;
  }
  expect_works(session_);
}

TEST_F(ApiErrors, FiltersOfAllPairsThatDoNotFit) {
  const auto refused = [&](const AllPairsOptions& options, const std::string& mode = "local") {
    return input_error([&] { session_.all_pairs(set_, default_scoring(mode), options, PairSink{}); });
  };
  AllPairsOptions options;
  options.filter.evalue = 1;
  EXPECT_THAT(refused(options, "global"), AllOf(HasSubstr("evalue"), HasSubstr("min_score")));
  options = {};
  options.statistics.method = StatisticsMethod::regression;
  EXPECT_NE(refused(options), "") << "a regression is for a search";
  options = {};
  options.filter.min_identity = 101;
  EXPECT_THAT(refused(options), HasSubstr("min_identity"));
  options = {};
  options.self = true;
  EXPECT_THAT(input_error([&] { session_.all_pairs(set_, set_, default_scoring(), options, PairSink{}); }),
              HasSubstr("self"));
}

TEST_F(ApiErrors, EveryTextIsASentence) {
  const std::vector<std::string> texts = {
      input_error([&] { session_.search(set_, set_, default_scoring(), {.max_target_seqs = 0}); }),
      input_error([&] { session_.open("/nowhere/none.fa"); }),
      database_error([&] { session_.open("/nowhere/none.alnus"); }),
      other_error([&] { OutputFile out(session_, "/nowhere/out.tsv"); }),
      input_error([&] { session_.search(dna_, set_, default_scoring()); }),
  };
  for (const std::string& text : texts) {
    ASSERT_FALSE(text.empty());
    EXPECT_TRUE(text.back() == '.' || text.back() == '?') << text;
    EXPECT_LT(text.size(), 600u);
  }
}

TEST_F(ApiErrors, MarksAreOfOptionsAlone) {
  const Error error(ErrorKind::input, option("max_target_seqs") + " is no " + option("evalue") + ".");
  EXPECT_STREQ(error.what(), "max_target_seqs is no evalue.");
  EXPECT_EQ(
      render_options(error.marked(), [](std::string_view name) { return "<" + std::string(name) + ">"; }),
      "<max_target_seqs> is no <evalue>.");
  EXPECT_EQ(plain_text("no option"), "no option");
}

TEST_F(ApiErrors, AScoringsAreNamedByItsWords) {
  ScoringOptions options;
  options.matrix = "BLOSM62";
  EXPECT_THAT(input_error([&] { make_scoring(options); }), HasSubstr("BLOSUM62"));
  options = {};
  options.gap_open = "-3";
  EXPECT_THAT(thrown_by([&] { make_scoring(options); }).text, HasSubstr("gap_open"));
}

// With a budget of one byte a search succeeds, or throws Error(memory) or Error(input).
TEST_F(ApiErrors, TooLittleMemoryIsAnErrorOrWorks) {
  Session small(session_options(1, 1));
  const Thrown thrown = thrown_by([&] { small.search(set_, set_, default_scoring()); });
  EXPECT_TRUE(!thrown.error || thrown.kind == ErrorKind::memory || thrown.kind == ErrorKind::input)
      << thrown.text;
}

}  // namespace
}  // namespace alnus::test
