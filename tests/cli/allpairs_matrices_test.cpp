// alnus allpairs: matrices of values, and the files of ids beside them.
#include <string>
#include <vector>

#include "cli/allpairs_fixture.h"
#include "cli/replaced_options.h"

namespace alnus::test {
namespace {

using ::testing::ElementsAre;

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

TEST_F(AllPairs, AMatrixThatHasNoRoomIsAnErrorAtOnce) {
  write_relatives("r.fa");
  const CommandResult result = shell("ulimit -f 2; \"$1\" allpairs r.fa --matrix-out m.npy -o rows.tsv");
  EXPECT_EQ(result.exit_code, 255);
  EXPECT_THAT(result.err, HasSubstr("m.npy needs 3248 bytes, which cannot be had there: File too large."));
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa", "r.fa"}));
}

TEST_F(AllPairs, IdsOfADatabaseAreInFileOrder) {
  ASSERT_EQ(alnus({"makedb", "s.fa", "-o", "s.alnus"}).exit_code, 0);
  ASSERT_EQ(allpairs({"s.alnus", "--matrix-out", "db.npy", "--phylip", "db.phy", "--quiet"}).exit_code, 0);
  ASSERT_EQ(allpairs({"s.fa", "--matrix-out", "m.npy", "--phylip", "m.phy", "--quiet"}).exit_code, 0);
  EXPECT_EQ(read("db.npy.ids"), "w4\nw3\nc\nw2\n");
  EXPECT_EQ(read("db.phy"), read("m.phy"));
}

TEST_F(AllPairs, AMatrixIsATableForSpreadsheetsByItsName) {
  const auto table = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"s.fa", "--mode", "global", "--quiet"};
    arguments = with_options(std::move(arguments), more);
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

}  // namespace
}  // namespace alnus::test
