// Adjusted matrices of pairs of extreme composition: they are equal with all instruction sets, and close to
// those of the formula. Alignment scores by such matrices are tested in engine/extreme_pairs_test.cpp.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

#include "stats/adjusted_matrix.h"
#include "stats/pair_balance.h"
#include "stats/theta_search.h"
#include "support/adjusted_score_reference.h"
#include "support/extreme_proteins.h"
#include "support/sizes.h"

namespace alnus::stats {
namespace {

Scoring scoring_of(const std::string& matrix) {
  ScoringOptions options;
  options.matrix = matrix;
  return make_scoring(options);
}

class ExtremeBalances : public testing::TestWithParam<std::string> {
 protected:
  using Sequence = test::AdjustedScoreReference::Sequence;

  ExtremeBalances() {
    for (int i = 0; i < kAminoAcids; ++i)
      for (int j = 0; j < kAminoAcids; ++j) {
        const double exponent =
            adjuster().lambda() * scoring_.matrix.value(static_cast<Residue>(i), static_cast<Residue>(j));
        const auto found = std::ranges::find(exponents_, exponent);
        number_[i][j] = static_cast<std::uint8_t>(found - exponents_.begin());
        if (found == exponents_.end()) exponents_.push_back(exponent);
      }
    const SequenceSet queries = test::extreme_proteins(3, kQueries),
                      subjects = test::extreme_proteins(4, kSubjects);
    for (SequenceSet::Index q = 0; q < kQueries; ++q)
      queries_.push_back(reference_.query(queries.residues(q)));
    for (SequenceSet::Index s = 0; s < kSubjects; ++s)
      subjects_.push_back(reference_.subject(subjects.residues(s)));
  }

  const test::ReferenceAdjuster& adjuster() const { return reference_.adjuster(); }
  BalanceJob job(const Sequence& query, std::span<const Sequence> subjects) const {
    BalanceJob job;
    job.number = number_;
    job.exponents = exponents_.data();
    job.exponent_count = static_cast<int>(exponents_.size());
    job.entropy = adjuster().entropy();
    job.slope = adjuster().slope();
    job.p = query.frequencies.data();
    for (std::size_t k = 0; k < kMostPairs; ++k)
      for (std::size_t i = 0; i < kAminoAcids; ++i) job.r[i][k] = subjects[k].frequencies[i];
    return job;
  }
  // Returns by how much the margins of the pair's q differ from p and r at most.
  double most_off_margins(const BalanceJob& job, int pair) const {
    double off = 0;
    for (int i = 0; i < kAminoAcids; ++i) {
      double row = 0, column = 0;
      for (int j = 0; j < kAminoAcids; ++j) {
        const double weight = std::exp(job.theta[pair] * exponents_[number_[i][j]]);
        row += job.r[j][pair] * weight * std::exp(job.log_b[j][pair]);
        column += job.p[j] * weight * std::exp(job.log_a[j][pair]);
      }
      off = std::max({off, job.p[i] * std::abs(row * std::exp(job.log_a[i][pair]) - 1),
                      job.r[i][pair] * std::abs(column * std::exp(job.log_b[i][pair]) - 1)});
    }
    return off;
  }

  static constexpr SequenceSet::Index kQueries = 56, kSubjects = 72;
  const Scoring scoring_ = scoring_of(GetParam());
  test::AdjustedScoreReference reference_{scoring_};
  std::uint8_t number_[kAminoAcids][kAminoAcids];
  std::vector<double> exponents_;
  std::vector<Sequence> queries_, subjects_;
};

TEST_P(ExtremeBalances, AreTheSameBitsWithEveryInstructionSet) {
  Balance list[kMostBalances];
  const int count = supported_balances(list);
  for (const Sequence& query : queries_)
    for (std::size_t first = 0; first < kSubjects; first += kMostPairs) {
      const BalanceJob given = job(query, std::span(subjects_).subspan(first, kMostPairs));
      BalanceJob expected = given;
      list[0](expected);
      for (int kind = 1; kind < count; ++kind) {
        BalanceJob found = given;
        list[kind](found);
        ASSERT_EQ(std::memcmp(found.theta, expected.theta, sizeof found.theta), 0);
        ASSERT_EQ(std::memcmp(found.found, expected.found, sizeof found.found), 0);
        ASSERT_EQ(std::memcmp(found.log_a, expected.log_a, sizeof found.log_a), 0);
        ASSERT_EQ(std::memcmp(found.log_b, expected.log_b, sizeof found.log_b), 0);
      }
      for (int k = 0; k < kMostPairs; ++k) {
        ASSERT_GE(expected.theta[k], kLeastTheta);
        ASSERT_LE(expected.theta[k], kMostTheta);
        // If theta ends at its limit, no frequencies have the entropy, and margins are exact only to 0.01.
        // The entropy is exact only to 0.001, because the last round does not always find PAM30's theta.
        const bool ended = expected.theta[k] == kMostTheta || expected.theta[k] == kLeastTheta;
        ASSERT_LT(most_off_margins(expected, k), ended ? 1e-2 : 1e-5);
        ASSERT_TRUE(ended || std::abs(expected.found[k] - given.entropy) < 1e-3);
      }
    }
}

// The iteration ends before it reaches the formula's matrix, but its scores are close to those of the
// formula. The tolerance is larger for PAM30: its entropy is near the highest that such pairs can have, where
// theta hardly changes the entropy's value, so theta is less exact.
TEST_P(ExtremeBalances, MatricesAreNearThoseOfTheFormula) {
  const std::size_t pairs = test::kSanitized ? 5 : 60;
  const double off = GetParam() == "PAM30" ? 1 : 0.05;
  test::Random random(5);
  for (std::size_t compared = 0; compared < pairs;) {
    const Sequence &query = queries_[test::below(random, kQueries)],
                   &subject = subjects_[test::below(random, kSubjects)];
    const double theta = adjuster().matrix(query.frequencies, subject.frequencies).theta;
    if (theta == kMostTheta || theta == kLeastTheta) continue;
    ++compared;
    const PairScores found = reference_.matrix(query, subject);
    const test::AdjustedSolution expected = test::solve_for_entropy(
        scoring_, adjuster().lambda(), query.frequencies, subject.frequencies, adjuster().entropy());
    for (std::size_t i = 0; i < kAminoAcids; ++i)
      for (std::size_t j = 0; j < kAminoAcids; ++j)
        ASSERT_NEAR(found[j * kMaxLetters + i], adjuster().factor() * expected.scores[i][j], 0.5 + off)
            << compared << ' ' << i << ' ' << j << ' ' << theta;
  }
}

INSTANTIATE_TEST_SUITE_P(Stats, ExtremeBalances, testing::Values("BLOSUM62", "BLOSUM45", "PAM30"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace alnus::stats
