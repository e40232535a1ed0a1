// Adjusted scores in all calls: align returns the adjusted score of each pair, and the E-values that filter
// all pairs and searches are computed from it.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using Index = SequenceSet::Index;
using Pairs = std::set<std::pair<Index, Index>>;

constexpr double kLimit = 0.5;
// In these sets no pair passes whose unadjusted E-value is above kFactor * kLimit.
constexpr double kFactor = 30;

// Proteins, some of them with regions of low complexity, by which unrelated proteins seem related.
SequenceSet proteins(unsigned seed) {
  const SequenceSet random = random_set({.seed = seed, .count = 25, .shortest = 20, .longest = 120});
  std::vector<std::string> letters;
  for (Index i = 0; i < random.size(); ++i) {
    std::string one;
    for (const Residue residue : random.residues(i)) one += Alphabet::protein().decode(residue);
    if (i % 3 == 0) one.insert(one.size() / 2, std::string(15 + i, "QSE"[i % 2]));
    letters.push_back(one);
  }
  return joined(set_of(letters), relatives_set(4, 5, 50));
}

class ApiAdjustedScores : public testing::Test {
 protected:
  StatisticsOptions statistics(bool adjusted) const {
    StatisticsOptions options;
    options.composition = adjusted ? Composition::adjust : Composition::none;
    options.low_complexity = adjusted ? LowComplexity::statistics : LowComplexity::none;
    options.residues = static_cast<double>(subjects_.total_residues());
    return options;
  }
  Columns align(bool adjusted) {
    return session_.align(queries_, subjects_, every_pair(queries_, subjects_), scoring_,
                          {.statistics = statistics(adjusted), .significance = true});
  }
  // Returns the pairs that pass kLimit, computed from the rows of align(): the adjusted E-value of a pair is
  // at most kLimit, and its unadjusted one at most kFactor * kLimit.
  Pairs expected() {
    const Columns plain = align(false), adjusted = align(true);
    Pairs passing;
    bool cut = false;
    for (std::size_t k = 0; k < plain.size(); ++k) {
      const bool passes = adjusted.evalue[k] <= kLimit && plain.evalue[k] <= kFactor * kLimit;
      if (passes) passing.emplace(plain.query[k], plain.subject[k]);
      cut |= !passes && plain.evalue[k] <= kLimit;
    }
    EXPECT_TRUE(cut) << "no pair passes by its score alone";
    EXPECT_GT(passing.size(), 10u);
    return passing;
  }

  const Scoring scoring_ = default_scoring();
  const SequenceSet queries_ = proteins(1), subjects_ = proteins(2);
  Session session_{session_options()};
};

TEST_F(ApiAdjustedScores, AlignHasTheScoreAndTheAdjustedOne) {
  const Columns plain = align(false), adjusted = align(true);
  ASSERT_EQ(plain.size(), adjusted.size());
  for (std::size_t k = 0; k < plain.size(); ++k) {
    EXPECT_EQ(plain.score[k], adjusted.score[k]);
    EXPECT_EQ(plain.query_begin[k], adjusted.query_begin[k]);
    EXPECT_TRUE(std::isnan(plain.adjusted_score[k]));
    EXPECT_GE(adjusted.adjusted_score[k], 0);
    const double bits = (0.267 * adjusted.adjusted_score[k] - std::log(0.041)) / std::log(2.0);
    EXPECT_NEAR(adjusted.bits[k], bits, 1e-9);
    EXPECT_EQ(*adjusted.row(k).significance.adjusted_score, adjusted.adjusted_score[k]);
  }
}

TEST_F(ApiAdjustedScores, AllPairsFilterByThem) {
  const Pairs wanted = expected();
  AllPairsOptions options;
  options.filter.evalue = kLimit;
  options.statistics = statistics(true);
  for (const std::uint64_t memory : {1ULL << 30, 8ULL << 20}) {
    Session session(session_options(2, memory));
    Pairs found;
    session.all_pairs(queries_, subjects_, scoring_, options,
                      {.rows = [&](const Columns& rows, const std::string& text) {
                        EXPECT_THAT(text, testing::HasSubstr("adjusted to the composition of both "));
                        for (std::size_t k = 0; k < rows.size(); ++k) {
                          found.emplace(rows.query[k], rows.subject[k]);
                          EXPECT_LE(rows.evalue[k], kLimit);
                          EXPECT_FALSE(std::isnan(rows.adjusted_score[k]));
                        }
                      }});
    EXPECT_EQ(found, wanted);
  }
}

// The only output is edges, without rows. The limit of E-values must hold all the same.
TEST_F(ApiAdjustedScores, EdgesAreThePairsThatPass) {
  const TempDir folder;
  const Pairs wanted = expected();
  AllPairsOptions options;
  options.filter.evalue = kLimit;
  options.value = MatrixValue{PairValue::score};
  options.statistics = statistics(true);
  const auto edges_above = [&](double threshold) {
    PairFiles files;
    files.edges = folder.file("edges.tsv");
    files.edge_threshold = threshold;
    session_.all_pairs({queries_, subjects_}, scoring_, options, files);
    std::ifstream edges(files.edges);
    std::vector<double> scores;
    std::string query, subject;
    for (double score = 0; edges >> query >> subject >> score;) scores.push_back(score);
    return scores;
  };
  const std::vector<double> all = edges_above(0);
  EXPECT_EQ(all.size(), wanted.size());
  const double middle = (*std::ranges::min_element(all) + *std::ranges::max_element(all)) / 2;
  std::vector<double> high;
  std::ranges::copy_if(all, std::back_inserter(high), [&](double score) { return score >= middle; });
  EXPECT_LT(high.size(), all.size());
  EXPECT_EQ(edges_above(middle), high);
}

TEST_F(ApiAdjustedScores, ASearchHasTheSameHits) {
  const Pairs wanted = expected();
  SearchOptions options{.evalue = kLimit};
  options.statistics = statistics(true);
  const SearchResult result = session_.search(queries_, subjects_, scoring_, options);
  Pairs found;
  for (std::size_t k = 0; k < result.hits.rows.size(); ++k)
    found.emplace(result.hits.rows.query[k], result.hits.rows.subject[k]);
  EXPECT_EQ(found, wanted);
}

TEST_F(ApiAdjustedScores, OptionsThatDoNotFitAreErrors) {
  const auto message = [&](const Scoring& scoring, const StatisticsOptions& statistics) {
    const AlphabetKind alphabet = scoring.matrix.alphabet();
    const SequenceSet set = random_set({.seed = 3, .count = 2, .alphabet = alphabet});
    return error_of(ErrorKind::input,
                    [&] { session_.search(set, set, scoring, SearchOptions{.statistics = statistics}); });
  };
  const StatisticsOptions adjust{.composition = Composition::adjust},
      mask{.low_complexity = LowComplexity::statistics};
  const Scoring rising =
      make_scoring({.match = "3", .mismatch = "-1", .gap_open = "20", .alphabet = AlphabetKind::dna});
  EXPECT_THAT(message(rising, adjust), testing::HasSubstr("adjust needs"));
  for (StatisticsOptions options : {adjust, mask}) {
    options.method = StatisticsMethod::regression;
    EXPECT_THAT(message(scoring_, options), testing::HasSubstr("spouge and karlin"));
  }
}

}  // namespace
}  // namespace alnus::test
