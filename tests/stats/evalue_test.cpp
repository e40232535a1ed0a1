// Expected search spaces and E-values are those that BLAST+ 2.12.0 printed: blastp for prefixes of one query
// against DB.fasta of Debian's mmseqs2-examples, and blastn against 50 random sequences of 4000 bases.
#include "stats/evalue.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "stats/karlin.h"
#include "support/scorings.h"

namespace alnus::stats {
namespace {

using test::dna;
using test::protein;

double space_of(const KarlinParameters& parameters, const Scoring& scoring, std::uint64_t query,
                double residues, double sequences) {
  return karlin_judge(parameters, scoring, query, {residues, sequences, {}})->karlin()->search_space;
}

TEST(KarlinJudge, SearchSpacesAreBlastps) {
  struct Case {
    const char *matrix, *open, *extend;
    std::array<std::int64_t, 11> search_spaces;
  };
  constexpr std::array<std::uint64_t, 11> kLengths = {5, 12, 20, 35, 57, 100, 144, 375, 1000, 2005, 5478};
  const std::vector<Case> cases = {
      {"BLOSUM62",
       "11",
       "1",
       {45277845, 108666828, 181111380, 221389225, 228300363, 221431501, 408551864, 1952857044, 6175603117,
        12901872117, 35660538702}},
      {"BLOSUM62",
       "9",
       "2",
       {45277845, 108666828, 162280242, 156880242, 157615811, 237942639, 539285399, 2186057286, 6679114497,
        13848879066, 38403632358}},
      {"BLOSUM50",
       "13",
       "2",
       {45277845, 108666828, 181111380, 259131501, 264602639, 263009346, 302529467, 1744512371, 5712087306,
        12016360737, 33279231753}},
      {"BLOSUM45",
       "14",
       "2",
       {45277845, 108666828, 181111380, 287858208, 282993777, 288436053, 286818329, 1514200991, 5193424788,
        11017802650, 30579338097}},
      {"PAM30",
       "9",
       "1",
       {45277845, 90155690, 88555690, 129833535, 301544915, 661858813, 1029068280, 2978913581, 8285648637,
        16795739913, 46065939912}},
      {"PAM250",
       "14",
       "2",
       {45277845, 108666828, 181111380, 316944915, 377349467, 384747312, 383485157, 1054500386, 4065530769,
        8715746355, 24040039526}},
  };
  for (const Case& c : cases) {
    const Scoring scoring = protein(c.matrix, c.open, c.extend);
    const auto parameters = published_parameters(scoring);
    ASSERT_TRUE(parameters) << c.matrix;
    for (std::size_t i = 0; i < kLengths.size(); ++i)
      EXPECT_EQ(space_of(*parameters, scoring, kLengths[i], 9055569, 20000),
                static_cast<double>(c.search_spaces[i]))
          << c.matrix << " " << c.open << "/" << c.extend << ", length " << kLengths[i];
  }
}

TEST(KarlinJudge, SearchSpacesAreBlastns) {
  struct Case {
    const char *match, *mismatch, *open, *extend;
    double lambda, K, H;  // as BLAST prints them, with three digits
    std::array<std::int64_t, 4> search_spaces;
  };
  constexpr std::array<std::uint64_t, 4> kLengths = {30, 100, 500, 3000};
  const std::vector<Case> cases = {
      {"2", "-3", "5", "2", 0.625, 0.410, 0.780, {2988750, 16326200, 95520000, 592324200}},
      {"1", "-3", "5", "2", 1.37, 0.711, 1.31, {3789550, 17547200, 97083450, 594761250}},
      {"2", "-3", "6", "4", 0.634, 0.408, 0.912, {3388950, 16936250, 96189450, 593368050}},
      {"1", "-2", "0", "2.5", 1.28, 0.460, 0.850, {3188800, 16732800, 95966200, 593020000}},  // BLAST: 0/0
      {"1", "-1", "4", "2", 1.10, 0.333, 0.549, {1790550, 14703800, 93517050, 588851200}},
      {"4", "-5", "12", "8", 0.301, 0.306, 0.753, {2588950, 15920000, 95074200, 591281250}},
      {"4", "-6", "10", "4", 0.312, 0.410, 0.780, {2988750, 16326200, 95520000, 592324200}},  // 2 * the first
      {"5", "-4", "10", "6", 0.163, 0.068, 0.160, {2988750, 7681050, 83188800, 569587200}},
      {"2", "-7", "4", "4", 0.690, 0.548, 1.34, {3990000, 17751050, 97083450, 595109800}},
      {"3", "-4", "6", "3", 0.389, 0.250, 0.560, {2389200, 15514200, 94406250, 590239200}},
      {"5", "-4", "25", "10", 0.192, 0.176, 0.357, {1192800, 11880000, 89755800, 582280050}},
      {"1", "-1", "5", "3", 1.10, 0.333, 0.549, {1790550, 14703800, 93517050, 588851200}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.match) + "/" + c.mismatch + ", " + c.open + "/" + c.extend);
    const Scoring scoring = dna(c.match, c.mismatch, c.open, c.extend);
    const auto parameters = published_parameters(scoring);
    ASSERT_TRUE(parameters);
    EXPECT_NEAR(parameters->lambda, c.lambda, 0.005 * c.lambda);
    EXPECT_NEAR(parameters->K, c.K, 0.005 * c.K);
    EXPECT_NEAR(parameters->H, c.H, 0.005 * c.H);
    for (std::size_t i = 0; i < kLengths.size(); ++i)
      EXPECT_EQ(space_of(*parameters, scoring, kLengths[i], 200000, 50),
                static_cast<double>(c.search_spaces[i]))
          << "length " << kLengths[i];
  }
}

TEST(KarlinJudge, EvaluesAndBitsAreBlastns) {
  struct Case {
    Scoring scoring;
    std::uint64_t length;
    std::int32_t score;
    double evalue, bits;
    double evalue_precision;  // relative: half a unit of the last printed digit
  };
  const std::vector<Case> cases = {
      {dna("2", "-3", "5", "2"), 30, 26, 0.11, 24.7, 0.05},
      {dna("2", "-3", "5", "2"), 100, 165, 2.04e-38, 150,
       0.003},  // BLAST prints the E-value of score 164 here, but the bit score of 165
      {dna("2", "-3", "5", "2"), 100, 26, 0.59, 24.7, 0.01},
      {dna("2", "-3", "5", "2"), 100, 25, 2.0, 23.8, 0.03},
      {dna("1", "-3", "5", "2"), 100, 72, 1.35e-36, 143, 0.004},
      {dna("4", "-6", "10", "4"), 100, 330, 1.09e-38, 150, 0.005},
      {dna("5", "-4", "10", "6"), 500, 2212, 1.46e-150, 524, 0.004},
      {dna("5", "-4", "10", "6"), 100, 437, 6.06e-26, 106, 0.001},
      {dna("3", "-4", "6", "3"), 100, 251, 2.26e-36, 142, 0.003},
      {dna("1", "-1", "4", "2"), 100, 86, 4.55e-35, 137, 0.002},
      {dna("5", "-4", "25", "10"), 100, 437, 9.33e-31, 123, 0.002},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.scoring.matrix.name() + ", score " + std::to_string(c.score));
    const auto parameters = published_parameters(c.scoring);
    ASSERT_TRUE(parameters);
    const Significance found =
        karlin_judge(*parameters, c.scoring, c.length, {200000, 50, {}})->of(c.score, 4000);
    EXPECT_NEAR(*found.evalue, c.evalue, c.evalue_precision * c.evalue);
    // BLAST prints bit scores below 100 with one decimal, and cuts off the decimals of higher ones.
    const double bits = *found.bits;
    EXPECT_NEAR(bits < 100 ? bits : std::floor(bits), c.bits, 0.05);
  }
}

TEST(KarlinJudge, LengthAdjustmentLeavesSomethingOfTinyProblems) {
  const Scoring scoring = protein("BLOSUM62", "11", "1");
  const auto parameters = published_parameters(scoring);
  for (const std::uint64_t length : {1u, 2u, 30u}) {
    EXPECT_EQ(space_of(*parameters, scoring, length, 1, 1), static_cast<double>(length));
  }
  EXPECT_EQ(space_of(*parameters, scoring, 10, 0, 0), 10);
}

TEST(KarlinJudge, LowestScoreIsTheFirstWithinTheEvalue) {
  for (const Scoring& scoring : {protein("BLOSUM62", "11", "1"), dna("2", "-3", "5", "2")}) {
    const auto statistics = karlin_judge(*published_parameters(scoring), scoring, 300, {9055569, 20000, {}});
    const auto evalue = [&](std::int32_t score) { return *statistics->of(score, 100).evalue; };
    for (const double wanted : {1e-200, 1e-10, 0.001, 1.0, 10.0, 1e6}) {
      const std::int32_t lowest = statistics->lowest_score(wanted, 1, 1000);
      EXPECT_LE(evalue(lowest), wanted);
      EXPECT_GT(evalue(lowest - 1), wanted);
    }
    EXPECT_EQ(statistics->lowest_score(1e300, 1, 1000), 0);
    EXPECT_EQ(evalue(statistics->lowest_score(0, 1, 1000)), 0);
  }
}

TEST(PublishedParameters, AreFoundByValue) {
  const auto classic = published_parameters(protein("BLOSUM62", "11", "1"));
  ASSERT_TRUE(classic);
  EXPECT_EQ(classic->lambda, 0.267);
  EXPECT_EQ(classic->K, 0.041);
  EXPECT_EQ(classic->H, 0.14);
  EXPECT_EQ(classic->alpha, 1.9);
  EXPECT_EQ(classic->beta, -30);
  EXPECT_FALSE(classic->round_down);
  EXPECT_EQ(published_parameters(protein("BLOSUM62.ncbi25", "11", "1"))->lambda, 0.267);
  EXPECT_EQ(published_parameters(protein("BLOSUM62", "11.0", "1.0"))->lambda, 0.267);
  EXPECT_EQ(published_parameters(protein("BLOSUM62", "32767", "32767"))->lambda, 0.3176);

  ScoringOptions nuc44;
  nuc44.alphabet = AlphabetKind::dna;
  EXPECT_EQ(published_parameters(make_scoring(nuc44))->lambda, 0.163);
}

TEST(PublishedParameters, EveryDefaultThatBlastHasIsThere) {
  for (const char* name :
       {"BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250"}) {
    ScoringOptions options;
    options.matrix = name;
    EXPECT_TRUE(published_parameters(make_scoring(options))) << name;
  }
}

TEST(PublishedParameters, AMatrixFileOfTheSameValuesHasThem) {
  Scoring scoring = protein("BLOSUM62", "11", "1");
  std::string text;
  const std::string letters = "ARNDCQEGHILKMFPSTWYV";
  for (const char letter : letters) text += std::string(" ") + letter;
  for (Residue row = 0; row < 20; ++row) {
    text += std::string("\n") + letters[row];
    for (Residue column = 0; column < 20; ++column)
      text += " " + std::to_string(scoring.matrix.value(row, column));
  }
  scoring.matrix = SubstitutionMatrix::parse(text, "mine", AlphabetKind::protein);
  EXPECT_TRUE(published_parameters(scoring));
  scoring.matrix =
      SubstitutionMatrix::parse(text.replace(text.rfind("4"), 1, "5"), "BLOSUM62", AlphabetKind::protein);
  EXPECT_FALSE(published_parameters(scoring));
}

TEST(PublishedParameters, AreEmptyWhereNoneWerePublished) {
  EXPECT_FALSE(published_parameters(protein("BLOSUM62", "10", "0.5")));
  EXPECT_FALSE(published_parameters(protein("BLOSUM50", "10", "2")));
  EXPECT_FALSE(published_parameters(protein("PAM120", "11", "1")));
  EXPECT_FALSE(published_parameters(dna("2", "-3", "1", "1")));
  EXPECT_FALSE(published_parameters(dna("7", "-3", "50", "20")));
  Scoring global = protein("BLOSUM62", "11", "1");
  global.mode = Mode::global;
  EXPECT_FALSE(published_parameters(global));
}

TEST(PublishedParameters, ScaledScoresMeanTheSame) {
  const Scoring whole = dna("2", "-3", "5", "2"), tenths = dna("0.2", "-0.3", "0.5", "0.2");
  ASSERT_EQ(tenths.scale, 10);
  const auto a = published_parameters(whole), b = published_parameters(tenths);
  ASSERT_TRUE(a && b);
  EXPECT_DOUBLE_EQ(b->lambda, 10 * a->lambda);
  const SearchSpace space{200000, 50, {}};
  const auto x = karlin_judge(*a, whole, 100, space), y = karlin_judge(*b, tenths, 100, space);
  EXPECT_EQ(x->karlin()->search_space, y->karlin()->search_space);
  EXPECT_DOUBLE_EQ(*x->of(41, 100).evalue, *y->of(41, 100).evalue);
}

TEST(Judges, EndWhenAStopIsRequested) {
  const Scoring scoring = dna("2", "-3", "5", "2");
  SequenceSetBuilder queries(AlphabetKind::dna);
  for (const char* letters : {"ACGT", ""}) queries.add_text("", letters);
  const SequenceSet set = queries.finish();
  ParameterModel model;
  model.parameters = published_parameters(scoring).value();
  model.space = {200000, 50, {}};
  StopFlag stop;
  const auto judges = judges_of(set, model, scoring, stop);
  ASSERT_EQ(judges.size(), 2u);
  EXPECT_TRUE(judges[0] && !judges[1]);
  stop.request();
  EXPECT_THROW(judges_of(set, model, scoring, stop), Interrupted);
}

TEST(UngappedParameters, AreTheKnownOnesOfMatchMismatch) {
  // BLAST's source file blast_stat.c lists these values for 1/-4 and 1/-5 with linear gap costs, of 4.5 and
  // 5.5 for each residue of a gap. Gaps are then so dear that the values of alignments with gaps are those of
  // alignments without gaps, in all digits that the file has.
  const UngappedParameters four = ungapped_parameters({{1, 0.25}, {-4, 0.75}});
  EXPECT_NEAR(four.lambda, 1.383, 0.0005);
  EXPECT_NEAR(four.K, 0.738, 0.0005);
  EXPECT_NEAR(four.H, 1.36, 0.005);
  const UngappedParameters five = ungapped_parameters({{1, 0.25}, {-5, 0.75}});
  EXPECT_NEAR(five.lambda, 1.39, 0.005);
  EXPECT_NEAR(five.K, 0.747, 0.0005);
  EXPECT_NEAR(five.H, 1.38, 0.005);
}

TEST(UngappedParameters, DoNotDependOnTheUnit) {
  const UngappedParameters one = ungapped_parameters({{2, 0.25}, {-3, 0.75}});
  const UngappedParameters three = ungapped_parameters({{6, 0.25}, {-9, 0.75}});
  EXPECT_NEAR(one.lambda, 3 * three.lambda, 1e-12);
  EXPECT_NEAR(one.K, three.K, 1e-9);
  EXPECT_NEAR(one.H, three.H, 1e-9);
}

}  // namespace
}  // namespace alnus::stats
