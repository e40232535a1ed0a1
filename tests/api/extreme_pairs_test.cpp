// Public calls on proteins of extreme composition: values are finite numbers, and adjusted scores equal those
// of AdjustedScoreReference.
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "api/support/inputs.h"
#include "support/adjusted_score_reference.h"
#include "support/device_check.h"
#include "support/extreme_proteins.h"

namespace alnus::test {
namespace {

class ApiExtremePairs : public testing::TestWithParam<std::string> {
 protected:
  ApiExtremePairs() {
    for (Index q = 0; q < queries_.size(); ++q) by_query_.push_back(reference_.query(queries_.residues(q)));
  }
  static Scoring scoring_of(const std::string& matrix) {
    ScoringOptions options;
    options.matrix = matrix;
    return make_scoring(options);
  }

  double expected(Index query, Index subject) {
    const auto of_query = queries_.residues(query), of_subject = subjects_.residues(subject);
    const std::int32_t score = align_reference(of_query, of_subject, scoring_, Detail::score).score;
    return reference_.score(by_query_[query], reference_.subject(of_subject, of_query, score));
  }
  void expect_numbers(const Columns& rows) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Index query = rows.query[k], subject = rows.subject[k];
      ASSERT_EQ(rows.adjusted_score[k], expected(query, subject)) << query << ' ' << subject;
      ASSERT_TRUE(std::isfinite(rows.bits[k])) << query << ' ' << subject;
      ASSERT_TRUE(std::isfinite(rows.evalue[k]) && rows.evalue[k] >= 0) << query << ' ' << subject;
    }
  }

  const Scoring scoring_ = scoring_of(GetParam());
  const SequenceSet queries_ = extreme_proteins(5, 42), subjects_ = extreme_proteins(6, 98);
  AdjustedScoreReference reference_{scoring_};
  std::vector<AdjustedScoreReference::Sequence> by_query_;
  Session session_{session_options()};
};

TEST_P(ApiExtremePairs, ASearchByDefaultListsNumbers) {
  for (const double evalue : {10.0, 1e6}) {
    SearchOptions options;
    options.evalue = evalue;
    const Columns rows = session_.search(queries_, subjects_, scoring_, options).hits.rows;
    EXPECT_GT(rows.size(), 10u);
    expect_numbers(rows);
    for (const double found : rows.evalue) EXPECT_LE(found, evalue);
  }
}

TEST_P(ApiExtremePairs, AlignTellsOfEveryPair) {
  AlignOptions options;
  options.significance = true;
  options.statistics.residues = 1e6;
  options.statistics.sequences = 1e3;
  const Columns rows =
      session_.align(queries_, subjects_, every_pair(queries_, subjects_), scoring_, options);
  ASSERT_EQ(rows.size(), std::size_t{queries_.size()} * subjects_.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Index query = rows.query[k], subject = rows.subject[k];
    if (queries_.length(query) == 0 || subjects_.length(subject) == 0) {
      ASSERT_TRUE(std::isnan(rows.evalue[k]) && std::isnan(rows.adjusted_score[k]));  // nothing to align
      continue;
    }
    ASSERT_EQ(rows.adjusted_score[k], expected(query, subject)) << query << ' ' << subject;
    ASSERT_TRUE(std::isfinite(rows.bits[k]) && std::isfinite(rows.evalue[k]) && rows.evalue[k] >= 0);
  }
}

TEST_P(ApiExtremePairs, AllPairsListNumbers) {
  AllPairsOptions options;
  options.filter.evalue = 1e4;
  std::size_t count = 0;
  session_.all_pairs(queries_, subjects_, scoring_, options,
                     {.rows = [&](const Columns& rows, const std::string&) {
                       count += rows.size();
                       expect_numbers(rows);
                     }});
  EXPECT_GT(count, 10u);
}

INSTANTIATE_TEST_SUITE_P(Api, ApiExtremePairs, testing::Values("BLOSUM62", "BLOSUM45", "PAM30"),
                         [](const auto& info) { return info.param; });

// A matrix that is not symmetric cannot be adjusted. By default E-values then follow from the query's
// composition (Composition::scale).
TEST(ApiExtremePairsByStatedScores, ASearchByDefaultListsNumbers) {
  const SubstitutionMatrix stated = SubstitutionMatrix::builtin("BLOSUM62");
  const Residue stop = Alphabet::protein().encode('*');
  Scoring scoring = default_scoring();
  scoring.matrix = matrix_of([&](int query, int subject) {
    return stated.value(static_cast<Residue>(query), static_cast<Residue>(subject)) - (query == stop);
  });
  SearchOptions options;
  options.evalue = 1e6;
  Session session(session_options());
  const Columns rows =
      session.search(extreme_proteins(5, 42), extreme_proteins(6, 98), scoring, options).hits.rows;
  EXPECT_GT(rows.size(), 100u);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_TRUE(std::isfinite(rows.adjusted_score[k]) && std::isfinite(rows.bits[k]));
    EXPECT_TRUE(rows.evalue[k] >= 0 && rows.evalue[k] <= options.evalue);
  }
}

}  // namespace
}  // namespace alnus::test
