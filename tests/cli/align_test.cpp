// alnus align: which pairs it aligns, and what it prints.
#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"

namespace alnus::test {
namespace {

class Align : public CliTest {
 protected:
  Align() {
    write("a.fa", ">a1\nHEAGAWGHEE\n>a2\nWWWW\n");
    write("b.fa", ">b1\nPAWHEAE\n>b2\nWWW\n");
  }
  // Aligns with BLOSUM50 and linear gaps of 8, as in Durbin et al. 1998, chapter 2.
  CommandResult align(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"align",      "--matrix", "BLOSUM50",
                                          "--gap-open", "0",        "--gap-extend",
                                          "8",          "--outfmt", "6 qseqid sseqid score cigar"};
    arguments = with_options(std::move(arguments), more);
    return alnus(std::move(arguments));
  }
};

TEST_F(Align, RecordByRecord) {
  const CommandResult result = align({"a.fa", "b.fa"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "a1\tb1\t28\t2=1I2=\na2\tb2\t45\t3=\n");
  EXPECT_THAT(result.err, HasSubstr("2 queries, 2 subjects, 2 pairs, 82 cells"));
}

TEST_F(Align, GlobalScoreOfTheTextbook) {
  const CommandResult result = align({"a.fa", "b.fa", "--mode", "global", "--outfmt", "6 score"});
  EXPECT_EQ(result.out, "1\n37\n");  // the second pair: three W score 15 each, a gap costs 8
}

TEST_F(Align, FreeEnds) {
  const auto score = [&](const std::vector<std::string>& ends) {
    std::vector<std::string> arguments = {"a.fa", "b.fa", "--outfmt", "6 score"};
    arguments.insert(arguments.end(), ends.begin(), ends.end());
    const std::string out = align(arguments).out;
    return out.substr(out.find('\n') + 1);
  };
  EXPECT_EQ(score({"--mode", "semiglobal"}), "45\n");
  EXPECT_EQ(score({"--mode", "global", "--free-ends", "qend"}), "45\n");
  EXPECT_EQ(score({"--mode", "global", "--free-ends", "sbegin,send"}), "37\n");
  EXPECT_EQ(score({"--mode", "semiglobal", "--free-ends", "none"}), "37\n");
}

TEST_F(Align, AllWithAll) {
  EXPECT_EQ(align({"--all", "a.fa", "b.fa", "--outfmt", "6 qseqid sseqid score"}).out,
            "a1\tb1\t28\na1\tb2\t15\na2\tb1\t15\na2\tb2\t45\n");
}

TEST_F(Align, NamedPairsInTheirOrder) {
  write("pairs.tsv", "# query\tsubject\na2\tb2\n\na1\tb1\tignored\r\na2 b1\n");
  EXPECT_EQ(align({"--pairs", "pairs.tsv", "a.fa", "b.fa", "--outfmt", "6 qseqid sseqid score"}).out,
            "a2\tb2\t45\na1\tb1\t28\na2\tb1\t15\n");
  write("within.tsv", "a1\ta2\na2\ta2");
  EXPECT_EQ(align({"--pairs", "within.tsv", "a.fa", "--outfmt", "6 qseqid sseqid score"}).out,
            "a1\ta2\t15\na2\ta2\t60\n");
}

TEST_F(Align, PairListMistakesNameTheLine) {
  const auto error = [&](const std::string& list) {
    write("pairs.tsv", list);
    const CommandResult result = align({"--pairs", "pairs.tsv", "a.fa", "b.fa", "-o", "out.tsv"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(files().count("out.tsv"), 0u);
    return result.err;
  };
  EXPECT_THAT(error("a1\tb1\nb1\ta1\n"), HasSubstr("pairs.tsv, line 2: a.fa has no record 'b1'."));
  EXPECT_THAT(error("a1\tnone\n"), HasSubstr("pairs.tsv, line 1: b.fa has no record 'none'."));
  EXPECT_THAT(error("\na1\n"), HasSubstr("pairs.tsv, line 2: a pair is two ids"));
}

TEST_F(Align, RepeatedIdsMatterOnlyWhereTheyAreNamed) {
  write("a.fa", ">a1\nHEAGAWGHEE\n>a2\nWWWW\n>a2\nWW\n");
  write("pairs.tsv", "a1\tb1\n");
  EXPECT_EQ(align({"--pairs", "pairs.tsv", "a.fa", "b.fa"}).exit_code, 0);
  write("pairs.tsv", "a1\tb1\na2\tb1\n");
  const CommandResult result = align({"--pairs", "pairs.tsv", "a.fa", "b.fa"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("line 2: a.fa has several records 'a2'"));
}

TEST_F(Align, DifferentNumbersOfRecords) {
  write("b.fa", ">b1\nPAWHEAE\n");
  const CommandResult result = align({"a.fa", "b.fa"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("a.fa has 2 records and b.fa has 1 record"));
}

TEST_F(Align, EmptyLocalAlignmentsHaveNoRow) {
  write("b.fa", ">b1\nPAWHEAE\n>b2\nCCC\n");
  const CommandResult local = align({"a.fa", "b.fa"});
  EXPECT_EQ(local.exit_code, 0);
  EXPECT_EQ(local.out, "a1\tb1\t28\t2=1I2=\n");
  EXPECT_THAT(local.err, HasSubstr("1 pair of score 0 without a row"));
}

TEST_F(Align, DefaultIsATableAndEValuesAreNotAvailable) {
  const CommandResult result = alnus({"align", "a.fa", "b.fa"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("a2\tb2\t100.000\t3\t0\t0\t1\t3\t1\t3\tNA\t"));
  EXPECT_THAT(result.err, HasSubstr("E-values are NA"));
}

// Two alignments of the first pair score -1: AG over CG (one match of 1, one mismatch of -2), and A-G over
// -CG (one match of 1, two gap residues of -1).
TEST_F(Align, IdentityOverAllAlignmentsOfTheBestScore) {
  write("a.fa", ">a1\nAG\n>a2\nAC\n");
  write("b.fa", ">b1\nCG\n>b2\nCA\n");
  const auto align = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"align", "a.fa", "b.fa", "--alphabet", "dna", "--mode", "global", "--match",
                               "1", "--mismatch", "-2", "--gap-open", "0", "--gap-extend", "1"});
    return alnus(std::move(more));
  };
  EXPECT_EQ(align({"--outfmt",
                   "6 score pident pident_min pident_max pident_ungapped_min pident_ungapped_max "
                   "pident_shorter_min pident_longer_max pident_mean_max"})
                .out,
            "-1\t50.000\t33.333\t50.000\t50.000\t100.000\t50.000\t50.000\t50.000\n"
            "-1\t33.333\t33.333\t33.333\t100.000\t100.000\t50.000\t50.000\t50.000\n");
  EXPECT_EQ(align({"--identity-range", "--outfmt", "6 qseqid"}).out,
            "a1\t33.333\t50.000\na2\t33.333\t33.333\n");
  EXPECT_THAT(align({"--identity-range", "--outfmt", "sam"}).err, HasSubstr("--identity-range adds columns"));
}

TEST_F(Align, TheIdentityRangeDoesNotDependOnTheDirectionWhereGapsCostNothing) {
  write("a.fa", ">forth\nSQ\n>back\nQS\n");
  write("b.fa", ">forth\nDWS\n>back\nSWD\n");
  for (const bool swapped : {false, true})
    EXPECT_EQ(alnus({"align", swapped ? "b.fa" : "a.fa", swapped ? "a.fa" : "b.fa", "--gap-open", "0",
                     "--gap-extend", "0", "--outfmt", "6 pident_min pident_max"})
                  .out,
              "25.000\t100.000\n25.000\t100.000\n");
}

TEST_F(Align, EmbossPresetAsSrspair) {
  const CommandResult result =
      alnus({"align", "a.fa", "b.fa", "--preset", "emboss-needle", "--outfmt", "srspair"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("# 1: a1"));
  EXPECT_THAT(result.out, HasSubstr("# 2: b1"));
  EXPECT_THAT(result.out, HasSubstr("# Score: 33.0"));  // three W score 11 each
}

TEST_F(Align, DryRun) {
  const CommandResult result = align({"--all", "a.fa", "b.fa", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("pairs: 4\ncells: 140\n"));
  EXPECT_THAT(align({"a.fa", "b.fa", "--dry-run"}).out, HasSubstr("pairs: 2\ncells: 82\n"));
}

TEST_F(Align, DatabaseFilesAreTakenInTheOrderOfTheirFiles) {
  ASSERT_EQ(alnus({"makedb", "a.fa", "-o", "a.alnus"}).exit_code, 0);
  ASSERT_EQ(alnus({"makedb", "b.fa", "-o", "b.alnus"}).exit_code, 0);
  const std::string expected = align({"a.fa", "b.fa"}).out, all = align({"--all", "a.fa", "b.fa"}).out;
  EXPECT_NE(expected, "");
  for (const char* query : {"a.fa", "a.alnus"}) {
    const CommandResult result = align({query, "b.alnus"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, expected);
    EXPECT_EQ(align({"--all", query, "b.alnus"}).out, all);
  }
}

}  // namespace
}  // namespace alnus::test
