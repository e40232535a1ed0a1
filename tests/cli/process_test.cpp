// What the program needs of its process: standard descriptors, stack, a terminal.
#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Process : public CliTest {
 protected:
  Process() {
    write("s.fa", ">a\nMKVLAHEAGAWGHEE\n>b\nMKVLAHEAGAWGHEA\n>c\nPAWHEAEKKLLMV\n");
    EXPECT_EQ(alnus({"makedb", "s.fa", "-o", "db.alnus"}).exit_code, 0);
  }
};

// ---- Closed descriptors ----

TEST_F(Process, NothingIsWrittenIntoAnOutputForAClosedStandardError) {
  const std::string command = "\"$1\" allpairs s.fa --mode global --matrix-out m.npy -o r.tsv ";
  ASSERT_EQ(shell(command).exit_code, 0);
  const std::string rows = read("r.tsv"), matrix = read("m.npy");
  for (const char* closed : {"2>&-", "2>&- <&-", "2>&- >&- <&-"}) {
    EXPECT_EQ(shell(command + closed).exit_code, 0) << closed;
    EXPECT_EQ(read("r.tsv"), rows) << closed;
    EXPECT_EQ(read("m.npy"), matrix) << closed;
  }
}

TEST_F(Process, AClosedStandardInputIsNoFile) {
  for (const char* command :
       {"search - db.alnus --interactive", "search - db.alnus", "search s.fa -", "makedb - -o x.alnus"}) {
    const CommandResult result = shell("\"$1\" " + std::string(command) + " <&-");
    EXPECT_NE(result.exit_code, 0) << command;
    EXPECT_THAT(result.err, HasSubstr("alnus: error: Cannot read standard input: it is closed.")) << command;
    EXPECT_THAT(result.err, Not(HasSubstr("record"))) << command;
  }
  const CommandResult parts = shell("\"$1\" allpairs s.fa --part -/3 -o p --quiet <&-");
  EXPECT_EQ(parts.exit_code, 1);
  EXPECT_EQ(parts.err, "alnus: error: Cannot read the requests: standard input is closed.\n");
}

TEST_F(Process, ResultsForAClosedStandardOutputAreNotLostInSilence) {
  for (const char* command : {"search s.fa db.alnus", "allpairs s.fa", "--version", "dbinfo db.alnus"}) {
    const CommandResult result = shell("\"$1\" " + std::string(command) + " >&-");
    EXPECT_EQ(result.exit_code, 255) << command;
    EXPECT_THAT(result.err, HasSubstr("alnus: error: Cannot write standard output: it is closed."))
        << command;
  }
  EXPECT_EQ(shell("\"$1\" search s.fa db.alnus -o r.tsv >&-").exit_code, 0);
  EXPECT_EQ(read("r.tsv"), alnus({"search", "s.fa", "db.alnus"}).out);
}

// ---- Messages that would go into an input ----

TEST_F(Process, NoMessageIsAppendedToAnInput) {
  write("list", "a b\n");
  ASSERT_EQ(alnus({"allpairs", "s.fa", "--part", "1/1", "-o", "part", "--quiet"}).exit_code, 0);
  write("parts", "part\n");
  const std::set<std::string> before = files();
  for (const auto& [command, input] :
       std::vector<std::pair<std::string, std::string>>{{"search s.fa db.alnus", "s.fa"},
                                                        {"search s.fa db.alnus -o r.tsv", "db.alnus"},
                                                        {"search - db.alnus --interactive < s.fa", "s.fa"},
                                                        {"search s.fa db.alnus --part 1/2 -o p", "s.fa"},
                                                        {"align s.fa --pairs list", "list"},
                                                        {"allpairs s.fa --against db.alnus", "db.alnus"},
                                                        {"allpairs s.fa --part 1/2 -o p", "s.fa"},
                                                        {"makedb s.fa -o x.alnus", "s.fa"},
                                                        {"dbinfo db.alnus --verify", "db.alnus"},
                                                        {"merge part", "part"},
                                                        {"merge --list parts", "parts"}}) {
    const std::string bytes = read(input);
    const CommandResult result = shell("setsid -w \"$1\" " + command + " 2>> " + input);
    EXPECT_EQ(result.exit_code, 1) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_EQ(read(input), bytes) << command;
    EXPECT_EQ(files(), before) << command;
  }
  if (!has_terminals()) GTEST_SKIP() << kNoTerminals;
  EXPECT_THAT(
      shell("script -qec \"$1 search s.fa db.alnus 2>> s.fa\" /dev/null").out,
      HasSubstr("alnus: error: Standard error goes to one of the inputs, s.fa, to which messages would be "
                "appended. Let it go to another file."));
}

TEST_F(Process, RowsAndMessagesInOneFileDoNotOverwriteEachOther) {
  EXPECT_EQ(shell("\"$1\" search s.fa db.alnus > both 2> both").exit_code, 1);
  EXPECT_THAT(read("both"), HasSubstr("alnus: error: Standard output and standard error go to one file"));
  EXPECT_EQ(shell("\"$1\" allpairs s.fa > both 2> both").exit_code, 1);
  EXPECT_EQ(shell("\"$1\" search s.fa db.alnus -o both 2> both").exit_code, 1);
  EXPECT_THAT(read("both"), HasSubstr("The output both is the file that standard error goes to."));
  const std::string rows = alnus({"search", "s.fa", "db.alnus"}).out;
  EXPECT_EQ(shell("\"$1\" search s.fa db.alnus > both 2>&1").exit_code, 0);
  EXPECT_THAT(read("both"), HasSubstr(rows));
}

// ---- Stack ----

TEST_F(Process, ALowLimitOfTheStackIsEnoughOrAnError) {
  const std::string rows = alnus({"search", "s.fa", "s.fa"}).out,
                    pairs = alnus({"align", "--all", "s.fa", "s.fa", "--mode", "global"}).out;
  for (const char* limit : {"120", "100", "64"}) {
    const std::string limited = "ulimit -s " + std::string(limit) + "; \"$1\" ";
    const CommandResult search = shell(limited + "search s.fa s.fa");
    EXPECT_EQ(search.exit_code, 0) << limit << ": " << search.err;
    EXPECT_EQ(search.out, rows) << limit;
    EXPECT_EQ(shell(limited + "align --all s.fa s.fa --mode global").out, pairs) << limit;
  }
  const CommandResult result = shell("ulimit -s 32; \"$1\" search s.fa s.fa");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("The stack may take only 32768 bytes, and alnus needs 65536. Raise the"));
}

// ---- What a terminal would obey ----

TEST_F(Process, MessagesShowControlCharactersOfNamesAndIds) {
  const std::string red = "\x1b[31m";
  write("no" + red + "\n.fa", "GARBAGE");
  write("bad" + red, ">x\nMKV\n");
  write("ids.fa",
        ">i\xc2\x9b"
        "31m x\nMKVLAHEAGAWGHEE\n>i\xc2\x9b"
        "31m y\nMKV\n");
  const std::vector<std::vector<std::string>> commands = {
      {"search", "no" + red + "\n.fa", "s.fa"},
      {"search", "nothing" + red, "s.fa"},
      {"dbinfo", "bad" + red},
      {"merge", "bad" + red},
      {"merge", "--list", "bad" + red},
      {"allpairs", "s.fa", "--mode", "global", "--edges", "e" + red, "--edge-threshold", "10"},
      {"makedb", "s.fa", "-o", "x" + red},
      {"search", "s.fa", "s.fa", "--outfmt", "6 q" + red},
      {"search", "s.fa", "s.fa", "--matrix", "B" + red},
      {"search", "s.fa", "s.fa", "--evalue", "1" + red},
      {"search", "s.fa", "s.fa", "--ev" + red},
      {"search", "s.fa", "s.fa", "s" + red},
      {"search", "ids.fa", "s.fa", "--evalue", "1e-300"},
      {"search", "s.fa", "s.fa", "--mode", "\x02mode\x03" + red},
  };
  for (const std::vector<std::string>& command : commands) {
    const std::string err = alnus(command).err;
    EXPECT_NE(err, "");
    for (const char* control : {"\x1b", "\xc2\x9b", "\x02", "\x03"})
      EXPECT_THAT(err, Not(HasSubstr(control))) << command.at(1);
  }
  EXPECT_THAT(alnus({"search", "no" + red + "\n.fa", "s.fa"}).err,
              ::testing::StartsWith("alnus: error: no\\x1b[31m\\x0a.fa, record 1"));
  EXPECT_THAT(alnus({"dbinfo", "bad" + red}).err, HasSubstr("bad\\x1b[31m is no alnus database"));
}

TEST_F(Process, NamesInUtf8StayAsTheyAre) {
  EXPECT_THAT(alnus({"search", "pépé 蛋白.fa", "s.fa"}).err, HasSubstr("Cannot read pépé 蛋白.fa: "));
}

TEST_F(Process, ResultsKeepTheBytesOfIds) {
  write("ids.fa",
        ">i\xc2\x9b"
        "31m\nMKVLAHEAGAWGHEE\n");
  EXPECT_THAT(alnus({"search", "ids.fa", "s.fa"}).out, ::testing::StartsWith("i\xc2\x9b"
                                                                             "31m\t"));
}

// ---- What is logged ----

TEST_F(Process, TheLastLineOfTheLogHasVersionAndDevices) {
  const std::string version = alnus({"--version"}).out;
  const std::string build = version.substr(0, version.size() - 1);
  const auto last_line = [](const std::string& err) {
    return err.substr(err.rfind('\n', err.size() - 2) + 1);
  };
  for (const std::vector<std::string>& command : {std::vector<std::string>{"search", "s.fa", "db.alnus"},
                                                  {"align", "s.fa", "s.fa"},
                                                  {"allpairs", "s.fa"},
                                                  {"allpairs", "s.fa", "--part", "1/1", "-o", "part"}}) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-t", "1", "--isa", "portable"});
    EXPECT_THAT(last_line(alnus(words).err),
                ::testing::EndsWith(" GCUPS. This was " + build + " on cpu (1 thread, portable).\n"));
  }
  EXPECT_THAT(last_line(alnus({"merge", "part"}).err), ::testing::EndsWith(" This was " + build + ".\n"));
  EXPECT_THAT(last_line(alnus({"makedb", "s.fa", "-o", "x.alnus"}).err),
              ::testing::EndsWith(" This was " + build + ".\n"));
  EXPECT_THAT(last_line(shell("\"$1\" search - s.fa --interactive -t 1 < s.fa").err),
              HasSubstr("This was " + build + " on cpu (1 thread, "));
}

TEST_F(Process, ProgressCanBeOffWithWarningsOn) {
  if (!has_terminals()) GTEST_SKIP() << kNoTerminals;
  // `script` gives the program a terminal, on which a bar is shown after 0.2 s.
  std::string set;
  for (int k = 0; k < 24; ++k)
    set += ">s" + std::to_string(k) + "\n" + std::string(2000, 'A' + k % 4) + "MKV\n";
  write("long.fa", set);
  const std::string command =
      "allpairs long.fa --alphabet protein --mode global --min-coverage 1 --isa portable --method striped -t "
      "1 "
      "-o r.tsv";
  const auto on_terminal = [&](const std::string& more) {
    return shell("script -qec \"$1 " + command + more + "\" /dev/null").out;
  };
  const std::string with = on_terminal(""), without = on_terminal(" --no-progress"),
                    quiet = on_terminal(" --quiet");
  EXPECT_THAT(with, HasSubstr("% ["));
  EXPECT_THAT(with, HasSubstr("alnus: warning: "));
  EXPECT_THAT(without, Not(HasSubstr("% [")));
  EXPECT_THAT(without, HasSubstr("alnus: warning: "));
  EXPECT_THAT(without, HasSubstr(" GCUPS. This was alnus "));
  EXPECT_EQ(quiet, "");
}

// ---- Names that begin with a dash ----

TEST_F(Process, TwoDashesEndTheOptions) {
  write("-q.fa", ">q\nMKVLAHEAGAWGHEE\n");
  ASSERT_EQ(alnus({"makedb", "-o", "q.alnus", "--", "-q.fa"}).exit_code, 0);
  ASSERT_EQ(shell("cp q.alnus -- -q.alnus").exit_code, 0);
  ASSERT_EQ(alnus({"allpairs", "s.fa", "--part", "1/1", "-o", "p"}).exit_code, 0);
  ASSERT_EQ(shell("cp p -- -p").exit_code, 0);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"search", "--", "-q.fa", "-q.fa"},
                                                  {"search", "--quiet", "--", "-q.alnus", "-q.alnus"},
                                                  {"search", "s.fa", "--quiet", "--", "-q.alnus"},
                                                  {"align", "--", "-q.fa", "-q.fa"},
                                                  {"allpairs", "--", "-q.fa"},
                                                  {"allpairs", "--against", "s.fa", "--", "-q.fa"},
                                                  {"merge", "--", "-p"},
                                                  {"merge", "--quiet", "--", "-p"},
                                                  {"dbinfo", "--json", "--", "-q.alnus"},
                                                  {"pages", "--", "-pages"},
                                                  {"devices", "--"}}) {
    const CommandResult result = alnus(command);
    EXPECT_EQ(result.exit_code, 0) << command.at(0) << ": " << result.err;
  }
  const CommandResult behind = alnus({"search", "--", "-q.fa", "-q.fa", "--quiet"});
  EXPECT_EQ(behind.exit_code, 1);
  EXPECT_THAT(behind.err, HasSubstr("alnus search does not take the argument '--quiet'."));
  EXPECT_THAT(alnus({"--", "search", "-q.fa", "-q.fa"}).err, HasSubstr("-- stands behind a command"));
}

}  // namespace
}  // namespace alnus::test
