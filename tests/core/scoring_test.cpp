#include "alnus/scoring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/error.h"

namespace alnus {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const ScoringOptions& options) {
  try {
    make_scoring(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

ScoringOptions gaps(std::string open, std::string extend, std::string convention = "") {
  ScoringOptions options;
  options.gap_open = std::move(open);
  options.gap_extend = std::move(extend);
  options.gap_convention = std::move(convention);
  return options;
}

ScoringOptions dna() {
  ScoringOptions options;
  options.alphabet = AlphabetKind::dna;
  return options;
}

TEST(MakeScoring, DefaultsAreProteinLocalBlosum62) {
  const Scoring scoring = make_scoring({});
  EXPECT_EQ(scoring.matrix.name(), "BLOSUM62");
  EXPECT_EQ(scoring.format_gaps(), "11/1");
  EXPECT_EQ(scoring.scale, 1);
  EXPECT_EQ(scoring.mode, Mode::local);
  EXPECT_EQ(scoring.gap(5), 16);
  EXPECT_EQ(scoring.gap(0), 0);
}

TEST(MakeScoring, EachMatrixHasItsDefaultGaps) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"BLOSUM45", "14/2"}, {"BLOSUM50", "13/2"}, {"BLOSUM62.ncbi25", "11/1"}, {"BLOSUM80", "10/1"},
      {"BLOSUM90", "10/1"}, {"PAM30", "9/1"},     {"PAM70.ncbi25", "10/1"},    {"PAM120", "11/1"},
      {"PAM250", "14/2"},   {"GONNET", "14/2"},   {"BLOSUM45.ncbi25", "14/2"}, {"BLOSUM80_thirdbit", "11/1"},
      {"VTML120", "11/1"}};
  for (const auto& [name, costs] : expected) {
    ScoringOptions options;
    options.matrix = name;
    EXPECT_EQ(make_scoring(options).format_gaps(), costs) << name;
  }
}

TEST(MakeScoring, DnaDefaults) {
  EXPECT_EQ(make_scoring(dna()).matrix.name(), "NUC44");
  EXPECT_EQ(make_scoring(dna()).format_gaps(), "10/6");
  ScoringOptions options = dna();
  options.match = "1";
  EXPECT_EQ(make_scoring(options).matrix.name(), "1/-3");
  EXPECT_EQ(make_scoring(options).format_gaps(), "5/2");
}

TEST(MakeScoring, EmbossOpenIsTheFirstResiduesCost) {
  const Scoring scoring = make_scoring(gaps("10", "0.5", "emboss"));
  EXPECT_EQ(scoring.scale, 2);
  EXPECT_EQ(scoring.open, 19);
  EXPECT_EQ(scoring.extend, 1);
  EXPECT_EQ(scoring.gap(1), 20);
  EXPECT_EQ(scoring.gap(3), 22);
  EXPECT_EQ(scoring.format_gaps(), "9.5/0.5");
  EXPECT_EQ(scoring.matrix.scale(), 2);
  EXPECT_EQ(scoring.matrix.highest(), 22);
}

TEST(MakeScoring, LeftOutCostsAreConvertedToTheUsersConvention) {
  EXPECT_EQ(make_scoring(gaps("", "", "emboss")).format_gaps(), "11/1");
  EXPECT_EQ(make_scoring(gaps("10", "", "emboss")).format_gaps(), "9/1");
  EXPECT_EQ(make_scoring(gaps("", "2", "emboss")).format_gaps(), "10/2");
  ScoringOptions options = gaps("", "1");
  options.preset = "emboss-water";
  EXPECT_EQ(make_scoring(options).format_gaps(), "9/1");
  options.gap_convention = "ncbi";
  EXPECT_EQ(make_scoring(options).format_gaps(), "9.5/1");
}

TEST(MakeScoring, DecimalsAreReducedToTheSmallestScale) {
  EXPECT_EQ(make_scoring(gaps("11.0", "1.00")).scale, 1);
  EXPECT_EQ(make_scoring(gaps("10.5", "0.5", "emboss")).scale, 2);
  EXPECT_EQ(make_scoring(gaps("10.25", "0.1")).scale, 20);
  ScoringOptions options = dna();
  options.match = "0.5";
  options.mismatch = "-0.2";
  const Scoring scoring = make_scoring(options);
  EXPECT_EQ(scoring.scale, 10);
  EXPECT_EQ(scoring.open, 50);
  EXPECT_EQ(scoring.matrix.highest(), 5);
}

TEST(MakeScoring, LinearGapsAndZeroGapsAreFine) {
  EXPECT_EQ(make_scoring(gaps("0", "4")).gap(3), 12);
  EXPECT_EQ(make_scoring(gaps("4", "4", "emboss")).open, 0);
  EXPECT_EQ(make_scoring(gaps("0", "0")).gap(9), 0);
  EXPECT_EQ(make_scoring(gaps("1", "5")).gap(2),
            11);  // NCBI's convention allows extend above open: 1 + 2 * 5
}

TEST(MakeScoring, BadGapCosts) {
  EXPECT_THAT(error_of(gaps("-1", "1")), AllOf(HasSubstr("gap_open"), HasSubstr("'-1'")));
  EXPECT_THAT(error_of(gaps("11", "-0.5")), AllOf(HasSubstr("gap_extend"), HasSubstr("'-0.5'")));
  EXPECT_THAT(error_of(gaps("eleven", "1")), HasSubstr("'eleven'"));
  EXPECT_THAT(error_of(gaps("11", "1e0")), HasSubstr("'1e0'"));
  EXPECT_THAT(error_of(gaps("nan", "1")), HasSubstr("'nan'"));
  EXPECT_THAT(error_of(gaps("1", "2", "emboss")), HasSubstr("extend cost 2 is above the gap open cost 1"));
  EXPECT_THAT(error_of(gaps("40000", "1")), HasSubstr("32767"));
  EXPECT_THAT(error_of(gaps("11", "0.0001")), HasSubstr("too many decimals"));
  EXPECT_THAT(error_of(gaps("11", "0.0000001")), HasSubstr("gap_extend has at most 6 decimals"));
  EXPECT_EQ(error_of(gaps("32767", "32767")), "no error");
}

TEST(MakeScoring, Presets) {
  ScoringOptions options;
  options.preset = "blastp";
  EXPECT_EQ(make_scoring(options).matrix.name(), "BLOSUM62.ncbi25");
  EXPECT_EQ(make_scoring(options).format_gaps(), "11/1");
  EXPECT_EQ(make_scoring(options).mode, Mode::local);
  options.preset = "ssearch";
  EXPECT_EQ(make_scoring(options).matrix.name(), "BLOSUM50");
  EXPECT_EQ(make_scoring(options).format_gaps(), "10/2");
  options.preset = "emboss-water";
  EXPECT_EQ(make_scoring(options).matrix.name(), "BLOSUM62");
  EXPECT_EQ(make_scoring(options).gap(1), 20);
  EXPECT_EQ(make_scoring(options).mode, Mode::local);
  options.preset = "emboss-needle";
  EXPECT_EQ(make_scoring(options).mode, Mode::semiglobal);
  EXPECT_EQ(make_scoring(options).free_ends, FreeEnds::all());
  options.alphabet = AlphabetKind::dna;
  EXPECT_EQ(make_scoring(options).matrix.name(), "NUC44");
  EXPECT_EQ(make_scoring(options).format_gaps(), "9.5/0.5");
  options.preset = "blastn";
  EXPECT_EQ(make_scoring(options).matrix, SubstitutionMatrix::match_mismatch("2", "-3"));
  EXPECT_EQ(make_scoring(options).format_gaps(), "5/2");
  EXPECT_EQ(make_scoring(options).mode, Mode::local);
  options.mismatch = "-2";
  EXPECT_EQ(make_scoring(options).matrix, SubstitutionMatrix::match_mismatch("2", "-2"));
}

TEST(MakeScoring, ExplicitOptionsOverrideThePreset) {
  ScoringOptions options;
  options.preset = "blastp";
  options.matrix = "BLOSUM45";
  EXPECT_EQ(make_scoring(options).format_gaps(), "14/2");  // blastp's own default for this matrix
  options.gap_open = "16";
  options.mode = "global";
  EXPECT_EQ(make_scoring(options).format_gaps(), "16/2");
  EXPECT_EQ(make_scoring(options).mode, Mode::global);
  EXPECT_EQ(make_scoring(options).free_ends, FreeEnds{});
}

TEST(MakeScoring, FreeEnds) {
  ScoringOptions options;
  options.mode = "semiglobal";
  EXPECT_EQ(make_scoring(options).free_ends, FreeEnds::all());
  options.free_ends = {"qbegin", "send"};
  EXPECT_EQ(make_scoring(options).free_ends, (FreeEnds{.query_begin = true, .subject_end = true}));
  options.mode = "global";
  EXPECT_EQ(make_scoring(options).mode, Mode::semiglobal);
  options.mode = "semiglobal";
  options.free_ends = std::vector<std::string>{};
  EXPECT_EQ(make_scoring(options).mode, Mode::global);
  options.free_ends = {"qstart"};
  EXPECT_THAT(error_of(options), AllOf(HasSubstr("'qstart'"), HasSubstr("qbegin, qend, sbegin, send")));
  options.free_ends = {"qend"};
  options.mode = "local";
  EXPECT_THAT(error_of(options), HasSubstr("no meaning in mode local"));
}

TEST(MakeScoring, UnknownWordsNameTheNearest) {
  ScoringOptions options;
  options.mode = "globl";
  EXPECT_THAT(error_of(options), HasSubstr("did you mean global?"));
  options = {};
  options.preset = "emboss-wator";
  EXPECT_THAT(error_of(options), HasSubstr("did you mean emboss-water?"));
  options = {};
  options.gap_convention = "embos";
  EXPECT_THAT(error_of(options), HasSubstr("did you mean emboss?"));
  options = {};
  options.matrix = "blosum63";
  EXPECT_THAT(error_of(options), HasSubstr("did you mean BLOSUM62?"));
}

TEST(MakeScoring, MatrixAndAlphabetMustAgree) {
  ScoringOptions options = dna();
  options.matrix = "BLOSUM62";
  EXPECT_THAT(error_of(options), HasSubstr("BLOSUM62 is for the protein alphabet"));
  options = {};
  options.matrix = "NUC44";
  EXPECT_THAT(error_of(options), HasSubstr("NUC44 is for the dna alphabet"));
  options = {};
  options.match = "2";
  EXPECT_THAT(error_of(options), HasSubstr("for nucleotides"));
  options = dna();
  options.match = "2";
  options.matrix = "NUC44";
  EXPECT_THAT(error_of(options), HasSubstr("not both"));
  options = dna();
  options.preset = "blastp";
  EXPECT_THAT(error_of(options), HasSubstr("blastp is for proteins"));
  options = {};
  options.preset = "blastn";
  EXPECT_THAT(error_of(options), HasSubstr("blastn is for nucleotides"));
}

TEST(MakeScoring, AMatrixFileComesAsText) {
  ScoringOptions options = dna();
  options.matrix = "some/file.mat";
  options.matrix_text = " A C G T\nA 1.5 0 0 0\nC 0 1 0 0\nG 0 0 1 0\nT 0 0 0 1\n";
  const Scoring scoring = make_scoring(options);
  EXPECT_EQ(scoring.matrix.name(), "file.mat");
  EXPECT_EQ(scoring.scale, 2);
  EXPECT_EQ(scoring.format_gaps(), "5/2");
  options.matrix_text = "garbage";
  EXPECT_THAT(error_of(options), HasSubstr("some/file.mat, line 1"));
}

TEST(FormatScore, IsTheExactDecimal) {
  Scoring scoring = make_scoring({});
  EXPECT_EQ(scoring.format_score(41), "41");
  EXPECT_EQ(scoring.format_score(-3), "-3");
  scoring.scale = 2;
  EXPECT_EQ(scoring.format_score(83), "41.5");
  EXPECT_EQ(scoring.format_score(82), "41");
  EXPECT_EQ(scoring.format_score(-1), "-0.5");
  EXPECT_EQ(scoring.format_score(0), "0");
  scoring.scale = 20;
  EXPECT_EQ(scoring.format_score(21), "1.05");
  scoring.scale = 1000;
  EXPECT_EQ(scoring.format_score(2100), "2.1");
  EXPECT_EQ(scoring.format_score(2147483647), "2147483.647");
}

TEST(Mode, HasItsWord) {
  EXPECT_EQ(to_string(Mode::local), "local");
  EXPECT_EQ(to_string(Mode::global), "global");
  EXPECT_EQ(to_string(Mode::semiglobal), "semiglobal");
}

TEST(MakeScoring, ScaledScoresAndCostsHaveALimit) {
  const auto of = [](std::string match, std::string mismatch, std::string open, std::string extend) {
    ScoringOptions options = dna();
    options.match = std::move(match);
    options.mismatch = std::move(mismatch);
    options.gap_open = std::move(open);
    options.gap_extend = std::move(extend);
    return error_of(options);
  };
  EXPECT_EQ(of("32767", "-32767", "32767", "32767"), "no error");
  EXPECT_THAT(of("32768", "-1", "5", "2"), HasSubstr("too large"));
  EXPECT_THAT(of("1", "-32768", "5", "2"), HasSubstr("too large"));
  EXPECT_THAT(of("1", "-1", "32768", "2"), HasSubstr("too large"));
  EXPECT_THAT(of("1", "-1", "5", "32768"), HasSubstr("too large"));
  EXPECT_EQ(of("16383", "-16383", "5", "0.5"), "no error") << "in halves";
  EXPECT_THAT(of("16384", "-1", "5", "0.5"), HasSubstr("too large"));
  EXPECT_THAT(of("1", "-16384", "5", "0.5"), HasSubstr("too large"));
  EXPECT_THAT(of("1", "-1", "16384", "0.5"), HasSubstr("too large"));
  EXPECT_EQ(of("1", "0", "5", "2"), "no error");
}

TEST(MakeScoring, CostsHaveSixDecimalsAtMost) {
  EXPECT_EQ(error_of(gaps("11.000000", "1.000000")), "no error");
  EXPECT_THAT(error_of(gaps("11.0000000", "1")), HasSubstr("gap_open has at most 6 decimals"));
  EXPECT_THAT(error_of(gaps("11", "0.000001")), HasSubstr("too many decimals"));
  EXPECT_THAT(error_of(gaps("1234567890", "1")), HasSubstr("takes a number not below 0"));
  EXPECT_EQ(error_of(gaps("0", "1")), "no error");
}

}  // namespace
}  // namespace alnus
