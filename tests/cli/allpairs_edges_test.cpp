// alnus allpairs: the edges of a similarity graph, alone and beside other outputs.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cli/allpairs_fixture.h"
#include "cli/replaced_options.h"

namespace alnus::test {
namespace {

// An empty record and a record of X alone have no edges.
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

TEST_F(AllPairs, Edges) {
  const auto edges = [&](std::vector<std::string> more) {
    const CommandResult result = allpairs(with_options({"s.fa", "--quiet", "--edges", "e.tsv"}, more));
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

TEST_F(AllPairs, ShortcutsChangeNoOutput) {
  for (const char* identity : {"longer", "shorter", "mean", "end-gaps", "alignment"})
    for (const char* mode : {"global", "semiglobal"}) {
      std::vector<std::string> outputs;
      for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--no-shortcuts"}}) {
        const CommandResult rows = allpairs(
            with_options({"s.fa", "--mode", mode, "--identity", identity, "--min-identity", "60"}, more));
        const CommandResult edges = allpairs(with_options(
            {"s.fa", "--mode", mode, "--identity", identity, "--edge-threshold", "60", "--edges", "e.tsv"},
            more));
        EXPECT_EQ(rows.exit_code + edges.exit_code, 0) << rows.err << edges.err;
        outputs.push_back(rows.out + read("e.tsv"));
      }
      EXPECT_EQ(outputs[0], outputs[1]) << identity << ' ' << mode;
      EXPECT_THAT(outputs[0], HasSubstr("w4\tw3\t"));
    }
}

TEST_F(AllPairs, TheLogCountsEdges) {
  const auto log = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"s.fa", "--matrix-value", "score", "--edge-threshold"});
    return allpairs(std::move(more)).err;
  };
  EXPECT_THAT(log({"22", "--edges", "e.tsv"}), HasSubstr("alnus: 3 edges in e.tsv.\n"));
  EXPECT_THAT(log({"22", "--edges", "-"}), HasSubstr("alnus: 3 edges in standard output.\n"));
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

}  // namespace
}  // namespace alnus::test
