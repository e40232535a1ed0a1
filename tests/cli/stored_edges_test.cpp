// alnus split and cluster with --edges and --checkpoint: what they print and refuse, and runs that are
// killed. Usually runs are killed at 4 instants, with ALNUS_FULL_TESTS=1 at 20.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/cli_fixture.h"
#include "support/sequences.h"
#include "support/sizes.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::Not;
using Words = std::vector<std::string>;

// all.fa: 60 families of three proteins each.
class StoredEdgeCommands : public CliTest {
 protected:
  StoredEdgeCommands() {
    Random random(17);
    std::string text;
    for (int k = 0; k < 60; ++k) {
      const Residues parent = random_sequence(random, 120 + below(random, 80));
      for (int child = 0; child < 3; ++child)
        text += ">r" + std::to_string(3 * k + child) + "\n" + decode(relative(random, parent, 5, 2)) + "\n";
    }
    write("all.fa", text);
  }
  std::string out(const Words& words) const {
    const CommandResult result = alnus(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  }
  std::string refused(const Words& words) const {
    const CommandResult result = alnus(words);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    return result.err;
  }
  // A split whose files begin with `name`.
  static Words split(const std::string& name, const Words& more) {
    return both({"split", "all.fa", "-k", "4", "-o", name + ".csv", "--certificate", name + ".json",
                 "--fasta", name, "--no-progress"},
                more);
  }
  void expect_same_split(const std::string& one, const std::string& other) const {
    for (const char* end : {".csv", ".json", ".1.fasta", ".2.fasta", ".3.fasta", ".4.fasta"})
      EXPECT_EQ(read(one + end), read(other + end)) << one << end;
  }
};

TEST_F(StoredEdgeCommands, SplitTakesEdgesOfOneRunAndOfMergedParts) {
  out(split("whole", {"--relation", "whole:40"}));
  out({"allpairs", "all.fa", "--relation", "whole:40", "--edges", "e.tsv"});
  EXPECT_THAT(out(split("edges", {"--edges", "e.tsv"})), HasSubstr(" similar by whole:40;"));
  expect_same_split("edges", "whole");
  out({"allpairs", "all.fa", "--relation", "whole:40", "--edges", "e.csv", "--part", "1/2", "-o", "1.part"});
  out({"allpairs", "all.fa", "--relation", "whole:40", "--edges", "e.csv", "--part", "2/2", "-o", "2.part"});
  out({"merge", "1.part", "2.part", "--edges", "m.csv"});
  out(split("merged", {"--edges", "m.csv", "--relation", "whole:40"}));
  expect_same_split("merged", "whole");
  out({"cluster", "all.fa", "--edges", "m.csv", "-o", "c.tsv"});
  out({"cluster", "all.fa", "--relation", "whole:40", "-o", "d.tsv"});
  EXPECT_EQ(read("c.tsv"), read("d.tsv"));
}

TEST_F(StoredEdgeCommands, GivenEdgesAreToldSo) {
  write("given.tsv", "r0\tr1\nr2\tr1\n");
  EXPECT_THAT(out(split("given", {"--edges", "given.tsv"})),
              HasSubstr("2 pairs are similar by the edges in given.tsv;"));
  EXPECT_THAT(read("given.json"), HasSubstr("\"origin\": \"edges as given\""));
  const CommandResult result = alnus({"verify", "given.json", "all.fa", "--splits", "given.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("names no relation"), HasSubstr("no pair was compared")));
  EXPECT_EQ(alnus({"verify", "given.json", "--offline"}).exit_code, 0);
  const CommandResult piped =
      shell("cat given.tsv | \"$1\" split all.fa -k 4 --edges - -o piped.csv --no-progress");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(read("piped.csv"), read("given.csv"));
}

TEST_F(StoredEdgeCommands, OptionsThatDoNothingAreRefused) {
  out({"allpairs", "all.fa", "--relation", "score:100", "--edges", "e.tsv"});
  EXPECT_THAT(refused(split("s", {"--edges", "e.tsv", "--mode", "global"})),
              HasSubstr("--mode does nothing with --edges without --relation"));
  EXPECT_THAT(refused(split("s", {"--edges", "e.tsv", "--strand", "plus"})),
              HasSubstr("--strand does nothing"));
  EXPECT_THAT(refused(split("s", {"--edges", "e.tsv", "--relation", "score:90"})),
              AllOf(HasSubstr("e.tsv has the edges of score:100"), HasSubstr("leave --relation out")));
  EXPECT_THAT(refused(split("s", {"--edges", "e.tsv", "--relation", "score:100", "--mode", "global"})),
              HasSubstr("here it is global"));
  EXPECT_THAT(refused(split("s", {"--edges", "e.tsv", "--checkpoint", "kept"})), HasSubstr("--checkpoint"));
  EXPECT_THAT(refused({"split", "-", "-k", "2", "--edges", "-"}), HasSubstr("standard input"));
  EXPECT_THAT(refused({"split", "all.fa", "-k", "2", "--edges", "e.tsv", "-o", "e.tsv"}), HasSubstr("e.tsv"));
  EXPECT_THAT(refused(split("s", {"--edges", "none.tsv"})), HasSubstr("none.tsv"));
}

TEST_F(StoredEdgeCommands, AFinishedCheckpointComparesNothingAgain) {
  const Words kept = {"--relation", "whole:40", "--checkpoint", "kept"};
  EXPECT_THAT(out(split("one", kept)), Not(HasSubstr("already")));
  EXPECT_THAT(out(split("two", both(kept, {"--seed", "7"}))),
              AllOf(HasSubstr("The similar pairs are in kept/edges.csv already"),
                    HasSubstr("180 subjects: no pair was compared")));
  out(split("whole", {"--relation", "whole:40", "--seed", "7"}));
  expect_same_split("two", "whole");
  out(split("read", {"--edges", "kept/edges.csv", "--seed", "7"}));
  expect_same_split("read", "whole");
  EXPECT_THAT(refused(split("s", {"--relation", "whole:41", "--checkpoint", "kept"})),
              HasSubstr("--relation differs"));
}

TEST_F(StoredEdgeCommands, KilledSplitsGoOn) {
  const Words options = {"--relation", "whole:30,part:30", "-t", "1", "--isa", "portable", "--memory", "1M"};
  out(split("whole", {"--relation", "whole:30,part:30"}));
  RunOptions run;
  run.directory = path("");
  const int count = by_size(4, 20);
  int killed = 0;
  for (int instant = 0; instant < count; ++instant) {
    const std::string name = "k" + std::to_string(instant);
    const Words command = split(name, both(options, {"--checkpoint", "kept" + name}));
    // The first kill comes as soon as something is on disk, the next ones later and later.
    for (int kill = 0; kill < 3; ++kill) {
      RunningCommand running(words(command), run);
      while (kill == 0 && !std::filesystem::exists(path("kept" + name + "/ledger.json")))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(kill * (20 + 60 * instant)));
      running.send(SIGKILL);
      if (running.wait().exit_code != 0) ++killed;
    }
    out(command);
    expect_same_split(name, "whole");
    EXPECT_FALSE(std::filesystem::exists(path("kept" + name + "/edges.csv.alnus-part")));
  }
  EXPECT_GE(killed, count) << "the runs are no test: they end before they are killed";
}

}  // namespace
}  // namespace alnus::test
