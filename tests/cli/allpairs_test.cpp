// alnus allpairs: which pairs it computes, their order, and every output.
#include <algorithm>
#include <cstring>
#include <sstream>

#include "alnus/devices.h"
#include "cli/cli_fixture.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class AllPairs : public CliTest {
 protected:
  AllPairs() {
    write("s.fa", ">w4 four\nWWWW\n>w3\nWWW\n>c\nCCC\n>w2\nWW\n");
    write("t.fa", ">x\nWW\n>y\nCC\n");
  }
  CommandResult allpairs(std::vector<std::string> more) const {
    more.insert(more.begin(), "allpairs");
    return alnus(std::move(more));
  }
  CommandResult scores(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"s.fa", "--outfmt", "6 qseqid sseqid score"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return allpairs(std::move(arguments));
  }
  // Returns a matrix of values of s.fa. `head` is a text of type or shape that the file's header must have.
  template <class Value>
  std::vector<Value> matrix(const std::vector<std::string>& more, const std::string& head) const {
    std::vector<std::string> arguments = {"s.fa", "--matrix-out", "m.npy", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = allpairs(std::move(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    const std::string bytes = read("m.npy");
    EXPECT_THAT(bytes.substr(0, 128), HasSubstr(head));
    std::vector<Value> values((bytes.size() - 128) / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), bytes.data() + 128, bytes.size() - 128);
    return values;
  }
  // Writes a file of 40 sequences that are relatives of each other.
  void write_relatives(const std::string& name) const {
    Random random(7);
    const Residues ancestor = random_sequence(random, 120);
    std::string text;
    for (int k = 0; k < 40; ++k)
      text += ">r" + std::to_string(k) + "\n" + decode(relative(random, ancestor, 8, 8)) + "\n";
    write(name, text);
  }
};

TEST_F(AllPairs, EveryPairOnceInTheOrderOfTheFile) {
  const CommandResult result = scores({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "w4\tw3\t33\nw4\tw2\t22\nw3\tw2\t22\n");
  EXPECT_THAT(result.err, HasSubstr("3 pairs of score 0 without a row"));
  EXPECT_THAT(result.err, HasSubstr("4 queries, 4 subjects, 6 pairs, 53 cells"));
  EXPECT_THAT(lines_of(scores({"--mode", "global"}).out),
              ElementsAre("w4\tw3\t21", "w4\tc\t-18", "w3\tc\t-6", "w4\tw2\t9", "w3\tw2\t10", "c\tw2\t-16"));
}

TEST_F(AllPairs, WithThemselves) {
  EXPECT_THAT(lines_of(scores({"--self"}).out),
              ElementsAre("w4\tw4\t44", "w4\tw3\t33", "w3\tw3\t33", "c\tc\t27", "w4\tw2\t22", "w3\tw2\t22",
                          "w2\tw2\t22"));
}

TEST_F(AllPairs, TwoSets) {
  const CommandResult result = scores({"--against", "t.fa"});
  EXPECT_EQ(result.out, "w4\tx\t22\nw3\tx\t22\nc\ty\t18\nw2\tx\t22\n");
  EXPECT_THAT(result.err, HasSubstr("4 queries, 2 subjects, 8 pairs"));
}

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

TEST_F(AllPairs, TopKListsTheNearestOfEachSequence) {
  const CommandResult nearest = scores({"--top-k", "1"});
  EXPECT_EQ(nearest.out, "w4\tw3\t33\nw3\tw4\t33\nw2\tw4\t22\n") << "c has no neighbour";
  EXPECT_THAT(nearest.err, HasSubstr("3 pairs listed, 9 pairs filtered out (--top-k 1)."));
  EXPECT_THAT(nearest.err, HasSubstr("4 queries, 4 subjects, 12 pairs"));
  EXPECT_EQ(scores({"--top-k", "1", "--min-score", "30"}).out, "w4\tw3\t33\nw3\tw4\t33\n");
  EXPECT_EQ(scores({"--top-k", "1", "--self"}).out, "w4\tw4\t44\nw3\tw4\t33\nc\tc\t27\nw2\tw4\t22\n")
      << "a pair that scores as high as that of a sequence with itself comes first if it is earlier";
  const CommandResult of_two = scores({"--top-k", "1", "--against", "t.fa", "--mode", "global",
                                       "--matrix-value", "score", "--edges", "e.tsv"});
  EXPECT_EQ(of_two.exit_code, 0) << of_two.err;
  EXPECT_EQ(read("e.tsv"), "w4\tx\t9\nw3\tx\t10\nc\ty\t6\nw2\tx\t22\n");
}

TEST_F(AllPairs, TopKNeedsARoomForSomePairs) {
  for (const char* wrong : {"0", "-1", "4294967296", "some"})
    EXPECT_THAT(scores({"--top-k", wrong}).err, HasSubstr("--top-k takes a whole number from 1"));
  EXPECT_THAT(allpairs({"s.fa", "--top-k", "1", "--matrix-out", "m.npy"}).err,
              HasSubstr("error: --top-k keeps some pairs of each sequence"));
  EXPECT_THAT(allpairs({"s.fa", "--top-k", "1", "--matrix-value", "identity"}).err,
              HasSubstr("--top-k by identity is relative to the aligned columns"));
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
  EXPECT_THAT(warning({"--edges", "e.tsv", "--edge-threshold", "30"}),
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
  EXPECT_THAT(log({"--edges", "e.tsv", "--edge-threshold", "0.9"}),
              HasSubstr("--edge-threshold 0.9 means 0.9 percent"));
  for (const std::string percent : {"0", "1", "50"})
    EXPECT_THAT(log({"--min-identity", percent}), Not(HasSubstr("warning")));
  EXPECT_THAT(log({"--edges", "e.tsv", "--edge-threshold", "0.5", "--matrix-value", "distance"}),
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
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = allpairs(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "alnus: error: There are no E-values for mode global, only for local, so --evalue "
              "cannot filter; --min-score can.\n");
  }
}

TEST_F(AllPairs, AlignmentsDoNotDependOnTheOrderInTheFile) {
  Random random(3);
  std::vector<std::string> records;
  for (int k = 0; k < 30; ++k)
    records.push_back(">r" + std::to_string(k) + "\n" + decode(random_sequence(random, 40, 3)) + "\n");
  const auto rows = [&] {
    std::string text;
    for (const std::string& record : records) text += record;
    write("r.fa", text);
    std::set<std::string> found;
    for (const std::string& line : lines_of(
             allpairs({"r.fa", "--outfmt", "6 qseqid sseqid score nident length gaps", "--quiet"}).out)) {
      const auto first = line.find('\t'), second = line.find('\t', first + 1);
      std::string a = line.substr(0, first), b = line.substr(first + 1, second - first - 1);
      if (b < a) std::swap(a, b);
      found.insert(a + ' ' + b + line.substr(second));
    }
    return found;
  };
  const std::set<std::string> expected = rows();
  EXPECT_EQ(expected.size(), 435u);
  std::ranges::reverse(records);
  EXPECT_EQ(rows(), expected);
}

TEST_F(AllPairs, CondensedMatrices) {
  EXPECT_THAT(
      matrix<std::int32_t>({"--matrix-value", "score"}, "'<i4', 'fortran_order': False, 'shape': (6,)"),
      ElementsAre(33, 0, 22, 0, 22, 0));
  EXPECT_THAT(matrix<float>({"--matrix-value", "score", "--matrix-type", "float32"}, "'<f4'"),
              ElementsAre(33, 0, 22, 0, 22, 0));
  EXPECT_THAT(matrix<float>({}, "'<f4', 'fortran_order': False, 'shape': (6,)"),
              ElementsAre(100, 0, 100, 0, 100, 0));
  EXPECT_THAT(matrix<float>({"--identity", "longer", "--min-score", "1000"}, "'<f4'"),
              ElementsAre(75, 0, 50, 0, 200.0F / 3, 0));
  EXPECT_THAT(matrix<float>({"--matrix-value", "distance", "--identity", "mean"}, "'<f4'"),
              ElementsAre(1.0F / 7, 1, 1.0F / 3, 1, 0.2F, 1));
}

TEST_F(AllPairs, ScoreDistances) {
  EXPECT_THAT(matrix<std::int32_t>({"--matrix-value", "score-distance"}, "'<i4', 'fortran_order': False"),
              ElementsAre(0, 27, 0, 27, 0, 22));
  EXPECT_THAT(matrix<std::int32_t>({"--matrix-value", "score-distance", "--mode", "global", "--square"},
                                   "'<i4', 'fortran_order': False, 'shape': (4, 4)"),
              ElementsAre(0, 12, 45, 13, 12, 0, 33, 12, 45, 33, 0, 38, 13, 12, 38, 0));
  EXPECT_THAT(
      matrix<std::int32_t>({"--matrix-value", "score-distance", "--against", "t.fa"}, "'shape': (4, 2)"),
      ElementsAre(0, 18, 0, 18, 22, 0, 0, 18));
  EXPECT_THAT(matrix<float>({"--matrix-value", "score-distance", "--matrix-type", "float32"}, "'<f4'"),
              ElementsAre(0, 27, 0, 27, 0, 22));
  allpairs({"s.fa", "--matrix-out", "score-distance:n.npy", "--edges", "e.tsv", "--edge-threshold", "12",
            "--matrix-value", "score-distance", "--mode", "global", "--quiet"});
  EXPECT_EQ(read("e.tsv"), "w4\tw3\t12\nw3\tw2\t12\n");
  const std::string one = read("m.npy");
  allpairs({"s.fa", "--matrix-out", "i.npy", "--matrix-out", "score-distance:n.npy", "--matrix-type",
            "float32", "--quiet"});
  EXPECT_TRUE(read("n.npy") == one);
}

// An empty record and one of X alone are joined to nothing.
TEST_F(AllPairs, MissingSequencesAreNoEdgesOfScoreDistances) {
  const std::string file = ALNUS_SOURCE_DIR "/tests/data/outsiders/missing_cdr3.fasta";
  for (const char* mode : {"local", "semiglobal", "global"}) {
    const CommandResult result =
        allpairs({file, "--alphabet", "protein", "--mode", mode, "--matrix-value", "score-distance",
                  "--matrix-out", "m.npy", "--edges", "e.tsv", "--edge-threshold", "60"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(read("e.tsv"), ::testing::MatchesRegex("c1\tc2\t[0-9]+\n")) << mode;
    EXPECT_THAT(result.err, HasSubstr("No letters, or X alone: 2 sequences of "));
    EXPECT_THAT(result.err, HasSubstr("they are at the largest score distance, 2147483647, from every "));
    const std::string bytes = read("m.npy");
    std::vector<std::int32_t> values(6);
    ASSERT_EQ(bytes.size(), 128 + values.size() * sizeof(std::int32_t));
    std::memcpy(values.data(), bytes.data() + 128, bytes.size() - 128);
    EXPECT_LT(values.front(), 60);
    EXPECT_EQ(std::ranges::count(values, INT32_MAX), 5) << mode;
    const CommandResult nearest = allpairs(
        {file, "--alphabet", "protein", "--mode", mode, "--top-k", "3", "--outfmt", "6 qseqid sseqid"});
    EXPECT_EQ(nearest.out, "c1\tc2\nc2\tc1\n") << mode;
  }
}

TEST_F(AllPairs, SquareMatrices) {
  EXPECT_THAT(matrix<std::int32_t>({"--matrix-value", "score", "--square"}, "'shape': (4, 4)"),
              ElementsAre(44, 33, 0, 22, 33, 33, 0, 22, 0, 0, 27, 0, 22, 22, 0, 22));
}

TEST_F(AllPairs, RectangularMatrices) {
  EXPECT_THAT(matrix<std::int32_t>({"--matrix-value", "score", "--against", "t.fa"}, "'shape': (4, 2)"),
              ElementsAre(22, 0, 22, 0, 0, 18, 22, 0));
}

TEST_F(AllPairs, ScoresWithDecimals) {
  EXPECT_THAT(matrix<float>({"--matrix-value", "score", "--matrix-type", "float32", "--preset",
                             "emboss-needle", "--mode", "global"},
                            "'<f4'"),
              ElementsAre(23, -16, 11.5, -6, 12, -14));
  const CommandResult integers =
      allpairs({"s.fa", "--matrix-out", "m.npy", "--matrix-value", "score", "--preset", "emboss-needle"});
  EXPECT_EQ(integers.exit_code, 1);
  EXPECT_THAT(integers.err, HasSubstr("choose --matrix-type float32"));
}

TEST_F(AllPairs, Distances) {
  // PHYLIP's file has distances, whatever --matrix-value says.
  const CommandResult result = allpairs({"s.fa", "--phylip", "d.phy", "--matrix-value", "score"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(read("d.phy"),
            "    4\n"
            "w4        \n"
            "w3          0.000000\n"
            "c           1.000000  1.000000\n"
            "w2          0.000000  0.000000  1.000000\n");
}

TEST_F(AllPairs, NamesOfDistances) {
  write("s.fa", ">sp|P12345|ONE_HUMAN first\nWWWW\n>sp|P67890|TWO\nWWW\n>chr1:10-20(+)\nWW\n");
  const CommandResult relaxed = allpairs({"s.fa", "--phylip", "d.phy"});
  EXPECT_EQ(relaxed.exit_code, 0) << relaxed.err;
  EXPECT_EQ(read("d.phy"),
            "    3\n"
            "sp|P12345|ONE_HUMAN\n"
            "sp|P67890|TWO  0.000000\n"
            "chr1_10-20_+_  0.000000  0.000000\n");
  EXPECT_THAT(relaxed.err,
              HasSubstr("1 name is in d.phy with '_' in place of characters that have a meaning in "
                        "trees or are not ASCII, such as chr1_10-20_+_ for 'chr1:10-20(+)'."));
  ASSERT_EQ(allpairs({"s.fa", "--phylip", "d.phy", "--phylip-names", "strict"}).exit_code, 0);
  EXPECT_EQ(read("d.phy"),
            "    3\n"
            "sp|P12345|\n"
            "sp|P67890|  0.000000\n"
            "chr1_10-20  0.000000  0.000000\n");
}

TEST_F(AllPairs, TwoSequencesWithOneNameHaveNoPhylipMatrix) {
  write("s.fa", ">a one\nWW\n>b\nWW\n>a two\nWW\n");
  for (const char* run : {"", "--dry-run"}) {
    std::vector<std::string> arguments = {"s.fa", "--phylip", "d.phy"};
    if (*run) arguments.push_back(run);
    const CommandResult result = allpairs(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("Records 1 ('a') and 3 ('a') of s.fa would both be named a in the PHYLIP matrix"));
  }
  write("s.fa", ">sp|P12345|ONE\nWW\n>sp|P12345|TWO\nWW\n");
  EXPECT_EQ(allpairs({"s.fa", "--phylip", "whole.phy"}).exit_code, 0);
  const CommandResult strict = allpairs({"s.fa", "--phylip", "d.phy", "--phylip-names", "strict"});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.err, AllOf(HasSubstr("Records 1 ('sp|P12345|ONE') and 2 ('sp|P12345|TWO') of s.fa"),
                                HasSubstr("--phylip-names relaxed")));
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa", "whole.phy"}));
}

TEST_F(AllPairs, MatricesOfSeveralValuesAreThoseOfRunsWithOneEach) {
  write_relatives("s.fa");
  const std::vector<std::string> scoring = {"s.fa", "--mode", "global", "--identity", "longer", "--quiet"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), scoring.begin(), scoring.end());
    const CommandResult result = allpairs(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  };
  run({"--matrix-out", "i1.npy"});
  run({"--matrix-out", "d1.npy", "--matrix-value", "distance", "--edges", "e1.tsv", "--edge-threshold",
       "0.5"});
  run({"--matrix-out", "s1.npy", "--matrix-value", "score"});
  run({"--phylip", "d1.phy"});
  run({"--matrix-out", "d2.npy", "--matrix-value", "distance", "--matrix-out", "score:s2.npy", "--matrix-out",
       "identity:i2.npy", "--phylip", "d2.phy", "--edges", "e2.tsv", "--edge-threshold", "0.5"});
  for (const std::string name : {"i?.npy", "d?.npy", "s?.npy", "d?.phy", "e?.tsv", "i?.npy.ids"}) {
    std::string one = name, together = name;
    one[1] = '1', together[1] = '2';
    EXPECT_TRUE(read(together) == read(one)) << name;
  }
  run({"--matrix-out", "distance:d3.npy", "--matrix-out", "./score:s.npy"});
  EXPECT_TRUE(read("d3.npy") == read("d1.npy"));
  EXPECT_TRUE(read("score:s.npy") == read("i1.npy")) << "a file's name that begins as a value does";
}

TEST_F(AllPairs, MatricesHaveTheirIdsBesideThem) {
  matrix<float>({}, "'shape': (6,)");
  EXPECT_EQ(read("m.npy.ids"), "w4\nw3\nc\nw2\n");
  matrix<float>({"--square"}, "'shape': (4, 4)");
  EXPECT_EQ(read("m.npy.ids"), "w4\nw3\nc\nw2\n");
  std::filesystem::remove(path("m.npy.ids"));
  matrix<float>({"--against", "t.fa"}, "'shape': (4, 2)");
  EXPECT_EQ(read("m.npy.rows.ids"), "w4\nw3\nc\nw2\n");
  EXPECT_EQ(read("m.npy.columns.ids"), "x\ny\n");
  EXPECT_FALSE(files().contains("m.npy.ids"));
}

TEST_F(AllPairs, MatricesAndTheirIdsReplaceNoInput) {
  for (const auto& [input, arguments] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"m.npy.ids", {"m.npy.ids", "--matrix-out", "m.npy"}},
           {"m.npy.columns.ids", {"s.fa", "--against", "m.npy.columns.ids", "--matrix-out", "m.npy"}},
           {"m.npy", {"m.npy", "--matrix-out", "distance:m.npy"}},
           {"m.npy", {"s.fa", "--matrix", "m.npy", "--matrix-out", "distance:m.npy"}}}) {
    const std::string text = ">a\nWW\n>b\nWWW\n";
    write(input, text);
    const CommandResult result = allpairs(arguments);
    EXPECT_EQ(result.exit_code, 1) << input;
    EXPECT_THAT(result.err, HasSubstr(input));
    EXPECT_EQ(read(input), text);
    std::filesystem::remove(path(input));
    EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa"}));
  }
}

TEST_F(AllPairs, Edges) {
  const auto edges = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"s.fa", "--edges", "e.tsv", "--quiet"});
    const CommandResult result = allpairs(std::move(more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read("e.tsv");
  };
  EXPECT_EQ(edges({"--edge-threshold", "22", "--matrix-value", "score"}),
            "w4\tw3\t33\nw4\tw2\t22\nw3\tw2\t22\n");
  EXPECT_EQ(edges({"--edge-threshold", "60", "--identity", "longer"}), "w4\tw3\t75.000\nw3\tw2\t66.667\n");
  EXPECT_EQ(edges({"--edge-threshold", "0.3", "--identity", "longer", "--matrix-value", "distance"}),
            "w4\tw3\t0.250000\n");
  EXPECT_EQ(edges({"--edge-threshold", "18", "--matrix-value", "score", "--against", "t.fa"}),
            "w4\tx\t22\nw3\tx\t22\nc\ty\t18\nw2\tx\t22\n");
  edges({"--edge-threshold", "22", "--matrix-value", "score", "--edges", "e.csv"});
  EXPECT_EQ(read("e.csv"), "w4,w3,33\nw4,w2,22\nw3,w2,22\n");
}

TEST_F(AllPairs, TheLogCountsEdges) {
  const auto log = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"s.fa", "--matrix-value", "score", "--edge-threshold"});
    return allpairs(std::move(more)).err;
  };
  EXPECT_THAT(log({"22", "--edges", "e.tsv"}), HasSubstr("alnus: 3 edges in e.tsv.\n"));
  EXPECT_THAT(log({"33", "--edges", "e.npz", "-o", "x.tsv"}), HasSubstr("alnus: 1 edge in e.npz.\n"));
  EXPECT_THAT(log({"33", "--edges", "e.tsv", "--top-k", "1"}), HasSubstr("alnus: 2 edges in e.tsv.\n"))
      << "the pair is an edge of both";
  EXPECT_EQ(log({"33", "--edges", "e.tsv", "--quiet"}), "");
  EXPECT_THAT(scores({}).err, Not(HasSubstr("edge")));
}

TEST_F(AllPairs, RowsBesideOtherOutputs) {
  const CommandResult result = scores({"-o", "rows.tsv", "--matrix-out", "m.npy", "--matrix-value", "score",
                                       "--edges", "e.tsv", "--edge-threshold", "30"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read("rows.tsv"), scores({}).out);
  EXPECT_EQ(read("e.tsv"), "w4\tw3\t33\n");
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa", "rows.tsv", "m.npy", "m.npy.ids", "e.tsv"}));
}

TEST_F(AllPairs, ContradictionsAreErrors) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--self", "--against", "t.fa"}, "--self pairs a sequence with itself"},
      {{"--matrix-out", "m.npy", "--matrix-type", "int32"}, "--matrix-type int32 is for scores"},
      {{"--matrix-out", "m.npy", "--matrix-out", "identity:n.npy"},
       "--matrix-out names m.npy and n.npy for one value"},
      {{"--matrix-out", "m.npy", "--matrix-out", "n.npy"},
       "--matrix-out names m.npy and n.npy for one value"},
      {{"--matrix-out", "score:m.npy", "--matrix-out", "score:n.npy"},
       "--matrix-out names m.npy and n.npy for one value"},
      {{"--matrix-out", "scores:m.npy"}, "--matrix-out 'scores' is not known; did you mean score?"},
      {{"--matrix-out", "foo:m.npy"}, "--matrix-out 'foo' is not known; choose one of"},
      {{"--matrix-out", "-"}, "--matrix-out needs a file"},
      {{"--matrix-out", "score:m.XLS"}, "as a table for spreadsheets, not as .xls. Name it .npy, or .csv"},
      {{"--matrix-out", "m.npy.gz"}, "as a table for spreadsheets, not as .gz"},
      {{"--matrix-out", "m.xlsx"}, "m.xlsx: alnus writes no spreadsheets (.xlsx)"},
      {{"--matrix-out", "m.csv", "--matrix-value", "score", "--matrix-type", "int32"},
       "--matrix-type is for matrices in NumPy's format; a table has numbers as text."},
      {{"--matrix-out", "m.csv", "--square", "--against", "t.fa"},
       "--square is a form of --matrix-out for one"},
      {{"--matrix-out", "m.csv", "--top-k", "1"},
       "--top-k keeps some pairs of each sequence, and --matrix-out"},
      {{"-o", "rows.tsv.bz2"}, "rows.tsv.bz2: an output is compressed as .gz or .zst, not as .bz2"},
      {{"--outfmt", "sam", "-o", "rows.bam"}, "rows.bam: SAM is written as text, not as .bam"},
      {{"--matrix-out", "distance:"}, "--matrix-out distance: names no file"},
      {{"--matrix-out", "distance:m.npy", "--matrix-type", "int32"}, "--matrix-type int32 is for scores"},
      {{"--phylip-names", "strict"}, "--phylip-names needs --phylip FILE."},
      {{"--phylip", "d.phy", "--phylip-names", "long"}, "--phylip-names 'long' is not known"},
      {{"--phylip", "d.phy", "--matrix-value", "distance", "--against", "t.fa"}, "leave --against out"},
      {{"--edges", "e.tsv"}, "--edges FILE and --edge-threshold X go together"},
      {{"--matrix-value", "distance", "--edges", "e.tsv", "--edge-threshold", "70"},
       "--edge-threshold is 70, but a distance is between 0 and 1 (1 - identity)."},
      {{"--edges", "e.tsv", "--edge-threshold", "140"},
       "--edge-threshold is 140, but identities are percents from 0 to 100."},
      {{"--matrix-value", "score-distance", "--edges", "e.tsv", "--edge-threshold", "-1"},
       "--edge-threshold is -1, but score distances are 0 or more."},
      {{"--matrix-value", "score_distance", "--matrix-out", "m.npy"}, "did you mean score-distance?"},
      {{"--matrix-value", "score", "-o", "x"}, "--matrix-value is for --matrix-out, --edges and --top-k"},
      {{"--matrix-type", "float32", "-o", "x"}, "--matrix-type is for --matrix-out"},
      {{"--min-identity", "101"}, "--min-identity takes a number from 0 to 100, not '101'"},
      {{"--edge-threshold", "3"}, "--edges FILE and --edge-threshold X go together"},
      {{"--square"}, "--square is a form of --matrix-out"},
      {{"--square", "--matrix-out", "m.npy", "--against", "t.fa"},
       "with --against the matrix is a rectangle"},
      {{"-o", "m.npy", "--matrix-out", "m.npy"}, "Two outputs have the name m.npy"},
      {{"-o", "m.npy.ids", "--matrix-out", "m.npy"}, "Two outputs have the name m.npy.ids"},
      {{"--matrix-out", "m.npy", "--matrix-out", "score:m.npy"}, "Two outputs have the name m.npy"},
      {{"--mode", "global", "--evalue", "1"}, "--evalue cannot filter; --min-score can"},
      {{"--add", "t.fa"}, "--checkpoint DIR"},
      {{"--checkpoint", "ledger"}, "write the rows to a file by -o"},
      {{"--checkpoint", "ledger", "-o", "rows.sam", "--outfmt", "sam"},
       "--checkpoint works only with --outfmt 6, 10 or jsonl."},
      {{"--checkpoint", "ledger", "-o", "rows.tsv", "--header"},
       "--checkpoint works only with --outfmt 6, 10 or jsonl, without --header."},
  };
  for (const auto& [arguments, message] : cases) {
    std::vector<std::string> all = {"s.fa"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = allpairs(all);
    EXPECT_EQ(result.exit_code, 1) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa"})) << message;
  }
}

TEST_F(AllPairs, OutputsThatCannotBeWritten) {
  for (const std::vector<std::string>& output :
       std::vector<std::vector<std::string>>{{"-o", "none/rows.tsv"},
                                             {"--matrix-out", "none/m.npy"},
                                             {"--phylip", "none/d.phy", "--matrix-value", "distance"},
                                             {"--edges", "none/e.tsv", "--edge-threshold", "1"}}) {
    const CommandResult result = scores(output);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_THAT(result.err, HasSubstr("Cannot create the output file " + output[1]));
  }
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa"}));
  const CommandResult full = shell(
      "ulimit -f 1; \"$1\" allpairs s.fa --matrix-out m.npy --edges e.tsv "
      "--edge-threshold 1 -o r.tsv --outfmt \"6 full_qseq\"");
  EXPECT_EQ(full.exit_code, 0) << full.err;
}

TEST_F(AllPairs, AMatrixThatHasNoRoomIsAnErrorAtOnce) {
  write_relatives("r.fa");
  const CommandResult result = shell("ulimit -f 2; \"$1\" allpairs r.fa --matrix-out m.npy -o rows.tsv");
  EXPECT_EQ(result.exit_code, 255);
  EXPECT_THAT(result.err, HasSubstr("m.npy needs 3248 bytes, which cannot be had there: File too large."));
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa", "r.fa"}));
}

TEST_F(AllPairs, SmallestSets) {
  write("none.fa", "");
  EXPECT_THAT(allpairs({"none.fa"}).err, HasSubstr("none.fa holds no sequences"));
  write("s.fa", ">a\nWW\n");
  EXPECT_EQ(scores({}).out, "");
  EXPECT_EQ(scores({}).exit_code, 0);
  EXPECT_EQ(scores({"--self"}).out, "a\ta\t22\n");
  EXPECT_THAT(matrix<float>({}, "'shape': (0,)"), IsEmpty());
  EXPECT_THAT(matrix<float>({"--square"}, "'shape': (1, 1)"), ElementsAre(100));
  write("s.fa", ">a\nWW\n>b\nWW\n");
  EXPECT_EQ(scores({}).out, "a\tb\t22\n");
  EXPECT_THAT(matrix<float>({}, "'shape': (1,)"), ElementsAre(100));
}

TEST_F(AllPairs, EmptyRecords) {
  write("s.fa", ">a\nWW\n>none\n>b\nWW\n>nothing\n");
  const CommandResult local = scores({});
  EXPECT_EQ(local.out, "a\tb\t22\n");
  EXPECT_THAT(local.err, HasSubstr("2 records of s.fa without a sequence"));
  EXPECT_THAT(local.err, HasSubstr("5 pairs of score 0 without a row"));
  EXPECT_EQ(scores({"--mode", "global"}).out,
            "a\tnone\t-13\na\tb\t22\nnone\tb\t-13\na\tnothing\t-13\nnone\tnothing\t0\nb\tnothing\t-13\n");
  EXPECT_THAT(matrix<float>({"--matrix-value", "distance"}, "'<f4'"), ElementsAre(1, 0, 1, 1, 1, 1));
}

TEST_F(AllPairs, Duplicates) {
  write("s.fa", ">a\nWW\n>a\nWW\n>a\nWW\n");
  EXPECT_EQ(scores({}).out, "a\ta\t22\na\ta\t22\na\ta\t22\n");
}

TEST_F(AllPairs, ADatabaseIsInFileOrder) {
  ASSERT_EQ(alnus({"makedb", "s.fa", "-o", "s.alnus"}).exit_code, 0);
  const CommandResult result =
      allpairs({"s.alnus", "--outfmt", "6 qseqid sseqid score", "--self", "--quiet"});
  EXPECT_EQ(result.out, scores({"--self"}).out);
  ASSERT_EQ(allpairs({"s.alnus", "--matrix-out", "db.npy", "--quiet"}).exit_code, 0);
  matrix<float>({}, "'shape': (6,)");
  EXPECT_EQ(read("db.npy"), read("m.npy"));
}

TEST_F(AllPairs, IdsOfADatabaseAreInFileOrder) {
  ASSERT_EQ(alnus({"makedb", "s.fa", "-o", "s.alnus"}).exit_code, 0);
  ASSERT_EQ(allpairs({"s.alnus", "--matrix-out", "db.npy", "--phylip", "db.phy", "--quiet"}).exit_code, 0);
  ASSERT_EQ(allpairs({"s.fa", "--matrix-out", "m.npy", "--phylip", "m.phy", "--quiet"}).exit_code, 0);
  EXPECT_EQ(read("db.npy.ids"), "w4\nw3\nc\nw2\n");
  EXPECT_EQ(read("db.phy"), read("m.phy"));
}

TEST_F(AllPairs, CompressedOutputs) {
  EXPECT_EQ(scores({"-o", "rows.tsv.gz", "--edges", "e.tsv.zst", "--edge-threshold", "1"}).exit_code, 0);
  EXPECT_EQ(shell("gzip -dc rows.tsv.gz").out, scores({}).out);
  EXPECT_EQ(read("e.tsv.zst").substr(0, 4), "\x28\xb5\x2f\xfd");
}

TEST_F(AllPairs, Dna) {
  write("s.fa", ">a\nACGT\n>b\nacga\n>c\nTTTT\n");
  EXPECT_EQ(scores({"--alphabet", "dna", "--match", "2", "--mismatch", "-3"}).out, "a\tb\t6\na\tc\t2\n");
}

TEST_F(AllPairs, EveryFormat) {
  for (const char* format : {"0", "6", "7", "10", "srspair", "sam", "jsonl"}) {
    const CommandResult result = allpairs({"s.fa", "--outfmt", format});
    EXPECT_EQ(result.exit_code, 0) << format << result.err;
    EXPECT_THAT(result.out, HasSubstr("w3")) << format;
  }
}

TEST_F(AllPairs, SameBytesWithAnyThreadsInstructionsAndMemory) {
  write_relatives("s.fa");
  const auto bytes = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"-o",       "rows.tsv.gz", "--matrix-out",     "m.npy",
                                          "--edges",  "e.tsv",       "--edge-threshold", "40",
                                          "--outfmt", "6 std cigar"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = scores(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read("rows.tsv.gz") + read("m.npy") + read("e.tsv");
  };
  const std::string expected = bytes({"-t", "1"});
  EXPECT_EQ(bytes({"-t", "2"}), expected);
  EXPECT_EQ(bytes({"-t", "2", "--memory", "64K"}), expected);
  const std::vector<Backend> all_backends = backends();
  for (const std::string& isa : all_backends.front().isas) EXPECT_EQ(bytes({"--isa", isa}), expected) << isa;
}

TEST_F(AllPairs, AMatrixIsATableForSpreadsheetsByItsName) {
  const auto table = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"s.fa", "--mode", "global", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = allpairs(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
  };
  table({"--matrix-value", "score", "--matrix-out", "m.csv", "--matrix-out", "distance:d.tsv"});
  EXPECT_EQ(read("m.csv"), ",w4,w3,c,w2\nw4,44,21,-18,9\nw3,21,33,-6,10\nc,-18,-6,27,-16\nw2,9,10,-16,22\n");
  EXPECT_EQ(lines_of(read("d.tsv"))[1], "w4\t0\t0.25\t1\t0.5");
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa", "m.csv", "d.tsv"}));
  table({"--matrix-value", "score", "--matrix-out", "m.csv", "--against", "t.fa"});
  EXPECT_EQ(read("m.csv"), ",x,y\nw4,9,-17\nw3,10,-16\nc,-16,6\nw2,22,-4\n");
}

TEST_F(AllPairs, DryRun) {
  const CommandResult result = scores({"--dry-run", "--matrix-out", "m.npy", "--square"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("pairs: 10\ncells: 91\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("rows")));
  EXPECT_THAT(result.out, HasSubstr("output bytes: about 192 (192 bytes)\n"));
  EXPECT_THAT(result.out,
              HasSubstr("\nexpected time: less than a second on this CPU if nothing else runs\n"));
  EXPECT_THAT(scores({"--dry-run"}).out, HasSubstr("pairs: 6\ncells: 53\n"));
  EXPECT_THAT(scores({"--dry-run"}).out, HasSubstr("output rows: at most 6\noutput bytes: about "));
  EXPECT_THAT(scores({"--dry-run", "--against", "t.fa"}).out, HasSubstr("pairs: 8\ncells: 48\n"));
  const std::vector<std::string> edges = {"s.fa",    "--dry-run", "--mode",           "global",
                                          "--edges", "e.tsv",     "--edge-threshold", "50"};
  const auto told = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = edges;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::string text = allpairs(arguments).out;
    return text.substr(text.find('\n', text.find("expected time: ")) + 1);
  };
  EXPECT_EQ(told({}), "edges: at most 6 (how many pass is not known before the run)\n");
  EXPECT_THAT(told({"--top-k", "1"}), HasSubstr("edges: at most 4 (how many"));
  EXPECT_EQ(told({"--matrix-out", "m.npy"}),
            "edges: at most 6 (how many pass is not known before the run)\n"
            "output bytes: about 152 (152 bytes, without the edges)\n");
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa"}));
}

}  // namespace
}  // namespace alnus::test
