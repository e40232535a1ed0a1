// Jobs in parts: --part of alnus search and alnus allpairs, and alnus merge.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>

#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"
#include "support/compression.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

class Parts : public CliTest {
 protected:
  Parts() {
    Random random(3);
    const Residues ancestor = random_sequence(random, 60, 20);
    std::string queries, set;
    for (int k = 0; k < 5; ++k)
      queries += ">q" + std::to_string(k) + " a query\n" + decode(relative(random, ancestor, 8, 4)) + "\n";
    for (int k = 0; k < 25; ++k)
      set += ">s" + std::to_string(k) + "\n" +
             decode(k % 2 == 0 ? relative(random, ancestor, 8, 4)
                               : random_sequence(random, 10 + below(random, 60), 20)) +
             "\n";
    write("q.fa", queries);
    write("set.fa", set);
  }
  CommandResult run(std::vector<std::string> arguments, const std::vector<std::string>& more) const {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return alnus(std::move(arguments));
  }
  // Starts a program that computes parts of the search into the file `all` as they are asked for, runs
  // `script`, which writes requests to ${alnus[1]} and echoes the answers of ${alnus[0]}, and ends the
  // program. Returns its first line and the answers.
  std::vector<nlohmann::json> answers_of_parts(int parts, const std::string& script) const {
    const CommandResult result =
        shell("coproc alnus { \"$1\" search q.fa set.fa -t 1 --part -/" + std::to_string(parts) +
              " -o all --quiet; }\n"
              "read first <&${alnus[0]} && echo \"$first\"\n" +
              script + "input=${alnus[1]}; exec {input}>&-; wait $alnus_PID");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::istringstream lines(result.out);
    std::vector<nlohmann::json> answers;
    for (std::string line; std::getline(lines, line);) answers.push_back(nlohmann::json::parse(line));
    return answers;
  }
  // Computes all parts of a command, the last one first, and returns their files pN to p1.
  std::vector<std::string> compute(const std::vector<std::string>& command, int count) const {
    std::vector<std::string> names;
    for (int number = count; number >= 1; --number) {
      names.push_back("p" + std::to_string(number));
      const std::string part = std::to_string(number) + "/" + std::to_string(count);
      const CommandResult result = run(command, {"--part", part, "-o", names.back()});
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err,
                  HasSubstr("Part " + std::to_string(number) + " of " + std::to_string(count) + ": "));
    }
    return names;
  }
  CommandResult merge(const std::vector<std::string>& parts, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"merge"};
    arguments.insert(arguments.end(), parts.begin(), parts.end());
    return run(std::move(arguments), more);
  }
  // Expects that the command ends with exit code 1 and makes and removes no file; returns the error's text.
  std::string error_of(const std::vector<std::string>& arguments) const {
    const std::set<std::string> before = files();
    const CommandResult result = alnus(arguments);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(files(), before);
    return result.err;
  }

  const std::vector<std::string> search_ = {"search", "q.fa", "set.fa", "-t", "1"};
  const std::vector<std::string> allpairs_ = {"allpairs", "set.fa", "-t", "1"};
};

TEST_F(Parts, OfASearchAreMergedToItsRows) {
  for (const char* format : {"6", "7 std score", "0", "10 qseqid cigar", "jsonl"}) {
    for (const int count : {1, 3, 40}) {
      SCOPED_TRACE(std::string(format) + " in " + std::to_string(count) + " parts");
      const std::vector<std::string> how = {"--outfmt", format, "--max-target-seqs", "4"};
      const CommandResult whole = run(search_, how);
      ASSERT_EQ(whole.exit_code, 0) << whole.err;
      std::vector<std::string> command = search_;
      command.insert(command.end(), how.begin(), how.end());
      const std::vector<std::string> parts = compute(command, count);
      const CommandResult merged = merge(parts, {});
      EXPECT_EQ(merged.exit_code, 0) << merged.err;
      EXPECT_TRUE(merged.out == whole.out) << merged.out << "instead of\n" << whole.out;
      EXPECT_THAT(merged.err, HasSubstr(count == 1 ? "1 part of 5 queries by 25: 125 pairs, "
                                                   : " parts of 5 queries by 25: 125 pairs, "));
      EXPECT_THAT(merged.err, HasSubstr("20 hits. The parts took "));
      EXPECT_EQ(merge(parts, {"-o", "merged", "--quiet"}).err, "");
      EXPECT_TRUE(read("merged") == whole.out);
    }
  }
}

// The head of SAM has the command that made the file, here the merge.
TEST_F(Parts, HeadsTellTheMerge) {
  std::vector<std::string> command = search_;
  command.insert(command.end(), {"--outfmt", "sam"});
  const std::string whole = alnus(command).out;
  const std::string merged = merge(compute(command, 3), {}).out;
  const auto without_program = [](const std::string& text) {
    const std::size_t begin = text.find("@PG");
    return text.substr(0, begin) + text.substr(text.find('\n', begin) + 1);
  };
  EXPECT_EQ(without_program(merged), without_program(whole));
  EXPECT_THAT(merged, HasSubstr("CL:"));
  EXPECT_THAT(merged, HasSubstr("merge p3 p2 p1"));

  command.back() = "0";
  EXPECT_THAT(alnus(command).out, HasSubstr("Database: set.fa"));
  EXPECT_THAT(merge(compute(command, 2), {}).out, HasSubstr("Database: set.fa"));
  EXPECT_THAT(merge({"p1", "p2"}, {"--database-name", "other"}).out, HasSubstr("Database: other"));
}

TEST_F(Parts, OfASearchWithAPicture) {
  std::vector<std::string> command = search_;
  command.insert(command.end(), {"--score-plot", "plot.svg", "--stats", "none"});
  ASSERT_EQ(run(command, {"-o", "whole"}).exit_code, 0);
  const std::string plot = read("plot.svg");
  std::filesystem::remove(path("plot.svg"));
  const std::vector<std::string> parts = compute(command, 4);
  EXPECT_FALSE(files().contains("plot.svg")) << "the merge writes it";
  EXPECT_EQ(merge(parts, {"-o", "merged", "--score-plot", "merged.svg"}).exit_code, 0);
  EXPECT_TRUE(read("merged.svg") == plot);
  EXPECT_EQ(read("merged"), read("whole"));
}

TEST_F(Parts, TiesAtTheCutAreLogged) {
  write("one.fa", ">one\nMKTAYIAKQRQISFVKSHFSRQ\n");
  write("same.fa", ">a\nMKTAYIAKQR\n>b\nMKTAYIAKQR\n>c\nMKTAYIAKQR\n>d\nMKTAYIAKQR\n");
  const std::vector<std::string> command = {"search", "one.fa",   "same.fa", "--max-target-seqs",
                                            "2",      "--outfmt", "6 sseqid"};
  const CommandResult whole = alnus(command), merged = merge(compute(command, 4), {});
  EXPECT_EQ(whole.out, "a\nb\n");
  EXPECT_EQ(merged.out, whole.out);
  EXPECT_THAT(whole.err, HasSubstr("Ties at the cut: in 1 query ('one')"));
  EXPECT_THAT(merged.err, HasSubstr("Ties at the cut: in 1 query ('one')"));
}

TEST_F(Parts, QueriesWithoutHitsAreNamed) {
  write("some.fa", ">one\nMKTAYIAKQRQISFVKSHFSRQ\n>\xff\nWWWWWWWW\n>three\nCCCCCCC\n");
  write("same.fa", ">a\nMKTAYIAKQR\n>b\nMKTAYIAKQR\n");
  const std::vector<std::string> command = {
      "search", "some.fa", "same.fa", "--min-score", "40", "--max-target-seqs", "1", "--stats", "none"};
  for (const int parts : {2, 5}) {
    const CommandResult merged = merge(compute(command, parts), {});
    EXPECT_THAT(merged.err, HasSubstr("2 queries ('\\xff', 'three') have no hit.\n"));
    EXPECT_THAT(merged.err, HasSubstr("Ties at the cut: in 1 query ('one')"));
  }
}

TEST_F(Parts, OfAllPairsAreMergedToEveryOutput) {
  const std::vector<std::string> how = {"--outfmt",         "6 std score", "--matrix-value", "score",
                                        "--edge-threshold", "30",          "--self"};
  for (const bool two : {false, true}) {
    std::vector<std::string> command = allpairs_;
    command.insert(command.end(), how.begin(), how.end());
    if (two) command.insert(command.end(), {"--against", "q.fa"});
    const auto outputs = [&](const std::string& prefix) {
      std::vector<std::string> names = {"--matrix-out", prefix + ".npy",
                                        "--matrix-out", "identity:" + prefix + "2.npy",
                                        "--matrix-out", "distance:" + prefix + "3.csv",
                                        "--edges",      prefix + ".csv.gz"};
      if (!two) names.insert(names.end(), {"--phylip", prefix + ".phy"});
      return names;
    };
    std::vector<std::string> whole = outputs("whole"), part = outputs("unused"), merged = outputs("merged");
    whole.insert(whole.end(), {"-o", "whole.tsv"});
    merged.insert(merged.end(), {"-o", "merged.tsv"});
    if (two) command.erase(std::find(command.begin(), command.end(), "--self"));
    const CommandResult at_once = run(command, whole);
    ASSERT_EQ(at_once.exit_code, 0) << at_once.err;
    command.insert(command.end(), part.begin(), part.end());
    const CommandResult result = merge(compute(command, 7), merged);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr(two ? "7 parts of 25 sequences by 5: 125 pairs, "
                                          : "7 parts of 25 sequences by 25: 325 pairs, "));
    const std::string edges = unpacked(path("whole.csv.gz"));
    const std::string count = std::to_string(std::count(edges.begin(), edges.end(), '\n'));
    EXPECT_THAT(at_once.err, HasSubstr(count + " edges in whole.csv.gz.\n"));
    EXPECT_THAT(result.err, HasSubstr(count + " edges in merged.csv.gz.\n"));
    for (const char* ending : {".tsv", ".npy", "2.npy", "3.csv"})
      EXPECT_TRUE(read("merged" + std::string(ending)) == read("whole" + std::string(ending))) << ending;
    if (!two) {
      EXPECT_EQ(read("merged.phy"), read("whole.phy"));
    }
    EXPECT_EQ(unpacked(path("merged.csv.gz")), unpacked(path("whole.csv.gz")));
    for (const std::string& name : files()) EXPECT_FALSE(name.starts_with("unused")) << name;
  }
}

// All pairs write rows if there is no other output, or if a format of rows is named.
TEST_F(Parts, RowsOfAllPairs) {
  const std::string whole = run(allpairs_, {}).out;
  EXPECT_EQ(merge(compute(allpairs_, 3), {}).out, whole);
  std::vector<std::string> command = allpairs_;
  command.insert(command.end(), {"--edges", "e.tsv", "--edge-threshold", "40"});
  std::vector<std::string> parts = compute(command, 2);
  EXPECT_EQ(merge(parts, {"--edges", "merged.tsv"}).out, "");
  EXPECT_THAT(error_of({"merge", "p1", "p2", "--edges", "e.tsv", "-o", "rows"}),
              HasSubstr("-o rows: the parts were made without -o, and do not have it."));
  command.insert(command.end(), {"--outfmt", "6"});
  parts = compute(command, 2);
  EXPECT_EQ(merge(parts, {"--edges", "merged.tsv", "-o", "-"}).out, whole);
}

TEST_F(Parts, WhatIsGivenToTheMergeMustBeTheSame) {
  std::vector<std::string> command = allpairs_;
  command.insert(command.end(), {"--outfmt", "6 std score", "--matrix-out", "m.npy", "--matrix-value",
                                 "score", "--edges", "e.tsv", "--edge-threshold", "30"});
  const std::vector<std::string> parts = compute(command, 2);
  const std::vector<std::string> names = {"-o", "rows", "--matrix-out", "m.npy", "--edges", "e.tsv"};
  for (const auto& [option, word] :
       std::vector<std::pair<std::string, std::string>>{{"--outfmt", "7"},
                                                        {"--square", ""},
                                                        {"--matrix-value", "identity"},
                                                        {"--matrix-type", "float32"},
                                                        {"--edge-threshold", "31"},
                                                        {"--identity", "longer"}}) {
    std::vector<std::string> arguments = {"merge", "p1", "p2"};
    arguments.insert(arguments.end(), names.begin(), names.end());
    arguments.push_back(option);
    if (!word.empty()) arguments.push_back(word);
    EXPECT_THAT(error_of(arguments), HasSubstr("The parts were made with another " + option +
                                               ": leave it out, or give that of the parts."));
  }
  std::vector<std::string> same = names;
  same.insert(same.end(), {"--outfmt", "6 std score", "--matrix-value", "score", "--matrix-type", "int32",
                           "--edge-threshold", "30", "--identity", "alignment"});
  EXPECT_EQ(merge(parts, same).exit_code, 0);
}

// Messages name the option that was given, and no other one.
TEST_F(Parts, MadeWithAnotherHeader) {
  const std::vector<std::string> columns = {"--outfmt", "6 qseqid score"};
  std::vector<std::string> command = search_;
  command.insert(command.end(), columns.begin(), columns.end());
  std::vector<std::string> parts = compute(command, 2);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--header"}, {"--outfmt", "6 qseqid score", "--header"}}) {
    std::vector<std::string> arguments = {"merge", "p1", "p2", "-o", "rows"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_THAT(
        error_of(arguments),
        HasSubstr("The parts were made with another --header: leave it out, or give that of the parts."));
  }
  EXPECT_EQ(merge(parts, {"-o", "rows", "--outfmt", "6 qseqid score"}).exit_code, 0);
  const std::string without = read("rows");

  command.push_back("--header");
  parts = compute(command, 2);
  for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                               {"--header"},
                                               {"--outfmt", "6 qseqid score"},
                                               {"--outfmt", "6 qseqid score", "--header"}}) {
    std::vector<std::string> arguments = {"-o", "rows"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(merge(parts, arguments).exit_code, 0);
    EXPECT_EQ(read("rows"), "qseqid\tscore\n" + without);
  }
  EXPECT_THAT(error_of({"merge", "p1", "p2", "-o", "rows", "--outfmt", "6", "--header"}),
              HasSubstr("another --outfmt:"));
}

// Parts of different jobs: the message names the option that differs, not one that follows from it.
TEST_F(Parts, OfJobsWithDifferentOptions) {
  const auto difference = [&](const std::vector<std::string>& command, const std::vector<std::string>& more) {
    std::vector<std::string> first = command, second = command;
    first.insert(first.end(), {"--part", "1/2", "-o", "one"});
    second = with_options(std::move(second), more);
    second.insert(second.end(), {"--part", "2/2", "-o", "two"});
    EXPECT_EQ(alnus(first).exit_code, 0);
    EXPECT_EQ(alnus(second).exit_code, 0);
    const std::string error = error_of({"merge", "one", "two", "-o", "rows"});
    const std::string begin = "one and two are parts of different jobs: ";
    const std::size_t at = error.find(begin);
    return at == std::string::npos ? error : error.substr(at + begin.size());
  };
  std::vector<std::string> table = search_;
  table.insert(table.end(), {"--outfmt", "6 qseqid score"});
  EXPECT_EQ(difference(table, {"--header"}), "--header differs.\n");
  EXPECT_EQ(difference(table, {"--outfmt", "6 qseqid score pident"}), "--outfmt differs.\n");
  std::vector<std::string> pairs = {"allpairs", allpairs_[1],   "--stats",
                                    "none",     "--matrix-out", "score:m.npy"};
  EXPECT_EQ(difference(pairs, {"--square"}), "--square differs.\n");
  EXPECT_EQ(difference(pairs, {"--matrix-type", "float32"}), "--matrix-type differs.\n");
  pairs.insert(pairs.end(), {"--matrix-out", "score-distance:d.csv"});
  EXPECT_EQ(difference(pairs, {"--matrix-type", "float32"}), "--matrix-type differs.\n");
  const std::vector<std::string> as_table = {"allpairs", allpairs_[1],   "--stats",
                                             "none",     "--matrix-out", "score:m.csv"};
  EXPECT_EQ(difference(as_table, {"--gap-open", "10.5", "--gap-extend", "0.5"}), "the gap costs differ.\n");
}

TEST_F(Parts, MessagesOfAMergeSayWhatIsWrong) {
  EXPECT_THAT(error_of({"merge", "-o", "rows"}),
              HasSubstr("error: Name the parts of the job, or by --list a file that lists them.\n"));
  compute(search_, 1);
  write("list", "p1\n");
  EXPECT_THAT(error_of({"merge", "p1", "--list", "list", "-o", "rows"}), HasSubstr("--list, not both.\n"));
  ASSERT_EQ(shell("gzip -k p1 && zstd -q p1").exit_code, 0);
  EXPECT_THAT(error_of({"merge", "p1.gz", "-o", "rows"}),
              HasSubstr("is compressed (gzip), and parts are read as alnus wrote them. Decompress it first"));
  EXPECT_THAT(error_of({"merge", "p1.zst", "-o", "rows"}), HasSubstr("is compressed (zstd)"));
}

TEST_F(Parts, ADryRunNeedsNoFileButNoPart) {
  std::vector<std::string> command = search_;
  command.insert(command.end(), {"--part", "1/4", "--dry-run"});
  EXPECT_THAT(error_of(command), HasSubstr("leave --part out"));
}

TEST_F(Parts, OfWrongNumbersAreErrors) {
  for (const auto& [word, message] : std::vector<std::pair<std::string, std::string>>{
           {"0/3", "--part takes a whole number from 1 to 3, not '0'"},
           {"4/3", "--part takes a whole number from 1 to 3, not '4'"},
           {"x/3", "--part takes a whole number from 1 to 3, not 'x'"},
           {"1/0", "--part takes a whole number from 1 to 10000000, not '0'"},
           {"1/x", "--part takes a whole number from 1 to 10000000, not 'x'"},
           {"3", "--part is I/N, the number of a part and how many there are, such as 3/64, not 3."},
           {"1/2/3", "--part takes a whole number"},
           {"1.5/3", "--part takes a whole number"},
           {"/3", "--part takes a whole number"},
           {"1/", "--part takes a whole number"}}) {
    for (std::vector<std::string> command : {search_, allpairs_}) {
      command.insert(command.end(), {"--part", word, "-o", "part"});
      EXPECT_THAT(error_of(command), HasSubstr(message)) << word;
    }
  }
}

TEST_F(Parts, WithWhatTheyCannotHaveAreErrors) {
  for (std::vector<std::string> command : {search_, allpairs_}) {
    command.insert(command.end(), {"--part", "1/3"});
    EXPECT_THAT(error_of(command),
                HasSubstr("--part needs -o FILE: a part is a file, which alnus merge reads."));
    command.insert(command.end(), {"-o", "-"});
    EXPECT_THAT(error_of(command), HasSubstr("--part needs -o FILE"));
    command.back() = "set.fa";
    EXPECT_THAT(error_of(command), HasSubstr("set.fa is one of the inputs"));
    command.back() = "part";
    command.emplace_back("--dry-run");
    EXPECT_THAT(error_of(command), HasSubstr("--dry-run tells what the whole job would cost"));
  }
  EXPECT_THAT(error_of({"search", "q.fa", "set.fa", "--part", "1/3", "--interactive"}),
              HasSubstr("--interactive answers each query at once: --part writes a file"));
  EXPECT_THAT(error_of({"allpairs", "set.fa", "--part", "1/3", "-o", "part", "--checkpoint", "ledger"}),
              HasSubstr("leave --checkpoint out"));
  EXPECT_THAT(error_of({"allpairs", "set.fa", "--part", "1/3", "-o", "part", "--add", "q.fa"}),
              HasSubstr("leave --add out"));
  const CommandResult nowhere = run(search_, {"--part", "1/3", "-o", "no_folder/part"});
  EXPECT_EQ(nowhere.exit_code, 255);
  EXPECT_THAT(nowhere.err, HasSubstr("no_folder/part"));
}

TEST_F(Parts, MergeNamesWhatIsWrong) {
  compute(search_, 5);
  const std::string bytes = read("p2");
  EXPECT_THAT(error_of({"merge"}), HasSubstr("Name the parts of the job"));
  EXPECT_THAT(error_of({"merge", "set.fa"}),
              HasSubstr("set.fa is no part of a job: parts are what --part I/N writes."));
  EXPECT_THAT(error_of({"merge", "p1", "none"}),
              HasSubstr("none cannot be opened: No such file or directory."));
  EXPECT_THAT(
      error_of({"merge", "p2"}),
      HasSubstr("4 parts of 5 are missing: 1, 3 to 5. Compute them by --part I/5, and merge all together."));
  EXPECT_THAT(error_of({"merge", "p5", "p1", "p3", "p4"}),
              HasSubstr("One part of 5 is missing: 2. Compute it by --part I/5"));
  EXPECT_THAT(error_of({"merge", "p1", "p2", "p3", "p4", "p5", "p2"}),
              HasSubstr("p2 and p2 are the same part, 2 of 5: name one of them."));
  EXPECT_THAT(error_of({"merge", "p1", "p2", "p3", "p4", "p5", "-o", "p2"}),
              HasSubstr("The output p2 is one of the inputs, which would be lost."));
  EXPECT_THAT(error_of({"merge", "p1", "p2", "p3", "p4", "p5", "-o", "rows", "--matrix-out", "m.npy"}),
              HasSubstr("--matrix-out m.npy: the parts were made without --matrix-out"));
  EXPECT_EQ(read("p2"), bytes);

  ASSERT_EQ(run(search_, {"--part", "2/5", "-o", "other", "--evalue", "1"}).exit_code, 0);
  EXPECT_THAT(error_of({"merge", "p1", "other", "p3", "p4", "p5"}),
              HasSubstr("p1 and other are parts of different jobs: --evalue differs."));
  ASSERT_EQ(run(allpairs_, {"--part", "2/5", "-o", "other"}).exit_code, 0);
  EXPECT_THAT(error_of({"merge", "p1", "other", "p3", "p4", "p5"}),
              HasSubstr("p1 and other are parts of different jobs"));

  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 1);
  write("damaged", damaged);
  const std::string message = error_of({"merge", "p1", "damaged", "p3", "p4", "p5", "-o", "rows"});
  EXPECT_THAT(message, HasSubstr("damaged is damaged from byte "));
  EXPECT_EQ(message.find("is damaged"), message.rfind("is damaged")) << message;
  write("damaged", bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(error_of({"merge", "p1", "damaged", "p3", "p4", "p5", "-o", "rows"}),
              HasSubstr("damaged is damaged from byte "));
}

TEST_F(Parts, OutputsWithoutNamesAreErrors) {
  std::vector<std::string> command = allpairs_;
  command.insert(command.end(),
                 {"--matrix-out", "m.npy", "--matrix-out", "score:s.npy", "--phylip", "d.phy"});
  compute(command, 2);
  EXPECT_THAT(error_of({"merge", "p1", "p2"}), HasSubstr("which has no name here: add --"));
  EXPECT_THAT(error_of({"merge", "p1", "p2", "--matrix-out", "m.npy", "--matrix-out", "score:s.npy"}),
              HasSubstr("The parts have an output of --phylip, which has no name here: add --phylip FILE."));
  EXPECT_THAT(error_of({"merge", "p1", "p2", "--matrix-out", "m.npy", "--phylip", "d.phy"}),
              HasSubstr("The parts have an output of --matrix-out score:"));
}

// ---- Parts in one file ----

TEST_F(Parts, AListNamesTheirPlaces) {
  const std::string whole = run(search_, {"--outfmt", "6"}).out;
  compute(search_, 3);
  write("all", read("p3") + read("p1") + read("p2"));
  EXPECT_EQ(merge({"all"}, {}).out, whole) << "all parts in a file count";
  const std::size_t second = read("p3").size(), third = second + read("p1").size();
  write("list", "all\t" + std::to_string(third) + "\nall\n\nall\t" + std::to_string(second) + "\n");
  EXPECT_EQ(alnus({"merge", "--list", "list"}).out, whole);
  write("list", "p1\np2\np3\n");
  EXPECT_EQ(alnus({"merge", "--list", "list"}).out, whole);

  EXPECT_THAT(error_of({"merge", "--list", "list", "p1"}), HasSubstr("not both"));
  EXPECT_THAT(error_of({"merge", "--list", "none"}),
              HasSubstr("Cannot read none: No such file or directory."));
  EXPECT_THAT(error_of({"merge", "--list", "."}),
              HasSubstr("Cannot read .: Is a directory. Name the file in it."));
  write("list", "p1\np2\tx\n");
  EXPECT_THAT(error_of({"merge", "--list", "list"}), HasSubstr("--list takes a whole number"));
  write("list", "p1\np2\t7\np3\n");
  EXPECT_THAT(error_of({"merge", "--list", "list"}),
              HasSubstr("p2 is damaged from byte 7 on: no part begins there"));
  write("list", "");
  EXPECT_THAT(error_of({"merge", "--list", "list"}), HasSubstr("There are no parts to merge."));
}

TEST_F(Parts, AListIsNotReplaced) {
  compute(search_, 2);
  const std::string list = "p1\np2\n";
  for (const char* name : {"list", "m.npy.ids", "e.npz.rows.ids"}) {
    write(name, list);
    for (const std::vector<std::string>& outputs : std::vector<std::vector<std::string>>{
             {"-o", name}, {"--matrix-out", "m.npy"}, {"--edges", "e.npz"}}) {
      std::vector<std::string> command = {"merge", "--list", name};
      command.insert(command.end(), outputs.begin(), outputs.end());
      EXPECT_EQ(alnus(command).exit_code, 1);
      EXPECT_EQ(read(name), list) << outputs[1];
    }
  }
  EXPECT_THAT(error_of({"merge", "--list", "list", "-o", "list"}),
              HasSubstr("The output list is one of the inputs, which would be lost."));

  run({"allpairs", "set.fa"}, {"--matrix-out", "m.npy", "--part", "1/1", "-o", "p1"});
  write("m.npy.ids", "p1\n");
  EXPECT_THAT(error_of({"merge", "--list", "m.npy.ids", "--matrix-out", "m.npy"}),
              HasSubstr("The output m.npy.ids is one of the inputs, which would be lost."));
  EXPECT_EQ(read("m.npy.ids"), "p1\n");
}

TEST_F(Parts, WhatIsNoFileIsNotWaitedFor) {
  compute(search_, 2);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of({"merge", "p1", "pipe"}),
              HasSubstr("pipe is no file: a part is one that alnus wrote."));
  EXPECT_THAT(error_of({"merge", "--list", "/dev/zero"}), HasSubstr("/dev/zero is a device"));
  EXPECT_THAT(error_of({"merge", "--list", "."}), HasSubstr("Cannot read .: Is a directory."));
}

TEST_F(Parts, AProgramHandsOutTheirNumbers) {
  const std::string whole = run(search_, {"--outfmt", "6"}).out;
  const std::vector<nlohmann::json> answers =
      answers_of_parts(5,
                       "for numbers in 2 4-5 1 3; do\n"
                       "  echo $numbers >&${alnus[1]}\n"
                       "  read answer <&${alnus[0]} && echo \"$answer\"\n"
                       "done\n");
  ASSERT_EQ(answers.size(), 5u);
  EXPECT_EQ(answers[0].at("parts"), 5);
  EXPECT_EQ(answers[0].at("cells").size(), 5u);
  EXPECT_EQ(answers[2].at("first"), 4);
  EXPECT_EQ(answers[2].at("last"), 5);
  std::uint64_t end = 0, pairs = 0;
  for (std::size_t k = 1; k < answers.size(); ++k) {
    EXPECT_EQ(answers[k].at("begin"), end);
    end = answers[k].at("end");
    pairs += answers[k].at("pairs").get<std::uint64_t>();
    ASSERT_EQ(answers[k].at("devices").size(), 1u);
    EXPECT_THAT(answers[k].at("devices")[0].get<std::string>(), testing::StartsWith("cpu (1 thread, "));
  }
  EXPECT_EQ(end, read("all").size());
  EXPECT_EQ(pairs, 125u);
  EXPECT_EQ(merge({"all"}, {}).out, whole);
}

TEST_F(Parts, AWrongLastRequestIsNamed) {
  for (const char* requests : {"foo", "1\\nfoo", "1\\n2\\n2-1\\n", "9", "stop x"}) {
    const CommandResult result =
        shell("printf '" + std::string(requests) + "' | \"$1\" search q.fa set.fa --part -/5 -o all --quiet");
    EXPECT_EQ(result.exit_code, 1) << requests;
    EXPECT_THAT(result.err, HasSubstr("--part takes a whole number")) << requests;
  }
  const CommandResult ended =
      shell("printf '1-3\\n4\\n' | \"$1\" search q.fa set.fa --part -/5 -o all --quiet");
  EXPECT_EQ(ended.exit_code, 255);
  EXPECT_THAT(ended.err, HasSubstr("Standard input ended before all parts"));
}

TEST_F(Parts, ARequestThatWaitsCanBeStopped) {
  const std::string whole = run(search_, {"--outfmt", "6"}).out;
  const std::vector<nlohmann::json> answers =
      answers_of_parts(2,
                       "printf '1\\n2\\nstop 2\\nstop 5\\n2\\n' >&${alnus[1]}\n"
                       "for number in 1 2 3; do read answer <&${alnus[0]} && echo \"$answer\"; done\n");
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_FALSE(answers[1].contains("stopped"));
  EXPECT_TRUE(answers[2].contains("stopped"));
  EXPECT_FALSE(answers[3].contains("stopped"));
  EXPECT_EQ(merge({"all"}, {}).out, whole);
}

}  // namespace
}  // namespace alnus::test
