// alnus allpairs --checkpoint and --add: interrupted runs continue, and sequences are added.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "alnus/text.h"
#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

class Checkpoint : public CliTest {
 protected:
  Checkpoint() {
    Random random(11);
    std::vector<std::string> records;
    for (int k = 0; k < 60; ++k)
      records.push_back(">r" + std::to_string(k) + "\n" +
                        decode(random_sequence(random, 50 + below(random, 150), 6)) + "\n");
    write_all("all.fa", {records.begin(), records.end()});
    write_all("first.fa", {records.begin(), records.begin() + 40});
    write_all("rest.fa", {records.begin() + 40, records.end()});
  }
  void write_all(const std::string& name, const std::vector<std::string>& records) const {
    std::string text;
    for (const std::string& record : records) text += record;
    write(name, text);
  }

  // The arguments of a run with small stripes. Makes the folder in which it is to run.
  std::vector<std::string> run_in(const std::string& folder, const std::vector<std::string>& more) const {
    std::filesystem::create_directory(path(folder));
    std::vector<std::string> arguments = {"allpairs",     "--checkpoint", "ledger",           "--memory",
                                          "512K",         "--quiet",      "--mode",           "global",
                                          "--matrix-out", "m.npy",        "--edges",          "e.tsv",
                                          "--outfmt",     "6 std cigar",  "--edge-threshold", "40"};
    arguments = with_options(std::move(arguments), more);
    return arguments;
  }
  CommandResult allpairs(const std::string& folder, const std::vector<std::string>& more) const {
    RunOptions options;
    options.directory = path(folder);
    return run_command(words(run_in(folder, more)), options);
  }
  // Starts the run again and again and ends it by a signal, each time a little later, until it is finished.
  void finish_with_interruptions(const std::string& folder, const std::vector<std::string>& more) const {
    RunOptions options;
    options.directory = path(folder);
    const std::vector<std::string> arguments = run_in(folder, more);
    for (int runs = 0; runs < 1000; ++runs) {
      RunningCommand running(words(arguments), options);
      std::this_thread::sleep_for(std::chrono::milliseconds(5 + 4 * runs));
      running.send(runs % 3 == 2 ? SIGINT : SIGKILL);
      if (running.wait().exit_code == 0) return;
    }
    FAIL() << "it was never finished";
  }
  void expect_same(const std::string& folder, const std::string& other,
                   const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      EXPECT_EQ(std::filesystem::exists(path(folder + "/" + name + ".alnus-part")), false) << name;
      EXPECT_TRUE(read(folder + "/" + name) == read(other + "/" + name)) << name;
    }
  }
};

TEST_F(Checkpoint, AnInterruptedRunGoesOn) {
  ASSERT_EQ(allpairs("whole", {"../all.fa", "-o", "rows.tsv.gz"}).exit_code, 0);
  finish_with_interruptions("parts", {"../all.fa", "-o", "rows.tsv.gz"});
  expect_same("parts", "whole", {"rows.tsv.gz", "m.npy", "m.npy.ids", "e.tsv"});
  const CommandResult plain = allpairs("plain", {"../all.fa", "-o", "rows.tsv"});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(shell("gzip -dc whole/rows.tsv.gz").out, read("plain/rows.tsv"));
}

TEST_F(Checkpoint, AnInterruptionSaysHowFarTheRunIs) {
  Random random(13);
  std::vector<std::string> records;
  for (int k = 0; k < 200; ++k)
    records.push_back(">r" + std::to_string(k) + "\n" + decode(random_sequence(random, 300, 6)) + "\n");
  write_all("many.fa", records);
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = run_in("parts", {"../many.fa", "-o", "rows.tsv"});
    std::erase(arguments, "--quiet");
    arguments = with_options(std::move(arguments), more);
    return words(arguments);
  };
  RunOptions options;
  options.directory = path("parts");
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove_all(path("parts/ledger"));
    RunningCommand running(run({"-t", "1", "--isa", "portable"}), options);  // takes seconds
    while (!std::filesystem::exists(path("parts/ledger/ledger.json")))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    running.send(signal);
    const CommandResult interrupted = running.wait();
    EXPECT_EQ(interrupted.exit_code, 128 + signal);
    EXPECT_THAT(interrupted.err, ::testing::ContainsRegex(
                                     "alnus: Interrupted: [0-9]+ of 200 rows .[0-9]+% of the pairs. are on "
                                     "disk. Run the same again to go on from there.\n"));
  }
  const CommandResult rest = run_command(run({}), options);
  EXPECT_EQ(rest.exit_code, 0);
  EXPECT_THAT(rest.err, HasSubstr("alnus: Going on from row "));
  const std::string edges = read("parts/e.tsv");
  const auto count = static_cast<std::uint64_t>(std::count(edges.begin(), edges.end(), '\n'));
  EXPECT_THAT(rest.err, HasSubstr(format_count(count, "edge", "edges") + " in e.tsv.\n"))
      << "all of them, also those from before the interruption";
}

TEST_F(Checkpoint, AFinishedRunIsNotDoneAgain) {
  ASSERT_EQ(allpairs("whole", {"../all.fa", "-o", "rows.tsv"}).exit_code, 0);
  const auto written = std::filesystem::last_write_time(path("whole/rows.tsv"));
  EXPECT_EQ(allpairs("whole", {"../all.fa", "-o", "rows.tsv"}).exit_code, 0);
  EXPECT_EQ(std::filesystem::last_write_time(path("whole/rows.tsv")), written);
}

TEST_F(Checkpoint, ADryRunSaysThatItCountsTheWholeRun) {
  write("s.fa", ">a\nMKVLAHEAGAWGHEE\n>b\nMKVLAHEAGAWGHEA\n");
  const std::vector<std::string> command = {"allpairs", "s.fa", "-o", "rows.tsv", "--checkpoint", "ledger"};
  ASSERT_EQ(alnus(command).exit_code, 0);
  std::vector<std::string> dry = command;
  dry.push_back("--dry-run");
  const CommandResult result = alnus(dry);
  EXPECT_THAT(result.out, HasSubstr("pairs: 1\n"));
  EXPECT_EQ(result.err,
            "alnus: The numbers are those of the whole run: what --checkpoint has done already is not taken "
            "off.\n");
}

TEST_F(Checkpoint, AFinishedRunWhoseOutputIsGoneIsAnError) {
  ASSERT_EQ(allpairs("whole", {"../all.fa", "-o", "rows.tsv"}).exit_code, 0);
  std::filesystem::remove(path("whole/rows.tsv"));
  const CommandResult result = allpairs("whole", {"../all.fa", "-o", "rows.tsv"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("rows.tsv is not as the run left it: it is missing. Put it back as it was, or "
                        "remove ledger.json from the directory of --checkpoint to start anew."));
}

TEST_F(Checkpoint, TheMachineMayDiffer) {
  ASSERT_EQ(allpairs("whole", {"../all.fa", "-o", "rows.tsv.gz", "-t", "1"}).exit_code, 0);
  RunOptions options;
  options.directory = path("parts");
  RunningCommand first(words(run_in("parts", {"../all.fa", "-o", "rows.tsv.gz", "-t", "1"})), options);
  while (!std::filesystem::exists(path("parts/ledger/ledger.json")))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  first.send(SIGKILL);
  first.wait();
  const CommandResult second =
      allpairs("parts", {"../all.fa", "-o", "rows.tsv.gz", "-t", "2", "--isa", "portable", "--memory", "1G"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  expect_same("parts", "whole", {"rows.tsv.gz", "m.npy", "m.npy.ids", "e.tsv"});
}

TEST_F(Checkpoint, AnotherRunIsRefusedByName) {
  const std::vector<std::string> run = {"../first.fa", "-o", "rows.tsv"};
  ASSERT_EQ(allpairs("d", run).exit_code, 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--against", "../rest.fa"}, "--against differs"},
      {{"--self"}, "--self differs"},
      {{"--mask", "seg"}, "--mask differs"},
      {{"--mode", "semiglobal"}, "--mode differs"},
      {{"--matrix", "BLOSUM80"}, "--matrix differs"},
      {{"--gap-open", "12"}, "the gap costs differ."},
      {{"--outfmt", "6 score"}, "--outfmt differs"},
      {{"--min-score", "3"}, "--min-score differs."},
      {{"--identity", "shorter"}, "--identity differs."},
      {{"--matrix-value", "score"}, "--matrix-value differs"},
      {{"--edge-threshold", "41"}, "--edge-threshold differs"},
      {{"-o", "other.tsv"}, "-o differs"},
      {{"--matrix-out", "distance:other.npy"}, "--matrix-out differs"},
      {{"--phylip", "d.phy"}, "--phylip differs"},
      {{"--edges", "other.tsv"}, "--edges differs"},
  };
  for (const auto& [more, message] : cases) {
    std::vector<std::string> arguments = run;
    arguments = with_options(std::move(arguments), more);
    const CommandResult result = allpairs("d", arguments);
    EXPECT_EQ(result.exit_code, 1) << message;
    EXPECT_THAT(result.err, HasSubstr("The ledger in ledger is of another run: "));
    EXPECT_THAT(result.err, HasSubstr(message));
  }
  EXPECT_THAT(allpairs("d", {"../all.fa", "-o", "rows.tsv"}).err, HasSubstr("the sequences differ."));
}

TEST_F(Checkpoint, ADamagedLedgerIsAnError) {
  ASSERT_EQ(allpairs("d", {"../first.fa", "-o", "rows.tsv"}).exit_code, 0);
  write("d/ledger/ledger.json", read("d/ledger/ledger.json").substr(0, 200));
  const CommandResult result = allpairs("d", {"../first.fa", "-o", "rows.tsv"});
  EXPECT_EQ(result.exit_code, 255);
  EXPECT_THAT(result.err, HasSubstr("ledger.json is damaged"));
  EXPECT_THAT(result.err, HasSubstr("remove it to start anew"));
}

TEST_F(Checkpoint, NamesThatALedgerCannotHold) {
  const CommandResult result = allpairs("d", {"../first.fa", "-o", "\xff.tsv"});
  EXPECT_EQ(result.exit_code, 255);
  EXPECT_THAT(result.err, HasSubstr("a name of an output in it is not UTF-8"));
  EXPECT_THAT(allpairs("d", {"../first.fa", "-o", "/dev/null"}).err,
              HasSubstr("write the rows to a file by -o"));
}

// A run continues only from an unfinished file. If m.npy.alnus-part is missing, it must not take a finished
// file m.npy for its own output.
TEST_F(Checkpoint, AnOldFileIsNotTakenForTheOutput) {
  const std::vector<std::string> arguments = {"../all.fa", "-o", "rows.tsv", "--min-score", "100000"};
  ASSERT_EQ(allpairs("whole", arguments).exit_code, 0);
  RunOptions options;
  options.directory = path("parts");
  RunningCommand first(words(run_in("parts", arguments)), options);
  while (!std::filesystem::exists(path("parts/ledger/ledger.json")))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  first.send(SIGKILL);
  first.wait();
  std::filesystem::rename(path("parts/m.npy.alnus-part"), path("parts/m.npy"));
  const CommandResult second = allpairs("parts", arguments);
  EXPECT_EQ(second.exit_code, 255);
  EXPECT_THAT(
      second.err,
      ::testing::AllOf(HasSubstr("The output file m.npy cannot be resumed: "),
                       HasSubstr("m.npy.alnus-part, which held what an earlier run had written of it, is "
                                 "gone. Another run that wrote m.npy took it, or it was removed. Remove "
                                 "the directory of --checkpoint to begin anew.")));
}

class Added : public Checkpoint {
 protected:
  // Expects that all outputs are the same for all.fa at once and for first.fa to which rest.fa is added
  // later, in a run that is interrupted.
  void compare(const std::string& rows, std::vector<std::string> more) const {
    const auto arguments = [&](const std::vector<std::string>& input) {
      std::vector<std::string> all = more;
      all.insert(all.end(), {"-o", rows});
      all.insert(all.end(), input.begin(), input.end());
      return all;
    };
    ASSERT_EQ(allpairs("whole", arguments({"../all.fa"})).exit_code, 0);
    ASSERT_EQ(allpairs("grown", arguments({"../first.fa"})).exit_code, 0);
    finish_with_interruptions("grown", arguments({"../first.fa", "--add", "../rest.fa"}));
    expect_same("grown", "whole", {rows, "m.npy", "m.npy.ids", "e.tsv"});
  }
};

TEST_F(Added, RowsEdgesAndACondensedMatrix) { compare("rows.tsv", {}); }

TEST_F(Added, ASquareMatrix) { compare("rows.tsv", {"--square"}); }

TEST_F(Added, MaskedSequences) { compare("rows.tsv", {"--mask", "seg"}); }

// The largest score distance has more bits than a float: values that are read back must keep all of them.
TEST_F(Added, ABlankSequenceKeepsItsLargestDistance) {
  write("one.fa", ">a\nMKVLAWQRYT\n>blank\n\n>b\nMKVLAWQ\n");
  write("two.fa", ">c\nMKVRRWQRYT\n>x\nXXX\n");
  write("both.fa", read("one.fa") + read("two.fa"));
  for (const std::string matrix : {"m.npy", "m.csv"}) {
    const auto run = [&](const std::string& folder, std::vector<std::string> more) {
      std::filesystem::create_directory(path(folder));
      more.insert(more.begin(), {"allpairs", "--quiet", "--matrix-out", "score-distance:" + matrix});
      RunOptions options;
      options.directory = path(folder);
      const CommandResult result = run_command(words(more), options);
      EXPECT_EQ(result.exit_code, 0) << result.err;
    };
    run("at-once-" + matrix, {"../both.fa"});
    run("added-" + matrix, {"../one.fa", "--checkpoint", "ledger"});
    run("added-" + matrix, {"../one.fa", "--add", "../two.fa", "--checkpoint", "ledger"});
    EXPECT_TRUE(read("added-" + matrix + "/" + matrix) == read("at-once-" + matrix + "/" + matrix)) << matrix;
  }
  EXPECT_THAT(read("at-once-m.csv/m.csv"), HasSubstr("2147483647"));
}

TEST_F(Added, NothingListedBefore) {
  const std::vector<std::string> filter = {"--min-score", "100000", "-o", "rows.tsv.gz"};
  std::vector<std::string> first = filter, both = filter;
  first.insert(first.begin(), "../first.fa");
  both.insert(both.begin(), {"../first.fa", "--add", "../rest.fa"});
  ASSERT_EQ(allpairs("d", first).exit_code, 0);
  const CommandResult result = allpairs("d", both);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(shell("gzip -dc d/rows.tsv.gz").out, "");
}

TEST_F(Added, MoreThanOnce) {
  ASSERT_EQ(allpairs("whole", {"../all.fa", "--add", "../rest.fa", "-o", "rows.tsv"}).exit_code, 1);
  ASSERT_EQ(allpairs("grown", {"../first.fa", "-o", "rows.tsv"}).exit_code, 0);
  ASSERT_EQ(allpairs("grown", {"../first.fa", "--add", "../rest.fa", "-o", "rows.tsv"}).exit_code, 0);
  ASSERT_EQ(shell("cat all.fa first.fa > more.fa").exit_code, 0);
  const CommandResult again = allpairs("grown", {"../all.fa", "--add", "../first.fa", "-o", "rows.tsv"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  std::filesystem::remove_all(path("whole"));
  ASSERT_EQ(allpairs("whole", {"../more.fa", "-o", "rows.tsv"}).exit_code, 0);
  expect_same("grown", "whole", {"rows.tsv", "m.npy", "m.npy.ids", "e.tsv"});
}

TEST_F(Added, WhatCannotBeExtendedIsAnError) {
  const std::vector<std::string> both = {"../first.fa", "--add", "../rest.fa", "-o", "rows.tsv"};
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = both;
    arguments = with_options(std::move(arguments), more);
    const CommandResult result = allpairs("d", arguments);
    EXPECT_EQ(result.exit_code, 1);
    return result.err;
  };
  EXPECT_THAT(error({}), HasSubstr("There is no ledger in ledger"));
  EXPECT_THAT(error({"--phylip", "d.phy"}), HasSubstr("--add cannot extend --phylip"));
  EXPECT_THAT(error({"--mode", "local"}), HasSubstr("E-values, which depend on all sequences"));
  EXPECT_THAT(error({"--mode", "local", "--outfmt", "6 score", "--evalue", "1"}),
              HasSubstr("leave --evalue out"));
  ASSERT_EQ(allpairs("d", {"../first.fa", "-o", "rows.tsv"}).exit_code, 0);
  write("d/rows.tsv", "another");
  EXPECT_THAT(error({}), HasSubstr("rows.tsv is not as the run left it"));
}

}  // namespace
}  // namespace alnus::test
