// The defaults of composition and low complexity in StatisticsOptions, and the warning that comes if they are
// switched off.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Numbers = std::vector<double>;

StatisticsOptions options_of(std::optional<Composition> composition,
                             std::optional<LowComplexity> low_complexity) {
  StatisticsOptions options;
  options.composition = composition;
  options.low_complexity = low_complexity;
  options.residues = 1e5;
  options.sequences = 1e3;
  return options;
}

// BLOSUM62 for the 20 amino acids, so that its published statistics apply. It is not symmetric: B in the
// query scores 1 less.
Scoring asymmetric() {
  const SubstitutionMatrix blosum = SubstitutionMatrix::builtin("BLOSUM62");
  const Residue unlike = Alphabet::protein().encode('B');
  Scoring scoring = default_scoring();
  scoring.matrix = matrix_of([&](int query, int subject) {
    return blosum.value(static_cast<Residue>(query), static_cast<Residue>(subject)) - (query == unlike);
  });
  return scoring;
}

class ApiDefaultStatistics : public testing::Test {
 protected:
  struct Judged {
    Numbers evalue, bits, adjusted_score;
    std::string statistics;
    bool operator==(const Judged&) const = default;
  };
  static Numbers copy(std::span<const double> values) {
    Numbers result(values.begin(), values.end());
    for (double& value : result)
      if (std::isnan(value)) value = -1;  // unlike NaN, -1 equals itself
    return result;
  }
  static Judged judged(const Columns& rows, const std::string& statistics) {
    return {copy(rows.evalue), copy(rows.bits), copy(rows.adjusted_score), statistics};
  }
  RunControl listen() {
    RunControl run;
    run.on_message = [this](const Message& message) {
      if (message.severity == Severity::warning) warnings_.push_back(message.text());
    };
    return run;
  }

  Judged search(const StatisticsOptions& statistics, const Scoring& scoring = default_scoring()) {
    const SearchResult found = session_.search(
        queries_, subjects_, scoring, SearchOptions{.evalue = 1e3, .statistics = statistics}, listen());
    return judged(found.hits.rows, found.summary.statistics);
  }
  Judged align(const StatisticsOptions& statistics, const Scoring& scoring = default_scoring()) {
    const Columns rows =
        session_.align(queries_, subjects_, every_pair(queries_, subjects_), scoring,
                       AlignOptions{.statistics = statistics, .significance = true}, listen());
    return judged(rows, {});
  }
  Judged all_pairs(const StatisticsOptions& statistics, const Scoring& scoring = default_scoring()) {
    Judged all;
    AllPairsOptions options;
    options.statistics = statistics;
    options.filter.evalue = 1e3;
    PairSink sink;
    sink.rows = [&](const Columns& rows, const std::string& text) {
      const Judged some = judged(rows, text);
      all.evalue.insert(all.evalue.end(), some.evalue.begin(), some.evalue.end());
      all.bits.insert(all.bits.end(), some.bits.begin(), some.bits.end());
      all.adjusted_score.insert(all.adjusted_score.end(), some.adjusted_score.begin(),
                                some.adjusted_score.end());
      all.statistics = text;
    };
    session_.all_pairs(queries_, subjects_, scoring, options, sink, listen());
    return all;
  }

  // Expects that search, align and all_pairs have the same results with both options.
  void expect_same(const StatisticsOptions& left, const StatisticsOptions& right, const Scoring& scoring) {
    EXPECT_EQ(search(left, scoring), search(right, scoring));
    EXPECT_EQ(align(left, scoring), align(right, scoring));
    EXPECT_EQ(all_pairs(left, scoring), all_pairs(right, scoring));
  }

  const SequenceSet queries_ = joined(set_of({std::string(60, 'Q') + "MKVLWAALLV"}), relatives_set(3, 3, 60)),
                    subjects_ = joined(set_of({"MKHILWE" + std::string(40, 'Q')}), relatives_set(3, 6, 70));
  Session session_{session_options()};
  std::vector<std::string> warnings_;
};

// The subjects score so high that all E-values are below the smallest double, and are 0.
TEST_F(ApiDefaultStatistics, HitsWithAnEValueOf0AreInTheOrderOfTheirAdjustedScores) {
  Random random(9);
  const Residues query = random_sequence(random, 1000);
  SequenceSetBuilder subjects(AlphabetKind::protein);
  for (std::size_t k = 0; k < 60; ++k) {  // a fifth of a subject is replaced by 1 to 20 kinds of letters
    Residues subject = query;
    for (Residue& residue : subject)
      if (below(random, 100) < 20) residue = static_cast<Residue>(below(random, 1 + k % 20));
    subjects.add("s", subject);
  }
  SequenceSetBuilder queries(AlphabetKind::protein);
  queries.add("q", query);
  const SearchResult found = session_.search(queries.finish(), subjects.finish(), default_scoring(),
                                             SearchOptions{.statistics = options_of({}, {})});
  const Columns& rows = found.hits.rows;
  ASSERT_EQ(rows.size(), 60u);
  EXPECT_THAT(rows.evalue, testing::Each(0));
  EXPECT_TRUE(std::ranges::is_sorted(rows.adjusted_score, std::greater{}));
  EXPECT_FALSE(std::ranges::is_sorted(rows.score, std::greater{}));
}

TEST_F(ApiDefaultStatistics, ProteinsAreAdjustedAndSubjectsMasked) {
  const StatisticsOptions open = options_of({}, {});
  for (const StatisticsMethod method : {StatisticsMethod::spouge, StatisticsMethod::karlin}) {
    StatisticsOptions left = open, right = options_of(Composition::adjust, LowComplexity::statistics);
    left.method = right.method = method;
    expect_same(left, right, default_scoring());
  }
  const Judged found = search(open), plain = search(options_of(Composition::none, LowComplexity::none));
  EXPECT_THAT(found.statistics, HasSubstr("adjusted to the composition of both sequences, low-complexity "
                                          "regions masked"));
  EXPECT_THAT(plain.statistics, HasSubstr("not adjusted to composition, low-complexity regions not masked"));
  EXPECT_NE(found.bits, plain.bits);
  EXPECT_THAT(plain.adjusted_score, testing::Each(-1));
}

TEST_F(ApiDefaultStatistics, AnOptionThatIsGivenLeavesTheOtherOpen) {
  expect_same(options_of(Composition::none, {}), options_of(Composition::none, LowComplexity::statistics),
              default_scoring());
  expect_same(options_of({}, LowComplexity::none), options_of(Composition::adjust, LowComplexity::none),
              default_scoring());
}

TEST_F(ApiDefaultStatistics, AMatrixThatCannotBeAdjustedIsScaled) {
  const Scoring scoring = asymmetric();
  expect_same(options_of({}, {}), options_of(Composition::scale, LowComplexity::statistics), scoring);
  EXPECT_THAT(search(options_of({}, {}), scoring).statistics,
              HasSubstr("scaled by the composition of the query"));
  EXPECT_THAT(input_error([&] { search(options_of(Composition::adjust, {}), scoring); }),
              HasSubstr("adjust needs a symmetric matrix"));
}

TEST_F(ApiDefaultStatistics, OtherMethodsAreNotAdjusted) {
  for (const StatisticsMethod method : {StatisticsMethod::regression, StatisticsMethod::zvalue}) {
    StatisticsOptions options = options_of({}, {});
    options.method = method;
    EXPECT_THAT(search(options).adjusted_score, testing::Each(-1));
  }
}

TEST_F(ApiDefaultStatistics, QueriesOfLowComplexityAreWarnedOfWhereTheDefaultIsOff) {
  search(options_of({}, {}));
  align(options_of({}, {}));
  all_pairs(options_of({}, {}));
  EXPECT_THAT(warnings_, IsEmpty());
  const std::string warning =
      "More than half of a query is of low complexity (s0). With low_complexity none chance gives such "
      "queries "
      "more hits than E-values say: leave low_complexity none out, or mask by mask seg.";
  search(options_of({}, LowComplexity::none));
  align(options_of({}, LowComplexity::none));
  all_pairs(options_of({}, LowComplexity::none));
  EXPECT_THAT(warnings_, ElementsAre(warning, warning, warning));
}

TEST_F(ApiDefaultStatistics, TheWarningCountsAndNamesTheFirst) {
  std::vector<std::string> letters(600, "MKVLAWTREQNDCHIGYFPS");
  for (const std::size_t k : {300, 450, 599}) letters[k] = std::string(40, 'A');
  letters[100] = "MKVLAWTREQNDCHIGYFPSMKVLAWTREQND" + std::string(31, 'A');  // less than half are A
  SearchOptions options;
  options.statistics = options_of(Composition::none, LowComplexity::none);
  const auto warned = [&] {
    warnings_.clear();
    session_.search(set_of(letters), subjects_, default_scoring(), options, listen());
    return warnings_;
  };
  EXPECT_THAT(warned(),
              ElementsAre(HasSubstr("More than half of 3 queries is of low complexity (the first is "
                                    "s300). With composition none and low_complexity none ")));
  options.statistics.low_complexity.reset();
  EXPECT_THAT(warned(), ElementsAre(HasSubstr("With composition none chance")));
  options.statistics.method = StatisticsMethod::regression;
  EXPECT_THAT(warned(), testing::Not(testing::Contains(HasSubstr("low complexity"))));
}

}  // namespace
}  // namespace alnus::test
