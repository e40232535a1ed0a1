// alnus allpairs --relation: edges of the pairs that have a relation.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/allpairs_fixture.h"
#include "cli/replaced_options.h"
#include "support/strands_reference.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using Words = std::vector<std::string>;

class Relations : public AllPairs {
 protected:
  Relations() {
    Random random(5);
    const Residues ancestor = random_sequence(random, 100), stranger = random_sequence(random, 100);
    Residues half(ancestor.begin(), ancestor.begin() + 50);
    half.insert(half.end(), stranger.begin(), stranger.begin() + 50);
    const Residues fragment(ancestor.begin(), ancestor.begin() + 40);
    write("p.fa", ">a\n" + decode(ancestor) + "\n>same\n" + decode(ancestor) + "\n>fragment\n" +
                      decode(fragment) + "\n>stranger\n" + decode(stranger) + "\n");
    const std::string genome = decode(random_sequence(random, 60, 4), AlphabetKind::dna);
    const std::string turned = decode(other_strand(encode(genome, AlphabetKind::dna)), AlphabetKind::dna);
    write("d.fa", ">plus\n" + genome + "\n>minus\n" + turned + "\n");
  }
  // The edges that a run with these options writes.
  std::string edges(const std::string& list, const Words& more = {}, const std::string& file = "p.fa") const {
    const CommandResult result =
        allpairs(with_options({file, "--quiet", "--relation", list, "--edges", "e.tsv"}, more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    return read("e.tsv");
  }
  // The error of a run, which must leave no file.
  std::string refused(Words arguments) const {
    const std::set<std::string> before = files();
    const CommandResult result = allpairs(std::move(arguments));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(files(), before);
    return result.err;
  }
  std::string refused_with(const std::string& list, const Words& more) const {
    return refused(with_options({"p.fa", "--relation", list, "--edges", "e.tsv"}, more));
  }
};

TEST_F(Relations, AreEdges) {
  EXPECT_EQ(edges("whole:30"), "a\tsame\t100.000\na\tfragment\t40.000\nsame\tfragment\t40.000\n");
  EXPECT_EQ(edges("whole:40.1"), "a\tsame\t100.000\n");
  EXPECT_EQ(edges("part:90"), "a\tsame\t100.000\na\tfragment\t100.000\nsame\tfragment\t100.000\n");
  EXPECT_EQ(lines_of(edges("related:1e-5")).size(), 3u);
  EXPECT_EQ(edges("score-distance:0"), "a\tsame\t0\na\tfragment\t0\nsame\tfragment\t0\n");
  EXPECT_EQ(edges("score_distance:0", {"--mode", "global"}), "a\tsame\t0\n") << "by the call's scoring";
}

TEST_F(Relations, OfSeveralTheFirstIsInAFourthColumn) {
  EXPECT_EQ(edges("whole:90,part:90"),
            "a\tsame\t100.000\twhole:90\na\tfragment\t100.000\tpart:90\nsame\tfragment\t100.000\tpart:90\n");
  EXPECT_EQ(edges("score_distance:0,whole:30.5", {"--mode", "global"}),
            "a\tsame\t0\tscore-distance:0\na\tfragment\t40.000\twhole:30.5\nsame\tfragment\t40.000\twhole:"
            "30.5\n");
  EXPECT_EQ(allpairs({"p.fa", "--quiet", "--relation", "whole:90,part:90", "--edges", "-"}).out,
            edges("whole:90,part:90"));
}

TEST_F(Relations, OfTwoSets) {
  const std::string all = edges("part:90", {"--against", "p.fa"});
  EXPECT_EQ(lines_of(all).size(), 10u) << "three with three, and the stranger with itself: " << all;
  EXPECT_THAT(all, AllOf(HasSubstr("stranger\tstranger\t100.000"), HasSubstr("fragment\ta\t")));
}

TEST_F(Relations, OfDnaAreOnBothStrandsByDefault) {
  for (const char* list : {"whole:90", "part:90", "related:1e-5", "score:100", "score-distance:0"}) {
    const std::string both = edges(list, {"--alphabet", "dna"}, "d.fa");
    EXPECT_EQ(lines_of(both).size(), 1u) << list;
    EXPECT_EQ(edges(list, {"--alphabet", "dna", "--strand", "both"}, "d.fa"), both) << list;
    EXPECT_EQ(edges(list, {"--alphabet", "dna", "--strand", "minus"}, "d.fa").empty(), false) << list;
    EXPECT_EQ(edges(list, {"--alphabet", "dna", "--strand", "plus"}, "d.fa"), "") << list;
  }
}

TEST_F(Relations, ShortcutsPartsCheckpointsAndThreadsChangeNothing) {
  write_relatives("r.fa");
  const std::string list = "whole:40,part:60,related:1e-8,score:50";
  const std::string whole = edges(list, {}, "r.fa");
  EXPECT_GT(lines_of(whole).size(), 100u);
  EXPECT_EQ(edges(list, {"--no-shortcuts", "-t", "1"}, "r.fa"), whole);
  EXPECT_EQ(edges(list, {"--checkpoint", "ledger"}, "r.fa"), whole);
  for (const char* part : {"1", "2", "3"}) {
    const CommandResult result = allpairs({"r.fa", "--relation", list, "--edges", "e.tsv", "--part",
                                           std::string(part) + "/3", "-o", std::string("part") + part});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  const CommandResult merged = alnus({"merge", "part3", "part1", "part2", "--edges", "merged.tsv"});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(read("merged.tsv"), whole);
}

TEST_F(Relations, AreInTheHelpAndTheLog) {
  const std::string help = allpairs({"--help"}).out;
  EXPECT_THAT(help, AllOf(HasSubstr("--relation LIST"), HasSubstr("whole:T"), HasSubstr("score-distance:S")));
  EXPECT_THAT(allpairs({"p.fa", "--relation", "whole:90", "--edges", "e.tsv"}).err,
              HasSubstr("alnus: 1 edge in e.tsv.\n"));
  const CommandResult dry = allpairs({"p.fa", "--relation", "whole:90", "--edges", "dry.tsv", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_FALSE(files().contains("dry.tsv"));
}

TEST_F(Relations, AreNamedInErrorsAsTheyAreWritten) {
  EXPECT_THAT(refused({"p.fa", "--relation", "whole:30%", "--edges", "e.tsv"}),
              HasSubstr("--relation whole:30%: '30%' is no number."));
  EXPECT_THAT(refused({"p.fa", "--relation", "hole:30", "--edges", "e.tsv"}),
              HasSubstr("did you mean whole?"));
  EXPECT_THAT(refused({"p.fa", "--relation", "whole:0.3", "--edges", "e.tsv"}),
              HasSubstr("write whole:30 for this fraction"));
}

TEST_F(Relations, WithoutAFileOfEdgesTheErrorNamesTheOption) {
  EXPECT_THAT(refused({"p.fa", "--relation", "whole:30"}),
              HasSubstr("--relation whole:30 chooses edges. Name a file for them: --edges FILE."));
}

TEST_F(Relations, OtherChoicesOfPairsAreRefused) {
  const auto refuses = [](const std::string& other) {
    return HasSubstr("--relation whole:30 and " + other + " do not go together");
  };
  EXPECT_THAT(refused_with("whole:30", {"--min-score", "3"}), refuses("filters"));
  EXPECT_THAT(refused_with("whole:30", {"--min-identity", "30"}), refuses("filters"));
  EXPECT_THAT(refused_with("whole:30", {"--matrix-value", "score"}), refuses("--matrix-value"));
  EXPECT_THAT(refused_with("whole:30", {"--top-k", "3"}), refuses("--top-k"));
  EXPECT_THAT(refused_with("whole:30", {"--self"}), refuses("--self"));
  EXPECT_THAT(refused_with("whole:30", {"--matrix-out", "m.npy"}), refuses("--matrix-out"));
  EXPECT_THAT(refused_with("whole:30", {"--phylip", "m.phy"}), refuses("--phylip"));
  EXPECT_THAT(refused_with("whole:30", {"-o", "rows.tsv"}), refuses("-o"));
  EXPECT_THAT(refused_with("whole:30", {"--edge-threshold", "30"}),
              HasSubstr("--relation whole:30 has a threshold of its own: leave --edge-threshold out."));
}

TEST_F(Relations, OptionsOfScoresAreForRelationsThatFollowThem) {
  const std::vector<Words> options = {{"--mode", "global"},
                                      {"--matrix", "BLOSUM80"},
                                      {"--gap-open", "12"},
                                      {"--gap-extend", "2"},
                                      {"--preset", "ssearch"}};
  for (const Words& more : options)
    for (const char* list : {"whole:30", "whole:30,part:50,related:1"})
      EXPECT_THAT(refused_with(list, more), HasSubstr(more[0] + " does nothing with --relation " + list +
                                                      ", which says how pairs are"));
  EXPECT_NE(edges("whole:30,score:30", {"--mode", "global"}), "");
}

// No relation follows the statistics of the call.
TEST_F(Relations, OptionsOfStatisticsAreRefusedWithAllRelations) {
  const std::vector<Words> options = {{"--stats", "none"}, {"--dbsize", "1000"}, {"--searchsp", "1000"}};
  for (const Words& more : options)
    EXPECT_THAT(refused_with("related:1,score:30", more), HasSubstr(more[0])) << more[0];
}

// Rows are not written, and the denominator is that of the relation.
TEST_F(Relations, OptionsOfRowsAndIdentitiesAreRefused) {
  const std::vector<Words> options = {
      {"--identity", "longer"}, {"--outfmt", "6 std"}, {"--identity-range"}, {"--shuffles", "20"}};
  for (const Words& more : options)
    EXPECT_THAT(refused_with("whole:30", more), HasSubstr(more[0])) << more[0];
}

}  // namespace
}  // namespace alnus::test
