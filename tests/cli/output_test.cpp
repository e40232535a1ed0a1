// Outputs that cannot be written, and runs that a signal ends.
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

std::string random_fasta(int records, int length, unsigned seed) {
  constexpr std::string_view kLetters = "ARNDCQEGHILKMFPSTWYV";
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < records; ++i) {
    text += ">r" + std::to_string(i) + "\n";
    for (int j = 0; j < length; ++j) text += kLetters[random() % kLetters.size()];
    text += "\n";
  }
  return text;
}

class Output : public CliTest {
 protected:
  Output() { write("few.fa", random_fasta(100, 50, 1)); }

  // Begins a run that writes out.tsv (a part: out) for a minute or more, and returns when the run has begun
  // to write.
  RunningCommand& begin_long_run(const std::string& command) {
    write("many.fa", random_fasta(1000, 3000, 2));
    RunOptions options;
    options.directory = path("");
    std::vector<std::string> arguments = {"search", "many.fa", "many.fa", "-o", "out.tsv", "-t", "1"};
    if (command == "align") arguments = {"align", "--all", "many.fa", "many.fa", "-o", "out.tsv", "-t", "1"};
    if (command == "part")
      arguments = {"search", "many.fa", "many.fa", "-o", "out", "-t", "1", "--part", "1/2"};
    const std::string unfinished = command == "part" ? "out.alnus-part" : "out.tsv.alnus-part";
    running_ = std::make_unique<RunningCommand>(words(arguments), options);
    for (int i = 0; i < 3000 && files().count(unfinished) == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(files().count(unfinished), 1u);
    return *running_;
  }

 private:
  std::unique_ptr<RunningCommand> running_;
};

TEST_F(Output, FullDisk) {
  RunOptions full;
  full.out_path = "/dev/full";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"align", "--all", "few.fa", "few.fa"},
        {"search", "few.fa", "few.fa"},
        {"devices"},
        {"--help"},
        {"--version"}}) {
    const CommandResult result = alnus(arguments, full);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_THAT(result.err, HasSubstr("error: Cannot write standard output: No space left on device."));
  }
  const CommandResult file = alnus({"search", "few.fa", "few.fa", "-o", "/dev/full"});
  EXPECT_EQ(file.exit_code, 255);
  EXPECT_THAT(file.err, HasSubstr("/dev/full: No space left on device"));
}

TEST_F(Output, FileBeyondTheLimitOfItsSize) {
  const CommandResult result = shell("ulimit -f 1; \"$1\" align --all few.fa few.fa -o out.tsv");
  EXPECT_EQ(result.exit_code, 255);
  EXPECT_THAT(result.err, HasSubstr("error: Cannot write the output file out.tsv: File too large."));
  EXPECT_EQ(files().count("out.tsv.alnus-part"), 0u);
}

TEST_F(Output, NoSuchFolder) {
  const CommandResult result = alnus({"search", "few.fa", "few.fa", "-o", "none/out.tsv"});
  EXPECT_EQ(result.exit_code, 255);
  EXPECT_THAT(result.err, HasSubstr("none/out.tsv"));
  const CommandResult database = alnus({"makedb", "few.fa", "-o", "none/db.alnus"});
  EXPECT_EQ(database.exit_code, 2);
  EXPECT_THAT(database.err, HasSubstr("none/db.alnus"));
}

// A dry run refuses outputs that the run could not write, and makes none.
TEST_F(Output, OfADryRun) {
  std::filesystem::create_directory(path("folder"));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"search", "few.fa", "few.fa", "-o", "none/out.tsv"},
        {"search", "few.fa", "few.fa", "-o", "out.tsv", "--score-plot", "none/plot.svg"},
        {"search", "few.fa", "few.fa", "-o", "folder"},
        {"align", "few.fa", "few.fa", "-o", "none/out.tsv"},
        {"allpairs", "few.fa", "-o", "none/out.tsv"},
        {"allpairs", "few.fa", "--matrix-out", "score:none/m.npy"},
        {"allpairs", "few.fa", "--edges", "none/e.tsv", "--edge-threshold", "40"}}) {
    std::vector<std::string> dry = more;
    dry.insert(dry.end(), {"--dry-run", "--quiet"});
    const CommandResult told = alnus(dry);
    dry.erase(dry.end() - 2);
    const CommandResult run = alnus(dry);
    EXPECT_EQ(told.exit_code, 255);
    EXPECT_EQ(told.out, "");
    EXPECT_EQ(told.err, run.err);
    EXPECT_EQ(run.exit_code, 255);
  }
  EXPECT_EQ(alnus({"search", "few.fa", "few.fa", "-o", "out.tsv", "--dry-run"}).exit_code, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"few.fa", "folder"}));
}

TEST_F(Output, OfADryRunAsJson) {
  const CommandResult told = alnus({"allpairs", "few.fa", "--devices", "cpu", "--dry-run", "--json"});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  const nlohmann::json json = nlohmann::json::parse(told.out);
  EXPECT_EQ(json["queries"], 100);
  EXPECT_EQ(json["pairs"], 4950);
  EXPECT_EQ(json["cells"], 4950 * 50 * 50);
  EXPECT_EQ(json["devices"], nlohmann::json({"cpu"}));
  EXPECT_GT(json["seconds"], 0);
  EXPECT_EQ(json["rows"], 4950);
  EXPECT_TRUE(json["edges"].is_null());
  EXPECT_GT(json["output_bytes"], 4950);
  EXPECT_EQ(json["calibration_seconds"], 0);
  EXPECT_EQ(json["any_rows"], false);
  EXPECT_EQ(json["any_alignments"], false);
  const CommandResult filtered = alnus(
      {"search", "few.fa", "few.fa", "--max-hsps", "all", "--min-coverage", "50", "--dry-run", "--json"});
  const nlohmann::json of_filters = nlohmann::json::parse(filtered.out);
  EXPECT_EQ(of_filters["any_rows"], true);
  EXPECT_EQ(of_filters["any_alignments"], true);
  const CommandResult edges = alnus({"allpairs", "few.fa", "--edges", "e.tsv", "--edge-threshold", "40",
                                     "--matrix-out", "m.npy", "--dry-run", "--json"});
  const nlohmann::json of_edges = nlohmann::json::parse(edges.out);
  EXPECT_EQ(of_edges["edges"], 4950);
  EXPECT_EQ(of_edges["rows"], 0);
  EXPECT_EQ(alnus({"search", "few.fa", "few.fa", "--json"}).exit_code, 1) << "it needs --dry-run";
}

// If a command has no option that names its output, its message does not advise to use one.
TEST_F(Output, TextsOnAFullOrClosedStandardOutput) {
  ASSERT_EQ(alnus({"makedb", "few.fa", "-o", "db.alnus"}).exit_code, 0);
  for (const std::string command : {"--version", "--help", "devices", "dbinfo db.alnus"}) {
    SCOPED_TRACE(command);
    const CommandResult full = shell("\"$1\" " + command + " > /dev/full");
    EXPECT_EQ(full.exit_code, 255);
    EXPECT_EQ(
        full.err,
        "alnus: error: Cannot write standard output: No space left on device. Free some space there, or "
        "let it go elsewhere.\n");
    const CommandResult closed = shell("\"$1\" " + command + " >&-");
    EXPECT_EQ(closed.exit_code, 255);
    EXPECT_EQ(closed.err,
              "alnus: error: Cannot write standard output: it is closed. Let it go to a file or a pipe.\n");
  }
  EXPECT_THAT(shell("\"$1\" search few.fa few.fa >&-").err, HasSubstr("or name a file by -o."));
  EXPECT_THAT(shell("\"$1\" align few.fa few.fa >&-").err, HasSubstr("or name a file by -o."));
}

TEST_F(Output, ClosedPipeEndsQuietly) {
  const CommandResult result =
      shell("\"$1\" align --all few.fa few.fa --quiet | head -n 1 > first; echo \"${PIPESTATUS[0]}\"");
  EXPECT_EQ(result.out, "141\n");
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(read("first"), ::testing::StartsWith("r0\tr0\t"));
}

TEST_F(Output, SignalsLeaveNothingBehind) {
  struct Case {
    std::string command;
    int signal, exit_code;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"search", SIGINT, 130, "alnus: Ended by SIGINT: no unfinished output was kept.\n"},
      {"align", SIGTERM, 143, "alnus: Ended by SIGTERM: no unfinished output was kept.\n"},
      {"part", SIGHUP, 129,
       "alnus: Ended by SIGHUP: part 1 of 2 was not kept, and is to be computed again.\n"}};
  for (const Case& one : cases) {
    RunningCommand& running = begin_long_run(one.command);
    running.send(one.signal);
    const CommandResult ended = running.wait();
    EXPECT_EQ(ended.exit_code, one.exit_code);
    EXPECT_THAT(ended.err, ::testing::EndsWith(one.message));
    EXPECT_EQ(files(), (std::set<std::string>{"few.fa", "many.fa"}));
  }
}

TEST_F(Output, OfASecondInstance) {
  RunningCommand& first = begin_long_run("search");
  const CommandResult second = alnus({"search", "few.fa", "few.fa", "-o", "out.tsv"});
  EXPECT_EQ(second.exit_code, 255);
  EXPECT_THAT(second.err, HasSubstr("out.tsv is being written by another process"));
  EXPECT_EQ(files().count("out.tsv.alnus-part"), 1u);
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().exit_code, 143);
  EXPECT_EQ(alnus({"search", "few.fa", "few.fa", "-o", "out.tsv"}).exit_code, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"few.fa", "many.fa", "out.tsv"}));
}

TEST_F(Output, AnOldFileStaysUntilTheNewOneIsComplete) {
  write("out.tsv", "old");
  EXPECT_EQ(alnus({"search", "few.fa", "none.fa", "-o", "out.tsv"}).exit_code, 2);
  EXPECT_EQ(
      alnus({"align", "--all", "few.fa", "few.fa", "-o", "out.tsv", "--detail", "score", "--outfmt", "sam"})
          .exit_code,
      1);
  EXPECT_EQ(read("out.tsv"), "old");
  EXPECT_EQ(alnus({"search", "few.fa", "few.fa", "-o", "out.tsv"}).exit_code, 0);
  EXPECT_THAT(read("out.tsv"), ::testing::StartsWith("r0\tr0\t100.000"));
}

TEST_F(Output, QuietSaysNothingButErrors) {
  EXPECT_EQ(alnus({"search", "few.fa", "few.fa", "--quiet"}).err, "");
  EXPECT_EQ(alnus({"makedb", "few.fa", "-o", "db.alnus", "--quiet"}).err, "");
  EXPECT_THAT(alnus({"search", "none", "few.fa", "--quiet"}).err, HasSubstr("error: "));
}

TEST_F(Output, OutOfMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more address space";
#endif
  write("large.fa", ">large\n" + std::string(150'000'000, 'M') + "\n");
  const CommandResult result = shell("ulimit -v 250000; \"$1\" search large.fa few.fa -t 1 -o out.tsv");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("error: "));
  EXPECT_THAT(result.err, HasSubstr("memory"));
  EXPECT_EQ(files(), (std::set<std::string>{"few.fa", "large.fa"}));
}

}  // namespace
}  // namespace alnus::test
