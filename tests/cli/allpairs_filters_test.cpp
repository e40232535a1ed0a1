// alnus allpairs: filters of pairs, and the warnings and counts that go with them.
#include <string>
#include <vector>

#include "cli/allpairs_fixture.h"
#include "cli/replaced_options.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using ::testing::ElementsAre;

TEST_F(AllPairs, FiltersSayWhatTheyLeftOut) {
  const CommandResult by_score = scores({"--min-score", "30"});
  EXPECT_EQ(by_score.out, "w4\tw3\t33\n");
  EXPECT_THAT(by_score.err, HasSubstr("1 pair listed, 5 pairs filtered out (--min-score 30)."));
  const CommandResult by_identity = scores({"--min-identity", "60", "--identity", "longer"});
  EXPECT_EQ(by_identity.out, "w4\tw3\t33\nw3\tw2\t22\n");
  EXPECT_THAT(by_identity.err, HasSubstr("2 pairs listed, 1 pair filtered out (--min-identity 60)."));
  EXPECT_EQ(scores({"--min-identity", "75", "--identity", "longer"}).out, "w4\tw3\t33\n");
  const CommandResult both = scores({"--min-identity", "60", "--identity", "longer", "--min-score", "23"});
  EXPECT_EQ(both.out, "w4\tw3\t33\n");
  EXPECT_THAT(both.err, HasSubstr("(--min-score 23, --min-identity 60)."));
}

// The three sequences have twelve residues in common. Two of them share 32 more.
TEST_F(AllPairs, FiltersByCoverageAndLength) {
  write("s.fa",
        ">a\nMKWVTFWHEACYDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD\n"
        ">b\nGGGGGGGGMKWVTFWHEACY\n"
        ">c\nMKWVTFWHEACYDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD\n");
  const auto pairs = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"s.fa", "--outfmt", "6 qseqid sseqid length"});
    return allpairs(std::move(more));
  };
  EXPECT_EQ(pairs({}).out, "a\tb\t12\na\tc\t44\nb\tc\t12\n");
  EXPECT_EQ(pairs({"--min-length", "13"}).out, "a\tc\t44\n");
  EXPECT_EQ(pairs({"--min-coverage", "60"}).out, "a\tc\t44\n") << "of both";
  EXPECT_EQ(pairs({"--min-coverage", "60", "--coverage-of", "shorter"}).out,
            "a\tb\t12\na\tc\t44\nb\tc\t12\n");
  EXPECT_EQ(pairs({"--min-coverage", "61", "--coverage-of", "shorter"}).out, "a\tc\t44\n");
  EXPECT_EQ(pairs({"--min-coverage", "60", "--coverage-of", "query"}).out, "a\tc\t44\nb\tc\t12\n");
  EXPECT_EQ(pairs({"--min-coverage", "60", "--coverage-of", "subject"}).out, "a\tb\t12\na\tc\t44\n");
  for (const char* of : {"longer", "both"})
    EXPECT_EQ(pairs({"--min-coverage", "60", "--coverage-of", of}).out, "a\tc\t44\n") << of;
  EXPECT_THAT(pairs({"--min-coverage", "61", "--min-length", "13"}).err,
              HasSubstr("1 pair listed, 2 pairs filtered out (--min-coverage 61, --min-length 13)."));
  ASSERT_EQ(allpairs({"s.fa", "--edges", "e.tsv", "--edge-threshold", "40", "--min-length", "13"}).exit_code,
            0);
  EXPECT_EQ(read("e.tsv"), "a\tc\t100.000\n");
  for (const auto& [wrong, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--min-coverage", "101"}, "--min-coverage"},
           {{"--coverage-of", "shortest"}, "shorter"},
           {{"--min-length", "x"}, "--min-length"}}) {
    const CommandResult result = pairs(wrong);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(message));
  }
}

TEST_F(AllPairs, IdentityOfColumnsWithEndGapsIsNeedles) {
  write("s.fa", ">a\nGGGGMKWVTFWHEACY\n>b\nMKWVTFWHEACYDDDDDDDD\n");
  const auto matrix_of = [&](const std::string& mode) {
    return matrix<float>({"--identity", "end-gaps", "--mode", mode}, "'<f4'");
  };
  EXPECT_THAT(matrix_of("semiglobal"), ElementsAre(50)) << "12 of 24 columns";
  EXPECT_THAT(matrix_of("local"), ElementsAre(50));
  const CommandResult result = allpairs(
      {"s.fa", "--outfmt", "6 pident pident_end_gaps", "--min-identity", "50", "--identity", "end-gaps"});
  EXPECT_EQ(result.out, "100.000\t50.000\n");
  EXPECT_THAT(result.err, Not(HasSubstr("warning")));
}

TEST_F(AllPairs, AnIdentityThatAFewResiduesHaveIsAWarning) {
  const auto warning = [&](const std::vector<std::string>& more) {
    const CommandResult result = scores(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto at = result.err.find("warning: ");
    return at == std::string::npos ? "" : result.err.substr(at, result.err.find('\n', at) - at);
  };
  EXPECT_EQ(
      warning({"--min-identity", "30"}),
      "warning: --min-identity is relative to the aligned columns, and a local alignment may be only a few "
      "residues long, also of unrelated sequences. Add --min-coverage X or --min-length N, or divide by more "
      "than those columns: --identity shorter, longer or mean.");
  EXPECT_THAT(warning({"--min-identity", "30", "--mode", "semiglobal"}), HasSubstr("a semiglobal alignment"));
  EXPECT_THAT(warning({"-o", "rows", "--edges", "e.tsv", "--edge-threshold", "30"}),
              HasSubstr("--edge-threshold is relative"));
  for (const std::vector<std::string>& added :
       std::vector<std::vector<std::string>>{{"--min-coverage", "50"},
                                             {"--min-length", "2"},
                                             {"--identity", "shorter"},
                                             {"--mode", "global"}}) {
    std::vector<std::string> all = {"--min-identity", "30"};
    all.insert(all.end(), added.begin(), added.end());
    EXPECT_EQ(warning(all), "") << added.front();
  }
}

TEST_F(AllPairs, LessThanOnePercentIsAWarning) {
  const auto log = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--mode", "global"});
    const CommandResult result = scores(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  EXPECT_THAT(
      log({"--min-identity", "0.35"}),
      HasSubstr(
          "warning: --min-identity 0.35 means 0.35 percent, which drops next to nothing. For 35 percent "
          "write 35.\n"));
  EXPECT_THAT(log({"--min-coverage", "0.5"}), HasSubstr("--min-coverage 0.5 means 0.5 percent"));
  EXPECT_THAT(log({"-o", "rows", "--edges", "e.tsv", "--edge-threshold", "0.9"}),
              HasSubstr("--edge-threshold 0.9 means 0.9 percent"));
  for (const std::string percent : {"0", "1", "50"})
    EXPECT_THAT(log({"--min-identity", percent}), Not(HasSubstr("warning")));
  EXPECT_THAT(
      log({"-o", "rows", "--edges", "e.tsv", "--edge-threshold", "0.5", "--matrix-value", "distance"}),
      Not(HasSubstr("warning")));
}

TEST_F(AllPairs, EValuesFilterAsTheirColumnSays) {
  write_relatives("r.fa");
  const auto rows = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"r.fa", "--outfmt", "6 qseqid sseqid evalue", "--quiet", "--composition",
                               "none", "--low-complexity", "none"});
    return lines_of(allpairs(std::move(more)).out);
  };
  std::vector<std::string> expected = rows({});
  const auto all = expected.size();
  std::erase_if(expected,
                [](const std::string& row) { return std::stod(row.substr(row.rfind('\t'))) > 1.005e-20; });
  EXPECT_LT(expected.size(), all);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(rows({"--evalue", "1.005e-20"}), expected);
}

TEST_F(AllPairs, AFilterByEValuesThatAreNotThereIsOneError) {
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {}, {"--edges", "e.tsv", "--edge-threshold", "50"}, {"--dry-run"}}) {
    std::vector<std::string> arguments = {"s.fa", "--evalue", "1", "--mode", "global"};
    arguments = with_options(std::move(arguments), more);
    const CommandResult result = allpairs(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "alnus: error: There are no E-values for mode global, only for local, so --evalue "
              "cannot filter; --min-score can.\n");
  }
}

// The self scores of sequences of which most letters are unknown are low, so that score distances are 0 or
// less.
TEST_F(AllPairs, SequencesThatAreHalfUnknownAreWarnedOfInScoreDistances) {
  const std::string warning =
      "warning: Half of the letters or more are X: 2 sequences of x.fa (the first is ";
  write("x.fa", ">a\nCASSLGQF\n>b\nCXXXXXXF\n>c\nMKVLXXXX\n>d\nXX\n");
  for (const std::vector<std::string>& output : std::vector<std::vector<std::string>>{
           {"--matrix-out", "score-distance:m.npy"},
           {"--edges", "e.tsv", "--edge-threshold", "5", "--matrix-value", "score-distance"},
           {"--top-k", "1", "--matrix-value", "score-distance"}}) {
    std::vector<std::string> arguments = {"x.fa", "--mode", "global"};
    arguments.insert(arguments.end(), output.begin(), output.end());
    const CommandResult result = allpairs(arguments);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr(warning + "'b')")) << output.front();
  }
  const CommandResult scores = allpairs({"x.fa", "--mode", "global", "--matrix-out", "score:m.npy"});
  EXPECT_THAT(scores.err, ::testing::Not(HasSubstr("Half of the letters")));
  write("n.fa", ">a\nACGTNNNN\n>b\nACGTACGT\n");
  const CommandResult dna =
      allpairs({"n.fa", "--alphabet", "dna", "--mode", "global", "--matrix-out", "score-distance:m.npy"});
  EXPECT_THAT(dna.err, HasSubstr("Half of the letters or more are N: 1 sequence of n.fa (the first is 'a')"));
}

// In global mode no E-value can be computed. That is a warning only for those who gave a highest E-value.
TEST_F(AllPairs, NoEvaluesOfGlobalModeAreNoWarning) {
  const CommandResult result = allpairs({"s.fa", "--mode", "global"});
  EXPECT_THAT(result.err, HasSubstr("alnus: There are no E-values for mode global"));
  EXPECT_THAT(result.err, ::testing::Not(HasSubstr("warning: There are no E-values")));
  EXPECT_THAT(result.err, ::testing::Not(HasSubstr("--evalue does not filter")));
}

}  // namespace
}  // namespace alnus::test
