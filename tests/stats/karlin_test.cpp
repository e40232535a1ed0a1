// Ungapped parameters compared with the published ones, the rows inf/inf of data/stats/gapped_karlin.tsv.
#include "stats/karlin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
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

}  // namespace
}  // namespace alnus::stats
