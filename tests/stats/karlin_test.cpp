// Ungapped parameters compared with the published ones, the rows inf/inf of data/stats/gapped_karlin.tsv.
#include "stats/karlin.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "stats/background.h"

namespace alnus::stats {
namespace {

using testing::HasSubstr;

TEST(UngappedParameters, AreThosePublished) {
  struct Case {
    const char* matrix;
    double lambda, K, H, alpha, alpha_v;
  };
  const std::vector<Case> cases = {{"BLOSUM45", 0.2291, 0.0924, 0.2514, 0.9113, 9.611060},
                                   {"BLOSUM50", 0.2318, 0.112, 0.3362, 0.6895, 5.388310},
                                   {"BLOSUM62", 0.3176, 0.134, 0.4012, 0.7916, 4.964660},
                                   {"BLOSUM80", 0.3430, 0.177, 0.6568, 0.5222, 1.918130},
                                   {"PAM30", 0.3400, 0.283, 1.754, 0.1938, 0.161818},
                                   {"PAM250", 0.2252, 0.0868, 0.2223, 0.98, 11.754300}};
  const Background background = default_background(AlphabetKind::protein);
  for (const Case& c : cases) {
    const UngappedParameters found =
        ungapped_parameters(pair_scores(SubstitutionMatrix::builtin(c.matrix), background));
    EXPECT_NEAR(found.lambda, c.lambda, 6e-5) << c.matrix;
    EXPECT_NEAR(found.K, c.K, 6e-4) << c.matrix;
    EXPECT_NEAR(found.H, c.H, 1e-3 * c.H) << c.matrix;
    EXPECT_NEAR(found.alpha, c.alpha, 0.04 * c.alpha) << c.matrix;  // some published values are rounded
    EXPECT_NEAR(found.alpha_v, c.alpha_v, 2e-3 * c.alpha_v) << c.matrix;
  }
}

TEST(Background, DefaultsAreFrequencies) {
  for (const AlphabetKind alphabet : {AlphabetKind::protein, AlphabetKind::dna}) {
    const Background background = default_background(alphabet);
    EXPECT_EQ(background.size(), alphabet == AlphabetKind::protein ? 20u : 4u);
    EXPECT_DOUBLE_EQ(std::accumulate(background.begin(), background.end(), 0.0), 1);
  }
  const Alphabet& letters = Alphabet::protein();
  EXPECT_DOUBLE_EQ(default_background(AlphabetKind::protein)[letters.encode('L')], 0.09019);
}

TEST(Background, IsReadInAnyUnit) {
  const Background expected = {0.1, 0.4, 0.4, 0.1};
  const std::string text = "# of a genome\nresidue\tfrequency\nA\t10\nC 40\r\n\nG\t40  # more\nT\t10";
  EXPECT_EQ(parse_background(text, "gc.tsv", AlphabetKind::dna), expected);
}

TEST(Background, WhatIsWrongIsNamedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"A 1\nX 2\n", "gc.tsv line 2: 'X' is not one of ACGT."},
      {"A 1\nAC 2\n", "gc.tsv line 2: 'AC' is not one of ACGT."},
      {"T 1\nR 2\n", "gc.tsv line 2: 'R' is not one of ACGT."},
      {"A 1x\n", "gc.tsv line 1: '1x' is not a frequency."},
      {"A inf\n", "gc.tsv line 1: 'inf' is not a frequency."},
      {"A 0\nC 0\n", "gc.tsv: the frequencies add up to 0"},
      {"A 1e308\nC 1e308\n", "gc.tsv: the frequencies add up to inf"},
      {"A much\n", "gc.tsv line 1: 'much' is not a frequency."},
      {"A\n", "gc.tsv line 1: '' is not a frequency."},
      {"A -1\n", "gc.tsv line 1: '-1' is not a frequency."},
      {"A nan\n", "gc.tsv line 1: 'nan' is not a frequency."},
      {"A 1 2\n", "gc.tsv line 1: a letter and its frequency"},
      {"A 1\nC 1\nA 2\n", "gc.tsv line 3: 'A' has a frequency already."},
      {"# nothing\n", "gc.tsv: the frequencies add up to 0"}};
  for (const auto& [text, message] : cases) {
    try {
      parse_background(text, "gc.tsv", AlphabetKind::dna);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

TEST(Background, ALetterWithoutALineHasNone) {
  EXPECT_EQ(parse_background("a 3\nu 1\nC 0\n", "x", AlphabetKind::dna), (Background{0.75, 0, 0, 0.25}));
  EXPECT_EQ(parse_background("\xef\xbb\xbfT 2", "x", AlphabetKind::dna), (Background{0, 0, 0, 1}));
  const Background valine = parse_background("V 5\n", "x", AlphabetKind::protein);
  EXPECT_EQ(std::accumulate(valine.begin(), valine.end(), 0.0), 1);
  EXPECT_EQ(valine.back(), 1);
  EXPECT_THROW(parse_background("V 5\nB 1\n", "x", AlphabetKind::protein), Error);
}

TEST(UngappedParameters, NeedANegativeMeanAndAPositiveScore) {
  EXPECT_FALSE(ungapped_lambda({{-1, 0.5}, {1, 0.5}}));
  EXPECT_FALSE(ungapped_lambda({{-1, 0.4}, {1, 0.6}}));
  EXPECT_FALSE(ungapped_lambda({{-1, 0.5}, {0, 0.5}}));
  EXPECT_FALSE(ungapped_lambda({{-2, 0.5}, {-1, 0.5}}));
  // 1/4 exp(x) + 3/4 exp(-x) = 1 has the solution ln 3, and so on; for rare scores the solution is large.
  for (const double p : {0.45, 0.25, 0.01, 1e-6}) {
    const std::optional<double> lambda = ungapped_lambda({{-1, 1 - p}, {1, p}});
    ASSERT_TRUE(lambda);
    EXPECT_NEAR(*lambda, std::log((1 - p) / p), 1e-9);
    // Among the letters of alignments the scores 1 and -1 have changed places.
    const UngappedParameters all = ungapped_parameters({{-1, 1 - p}, {1, p}});
    EXPECT_NEAR(all.H, *lambda * (1 - 2 * p), 1e-9);
    EXPECT_NEAR(all.alpha, 1 / (1 - 2 * p), 1e-9);
  }
}

}  // namespace
}  // namespace alnus::stats
