// alnus allpairs: options that contradict each other, and outputs that cannot be written.
#include <string>
#include <vector>

#include "cli/allpairs_fixture.h"

namespace alnus::test {
namespace {

// An option about rows asks for rows. If there is another output, too, -o must say where rows go. With
// --part, -o names the part, which has rows among its outputs; the merge's -o says where they go.
TEST_F(AllPairs, RowsBesideAnotherOutputNeedAName) {
  const std::vector<std::string> edges = {"s.fa", "--edges", "e.tsv", "--edge-threshold", "40", "--quiet"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), edges.begin(), edges.end());
    return more;
  };
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--outfmt", "6"}, {"--header"}, {"--identity-range"}}) {
    SCOPED_TRACE(option.front());
    const CommandResult refused = allpairs(with(option));
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr(option.front() + " is for rows, which beside another output go to -o "
                                                        "FILE, or with -o - to standard output"));
    EXPECT_FALSE(files().contains("e.tsv"));
    std::vector<std::string> words = with(option);
    words.insert(words.end(), {"-o", "-"});
    const CommandResult rows = allpairs(words);
    EXPECT_EQ(rows.exit_code, 0) << rows.err;
    EXPECT_NE(rows.out, "");

    words = with(option);
    words.insert(words.end(), {"--part", "1/1", "-o", "p1"});
    EXPECT_EQ(allpairs(words).exit_code, 0);
    const CommandResult merged = alnus({"merge", "p1", "--edges", "e2.tsv", "-o", "-", "--quiet"});
    EXPECT_EQ(merged.exit_code, 0) << merged.err;
    EXPECT_EQ(merged.out, rows.out);
    std::filesystem::remove(path("e.tsv"));
  }
  EXPECT_EQ(allpairs(with({"--part", "1/1", "-o", "p2"})).exit_code, 0);
  const CommandResult merged = alnus({"merge", "p2", "--edges", "e3.tsv", "--outfmt", "6"});
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_THAT(merged.err, HasSubstr("--outfmt is for rows"));
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
      {{"--matrix-out", "score:m.XLS"}, "m.XLS: alnus writes no spreadsheets (.xls)"},
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
      {{"--matrix-value", "score-distances", "--matrix-out", "m.npy"}, "did you mean score-distance?"},
      {{"--matrix-value", "score", "-o", "x"}, "--matrix-value is for --top-k and for outputs of values"},
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
    const CommandResult result = of_set(output);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_THAT(result.err, HasSubstr("Cannot create the output file " + output[1]));
  }
  EXPECT_EQ(files(), (std::set<std::string>{"s.fa", "t.fa"}));
  const CommandResult full = shell(
      "ulimit -f 1; \"$1\" allpairs s.fa --matrix-out m.npy --edges e.tsv "
      "--edge-threshold 1 -o r.tsv --outfmt \"6 full_qseq\"");
  EXPECT_EQ(full.exit_code, 0) << full.err;
}

}  // namespace
}  // namespace alnus::test
