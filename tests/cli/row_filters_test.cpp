// alnus search and alnus align: further alignments of a pair, filters of rows, and the log lines that name
// what was left out.
#include <string>
#include <utility>
#include <vector>

#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"

namespace alnus::test {
namespace {

using Words = std::vector<std::string>;

// With BLOSUM50 and linear gaps of 8, HEAGAWGHEE and PAWHEAE have the alignment of AWGHE with AW-HE (Durbin
// et al. 1998, chapter 2): score 28, 4 of 5 columns identical, 5 of 10 residues of the query and 4 of 7 of
// the subject.
class RowFilters : public CliTest {
 protected:
  RowFilters() {
    write("q.fa", ">q1\nHEAGAWGHEE\n");
    write("db.fa", ">s1\nPAWHEAE\n>s2\nCCCCC\n>s3\nPAWHEAE\n");
    write("a.fa", ">a1\nHEAGAWGHEE\n>a2\nWWWW\n");
    write("b.fa", ">b1\nPAWHEAE\n>b2\nWWW\n");
  }
  CommandResult run(Words command, const Words& more) const {
    command = both(std::move(command), {"--matrix", "BLOSUM50", "--gap-open", "0", "--gap-extend", "8",
                                        "--stats", "none", "--outfmt", "6 qseqid sseqid"});
    return alnus(with_options(std::move(command), more));
  }
  CommandResult search(const Words& more) const { return run({"search", "q.fa", "db.fa"}, more); }
  CommandResult align(const Words& more) const { return run({"align", "a.fa", "b.fa"}, more); }
};

// The columns of these tables need no alignment, but the filters do.
TEST_F(RowFilters, OfASearchAreInTheClosingLine) {
  const auto expect_listed = [&](const Words& more, const std::string& rows, const std::string& log) {
    SCOPED_TRACE(::testing::PrintToString(more));
    const CommandResult result = search(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, rows);
    EXPECT_THAT(result.err, HasSubstr("alnus: " + log + "\n"));
  };
  const std::string listed = "q1\ts1\nq1\ts3\n";
  expect_listed({}, listed, "2 hits listed, 1 pair left out.");
  expect_listed({"--min-identity", "80"}, listed, "2 hits listed, 1 pair left out (--min-identity 80).");
  expect_listed({"--min-identity", "80.1"}, "", "0 hits listed, 3 pairs left out (--min-identity 80.1).");
  expect_listed({"--min-identity", "40", "--identity", "longer"}, listed,
                "2 hits listed, 1 pair left out (--min-identity 40).");
  expect_listed({"--min-identity", "41", "--identity", "longer"}, "",
                "0 hits listed, 3 pairs left out (--min-identity 41).");
  expect_listed({"--min-coverage", "51"}, "", "0 hits listed, 3 pairs left out (--min-coverage 51).");
  expect_listed({"--min-coverage", "57", "--coverage-of", "subject"}, listed,
                "2 hits listed, 1 pair left out (--min-coverage 57).");
  expect_listed({"--min-score", "28", "--min-identity", "50", "--min-coverage", "50", "--min-length", "5"},
                listed,
                "2 hits listed, 1 pair left out (--min-score 28, --min-identity 50, --min-coverage 50, "
                "--min-length 5).");
  expect_listed({"--max-target-seqs", "1", "--min-length", "5"}, "q1\ts1\n",
                "1 hit listed, 2 pairs left out (--max-target-seqs 1, --min-length 5).");
}

TEST_F(RowFilters, OfASearchWithEvalues) {
  const CommandResult result = alnus(
      {"search", "q.fa", "db.fa", "--evalue", "1000", "--min-identity", "50", "--outfmt", "6 qseqid sseqid"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "q1\ts1\nq1\ts3\n");
  EXPECT_THAT(result.err, HasSubstr("2 hits listed, 1 pair left out (--evalue 1000, --min-identity 50).\n"));
  EXPECT_THAT(result.err, HasSubstr("warning: --min-identity is relative to the aligned columns"));
}

TEST_F(RowFilters, OfAlignSayHowManyPairsHaveNoRow) {
  const auto expect_aligned = [&](const Words& more, const std::string& rows, const std::string& log) {
    SCOPED_TRACE(::testing::PrintToString(more));
    const CommandResult result = align(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, rows);
    if (log.empty())
      EXPECT_THAT(result.err, Not(HasSubstr("left out")));
    else
      EXPECT_THAT(result.err, HasSubstr("alnus: " + log + "\n"));
  };
  expect_aligned({}, "a1\tb1\na2\tb2\n", "");
  expect_aligned({"--min-score", "28"}, "a1\tb1\na2\tb2\n", "");
  expect_aligned({"--min-score", "30"}, "a2\tb2\n", "1 pair left out (--min-score 30).");
  expect_aligned({"--min-score", "30", "--min-length", "4"}, "",
                 "2 pairs left out (--min-score 30, --min-length 4).");
  expect_aligned({"--min-identity", "90"}, "a2\tb2\n", "1 pair left out (--min-identity 90).");
  expect_aligned({"--min-coverage", "75"}, "a2\tb2\n", "1 pair left out (--min-coverage 75).");
  expect_aligned({"--all", "--min-score", "16"}, "a1\tb1\na2\tb2\n", "2 pairs left out (--min-score 16).");
}

TEST_F(RowFilters, AnEvalueOfAlignNeedsASizeOfASearch) {
  const Words command = {"align", "a.fa", "b.fa", "--outfmt", "6 qseqid sseqid", "--evalue", "1e-30"};
  const CommandResult without = alnus(command);
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_EQ(without.out, "");
  EXPECT_THAT(without.err, HasSubstr("--evalue needs the size of a search, which --dbsize gives"));
  for (const Words& size : {Words{"--dbsize", "1000000"}, Words{"--searchsp", "1e9"}}) {
    const CommandResult with = alnus(both(command, size));
    EXPECT_EQ(with.exit_code, 0) << with.err;
    EXPECT_EQ(with.out, "");
    EXPECT_THAT(with.err, HasSubstr("2 pairs left out (--evalue 1e-30).\n"));
  }
}

TEST_F(RowFilters, AnEvalueOfAlignNeedsEvalues) {
  for (const Words& more : {Words{}, {"--mode", "global"}, {"--mode", "semiglobal"}}) {
    const CommandResult none =
        alnus(both({"align", "a.fa", "b.fa", "--evalue", "1", "--stats", "none"}, more));
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_EQ(none.out, "");
    EXPECT_THAT(none.err, HasSubstr("--evalue needs E-values, and --stats none gives none."));
    const CommandResult shuffled =
        alnus(both({"align", "a.fa", "b.fa", "--evalue", "1", "--stats", "zvalue"}, more));
    EXPECT_EQ(shuffled.exit_code, 1);
    EXPECT_THAT(shuffled.err, HasSubstr("--evalue needs the size of a search, which --dbsize gives"));
  }
}

// Two alignments of WWWW score 60. The next one aligns three W of the subject's first four, or of its last
// four, with others than these two alignments do: 45.
TEST_F(RowFilters, SeveralAlignmentsAreCountedBeforeThem) {
  write("q.fa", ">q1\nWWWW\n");
  write("db.fa", ">s1\nWWWWCCCCCCCCCCWWWW\n");
  const auto rows = [&](const Words& more) {
    const CommandResult of_search = search(both({"--outfmt", "6 hsp score"}, more)),
                        of_align = run({"align", "q.fa", "db.fa"}, both({"--outfmt", "6 hsp score"}, more));
    EXPECT_EQ(of_search.exit_code, 0) << of_search.err;
    EXPECT_EQ(of_align.exit_code, 0) << of_align.err;
    EXPECT_EQ(of_align.out, of_search.out);
    EXPECT_THAT(of_search.err, HasSubstr(of_search.out.empty() ? "0 hits listed" : "1 hit listed"));
    return of_search.out;
  };
  EXPECT_EQ(rows({}), "1\t60\n");
  EXPECT_EQ(rows({"--max-hsps", "2"}), "1\t60\n2\t60\n");
  EXPECT_EQ(rows({"--max-hsps", "3"}), "1\t60\n2\t60\n3\t45\n");
  EXPECT_EQ(rows({"--max-hsps", "3", "--min-score", "60"}), "1\t60\n2\t60\n");
  EXPECT_EQ(rows({"--max-hsps", "3", "--min-length", "4"}), "1\t60\n2\t60\n");
  EXPECT_EQ(rows({"--max-hsps", "all", "--min-score", "60"}), "1\t60\n2\t60\n");
  EXPECT_EQ(rows({"--max-hsps", "all", "--min-score", "61"}), "");
}

TEST_F(RowFilters, DifferencesNeedAlignmentsUnlessOnePlaceIsWanted) {
  write("peptide.fa", ">p\nAWHE\n");
  for (const Words& command :
       {Words{"search", "peptide.fa", "db.fa"}, {"align", "--all", "peptide.fa", "db.fa"}})
    for (const char* detail : {"score", "ends"}) {
      const Words words =
          both(command, {"--max-differences", "0", "--outfmt", "6 sseqid score", "--detail", detail});
      const CommandResult result = alnus(words);
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_THAT(result.err, HasSubstr("--max-differences lists all places of a query, which needs "
                                        "alignments: choose --detail alignment, or --max-hsps 1"));
      EXPECT_EQ(alnus(both(words, {"--max-hsps", "1"})).out, "s1\t0\ns3\t0\n");
      EXPECT_THAT(alnus(both(words, {"--max-hsps", "2"})).err, HasSubstr("--max-hsps 2 needs alignments"));
    }
}

TEST_F(RowFilters, WhatIsRefused) {
  const std::vector<std::pair<Words, Words>> cases = {
      {{"--max-hsps", "0"}, {"--max-hsps takes a whole number from 1", "or all", "'0'"}},
      {{"--max-hsps", "many"}, {"--max-hsps takes a whole number from 1", "or all", "'many'"}},
      {{"--min-identity", "101"}, {"--min-identity"}},
      {{"--coverage-of", "query"}, {"--coverage-of", "--min-coverage"}},
      {{"--identity", "longer"}, {"--identity", "--min-identity"}},
      {{"--min-length", "5", "--detail", "score"}, {"--min-length", "--detail alignment"}},
      {{"--max-hsps", "all", "--mode", "semiglobal"}, {"--max-hsps all needs --min-score"}},
  };
  for (const auto& [more, says] : cases)
    for (const CommandResult& result : {search(more), align(more)}) {
      SCOPED_TRACE(::testing::PrintToString(more));
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_EQ(result.out, "");
      for (const std::string& text : says) EXPECT_THAT(result.err, HasSubstr(text));
    }
}

}  // namespace
}  // namespace alnus::test
