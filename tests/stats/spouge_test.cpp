// The expected E-values are those that blastp 2.12.0 printed (-comp_based_stats 0 -seg no) for the proteins
// of mmseqs2-examples, 20,000 sequences of 9,055,569 residues.
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "stats/evalue.h"
#include "support/scorings.h"

namespace alnus::stats {
namespace {

using test::protein;

const SearchSpace kDatabase{9055569, 20000, {}};

ScoreJudgePtr of(const Scoring& scoring, std::uint64_t query, const SearchSpace& space = kDatabase) {
  return spouge_judge(*published_parameters(scoring), scoring, query, space);
}

TEST(Spouge, EvaluesAndBitsAreBlastps) {
  struct Case {
    const char *matrix, *open, *extend;
    std::uint64_t query, subject;
    std::int32_t score;
    double evalue, unit, bits;  // unit: that of the last printed digit
  };
  const std::vector<Case> cases = {
      {"BLOSUM62", "11", "1", 144, 2903, 59, 3.1, 0.1, 27.3},
      {"BLOSUM62", "11", "1", 144, 783, 55, 9.6, 0.1, 25.8},
      {"BLOSUM62", "11", "1", 2005, 1692, 314, 1.38e-28, 1e-30, 125},
      {"BLOSUM62", "11", "1", 2005, 529, 91, 0.014, 0.001, 39.7},
      {"BLOSUM62", "11", "1", 2005, 1947, 76, 1.0, 0.1, 33.9},
      {"BLOSUM62", "11", "1", 5478, 1224, 580, 1.24e-59, 1e-61, 228},
      {"BLOSUM62", "11", "1", 5478, 1108, 72, 8.0, 0.1, 32.3},
      {"BLOSUM45", "14", "2", 144, 514, 78, 2.4, 0.1, 26.9},
      {"BLOSUM45", "14", "2", 2005, 927, 115, 0.077, 0.001, 37.3},
      {"BLOSUM45", "14", "2", 2005, 308, 100, 0.90, 0.01, 33.1},
      {"BLOSUM45", "14", "2", 5478, 2848, 1654, 8.93e-134, 1e-136, 470},
      {"PAM70", "10", "1", 144, 5081, 56, 7.7, 0.1, 27.0},
      {"PAM70", "10", "1", 2005, 570, 75, 0.49, 0.01, 34.9},
      {"PAM70", "10", "1", 5478, 2926, 834, 1.28e-96, 1e-98, 353},
      {"PAM70", "10", "1", 5478, 307, 68, 9.9, 0.1, 32.0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.matrix) + ", score " + std::to_string(c.score));
    const Significance found = of(protein(c.matrix, c.open, c.extend), c.query)->of(c.score, c.subject);
    EXPECT_NEAR(*found.evalue, c.evalue, 0.5001 * c.unit);
    EXPECT_NEAR(*found.bits < 100 ? *found.bits : std::floor(*found.bits), c.bits, 0.05);
  }
}

TEST(Spouge, LowestScoreMissesNoSubject) {
  const Scoring scoring = protein("BLOSUM62", "11", "1");
  for (const std::uint64_t query : {1u, 8u, 40u, 333u, 5000u}) {
    const auto statistics = of(scoring, query);
    for (const double wanted : {1e-30, 1e-3, 1.0, 10.0, 1e5}) {
      const std::int32_t lowest = statistics->lowest_score(wanted, 3, 36000);
      ASSERT_GE(lowest, 0);
      bool close = false;
      for (std::uint64_t subject = 3; subject <= 36000; subject += 1 + subject / 200) {
        if (lowest > 0) {
          EXPECT_GT(*statistics->of(lowest - 1, subject).evalue, wanted) << query << " " << subject;
        }
        close |= *statistics->of(lowest + 5, subject).evalue <= wanted;
      }
      EXPECT_TRUE(close) << query << " " << wanted;
    }
  }
}

TEST(Spouge, LowestScoreOfAFewLengthsIsTight) {
  for (const Scoring& scoring :
       {protein("BLOSUM62", "11", "1"), protein("BLOSUM45", "14", "2"), protein("PAM70", "10", "1")})
    for (const std::uint64_t query : {5u, 40u, 333u, 5000u}) {
      const auto statistics = of(scoring, query);
      std::int32_t near = 0;
      for (std::uint64_t longest = 30000; longest > 10; longest = longest * 5 / 6) {
        const std::uint64_t shortest = longest * 5 / 6;
        for (const double wanted : {1e-20, 0.01, 10.0, 1500.0}) {
          near = statistics->lowest_score(wanted, shortest, longest, near);
          const auto suffices = [&](std::int32_t score) {
            for (std::uint64_t subject = shortest; subject <= longest; ++subject)
              if (*statistics->of(score, subject).evalue <= wanted) return true;
            return false;
          };
          EXPECT_TRUE(near == 0 || !suffices(near - 1)) << query << " " << longest << " " << wanted;
          EXPECT_TRUE(suffices(near + 1)) << query << " " << longest << " " << wanted;
        }
      }
    }
}

TEST(Spouge, SearchSpacesScale) {
  const Scoring scoring = protein("BLOSUM62", "11", "1");
  const double whole = *of(scoring, 300)->of(70, 400).evalue;
  const SearchSpace twice{2 * 9055569.0, 40000, {}};
  EXPECT_DOUBLE_EQ(*of(scoring, 300, twice)->of(70, 400).evalue, 2 * whole);
  const SearchSpace cells{1, 1, 300 * 9055569.0};
  EXPECT_DOUBLE_EQ(*of(scoring, 300, cells)->of(70, 400).evalue, whole);
}

TEST(Spouge, PvaluesAreProbabilitiesThatEvaluesCount) {
  const Scoring scoring = protein("BLOSUM62", "11", "1");
  const auto statistics = of(scoring, 300);
  double last = 1;
  for (std::int32_t score = 1; score < 300; ++score) {
    const double p = statistics->pvalue(score, 400);
    EXPECT_GE(p, 0);
    EXPECT_LE(p, last);
    last = p;
  }
  const double evalue = *statistics->of(120, 400).evalue;
  EXPECT_NEAR(statistics->pvalue(120, 400) * 9055569 / 400, evalue, 1e-6 * evalue);
}

}  // namespace
}  // namespace alnus::stats
