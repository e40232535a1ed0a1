// alnus allpairs: which pairs it computes, their order, and rows in every format.
#include <algorithm>
#include <string>
#include <vector>

#include "alnus/devices.h"
#include "cli/allpairs_fixture.h"
#include "cli/replaced_options.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST_F(AllPairs, WordsMayHaveDashesOrUnderscores) {
  const auto edges = [&](const std::string& value) {
    return alnus({"allpairs", "s.fa", "--mode", "global", "--edges", "-", "--edge-threshold", "50",
                  "--matrix-value", value});
  };
  const CommandResult dashed = edges("score-distance");
  EXPECT_EQ(dashed.exit_code, 0) << dashed.err;
  EXPECT_NE(dashed.out, "");
  EXPECT_EQ(edges("score_distance").out, dashed.out);
}

TEST_F(AllPairs, TwoSets) {
  const CommandResult result = scores({"--against", "t.fa"});
  EXPECT_EQ(result.out, "w4\tx\t22\nw3\tx\t22\nc\ty\t18\nw2\tx\t22\n");
  EXPECT_THAT(result.err, HasSubstr("4 queries, 2 subjects, 8 pairs"));
}

TEST_F(AllPairs, TopKListsTheNearestOfEachSequence) {
  const CommandResult nearest = scores({"--top-k", "1"});
  EXPECT_EQ(nearest.out, "w4\tw3\t33\nw3\tw4\t33\nw2\tw4\t22\n") << "c has no neighbour";
  EXPECT_THAT(nearest.err, HasSubstr("3 pairs listed, 9 pairs filtered out (--top-k 1)."));
  EXPECT_THAT(nearest.err, HasSubstr("4 queries, 4 subjects, 12 pairs"));
  EXPECT_EQ(scores({"--top-k", "1", "--min-score", "30"}).out, "w4\tw3\t33\nw3\tw4\t33\n");
  EXPECT_EQ(scores({"--top-k", "1", "--self"}).out, "w4\tw4\t44\nw3\tw4\t33\nc\tc\t27\nw2\tw4\t22\n")
      << "a pair that scores as high as that of a sequence with itself comes first if it is earlier";
  const CommandResult of_two = of_set({"--top-k", "1", "--against", "t.fa", "--mode", "global",
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
  EXPECT_THAT(local.err, HasSubstr("2 records of s.fa (the first is record 2, 'none') without a sequence"));
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
    arguments = with_options(std::move(arguments), more);
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

TEST_F(AllPairs, DryRun) {
  const CommandResult result = of_set({"--dry-run", "--matrix-out", "m.npy", "--square"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("pairs: 10\ncells: 91\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("rows")));
  EXPECT_THAT(result.out, HasSubstr("output bytes: about 192 (192 bytes)\n"));
  EXPECT_THAT(result.out,
              HasSubstr("\nexpected time: less than a second on this CPU if nothing else runs, mostly right "
                        "within a factor of 3\n"));
  EXPECT_THAT(scores({"--dry-run"}).out, HasSubstr("pairs: 6\ncells: 53\n"));
  EXPECT_THAT(scores({"--dry-run"}).out, HasSubstr("output rows: at most 6\noutput bytes: about "));
  EXPECT_THAT(scores({"--dry-run", "--against", "t.fa"}).out, HasSubstr("pairs: 8\ncells: 48\n"));
  const std::vector<std::string> edges = {"s.fa",    "--dry-run", "--mode",           "global",
                                          "--edges", "e.tsv",     "--edge-threshold", "50"};
  const auto told = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = edges;
    arguments = with_options(std::move(arguments), more);
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
