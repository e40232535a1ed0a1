// Outputs that are an input, or two outputs that are one file: every command refuses them and keeps its
// inputs.
#include <algorithm>
#include <tuple>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;

class LostInputs : public CliTest {
 protected:
  LostInputs() {
    write("q.fa", ">a\nMKVLAHEAGAWGHEE\n>b\nPAWHEAE\n");
    write("more.fa", ">c\nMKVLAHEAGAWGHE\n");
    write("pairs.tsv", "a\tb\n");
    write("frequencies.txt", "A 1\n");
    std::string matrix = "   A  R  N  D  C  Q  E  G  H  I  L  K  M  F  P  S  T  W  Y  V\n";
    const std::string letters = "ARNDCQEGHILKMFPSTWYV";
    for (const char row : letters) {
      matrix += row;
      for (const char column : letters) matrix += row == column ? "  4" : " -2";
      matrix += '\n';
    }
    write("matrix.txt", matrix);
    EXPECT_EQ(alnus({"makedb", "q.fa", "-o", "db.alnus", "--quiet"}).exit_code, 0);
  }

  // Runs the command with OUT replaced by each of several names that lead to the file `input`, and expects
  // that it refuses the output.
  void expect_refused(const std::vector<std::string>& command, const std::string& input) const {
    const std::string before = read(input);
    fs::create_directory(path("folder"));
    fs::create_hard_link(path(input), path("hard.alnus"));
    fs::create_symlink(input, path("soft.alnus"));
    fs::create_symlink("../" + input, path("folder/soft.alnus"));
    const std::set<std::string> names = files();
    for (const std::string& name : {input, std::string("hard.alnus"), std::string("soft.alnus"),
                                    std::string("folder/soft.alnus"), "./folder/../" + input, path(input)}) {
      std::vector<std::string> arguments = command;
      std::ranges::replace(arguments, "OUT", name);
      const CommandResult result = alnus(arguments);
      EXPECT_EQ(result.exit_code, 1) << ::testing::PrintToString(arguments) << result.err;
      EXPECT_THAT(result.err, AllOf(HasSubstr(name), HasSubstr("one of the inputs")));
      EXPECT_EQ(files(), names);
      EXPECT_TRUE(read(input) == before) << ::testing::PrintToString(arguments);
    }
    for (const char* name : {"hard.alnus", "soft.alnus", "folder"}) fs::remove_all(path(name));
  }
  void expect_two_outputs(const std::vector<std::string>& command, const std::string& why) const {
    const std::set<std::string> names = files();
    const CommandResult result = alnus(command);
    EXPECT_EQ(result.exit_code, 1) << ::testing::PrintToString(command) << result.err;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_EQ(files(), names);
  }
};

TEST_F(LostInputs, OfASearch) {
  for (const char* input : {"q.fa", "db.alnus"}) {
    expect_refused({"search", "q.fa", "db.alnus", "-o", "OUT"}, input);
    expect_refused({"search", "q.fa", "db.alnus", "--score-plot", "OUT"}, input);
  }
  expect_refused({"search", "q.fa", "db.alnus", "--matrix", "matrix.txt", "-o", "OUT"}, "matrix.txt");
  expect_refused({"search", "q.fa", "db.alnus", "--matrix", "matrix.txt", "--score-plot", "OUT"},
                 "matrix.txt");
}

TEST_F(LostInputs, OfAlign) {
  expect_refused({"align", "q.fa", "db.alnus", "-o", "OUT"}, "q.fa");
  expect_refused({"align", "--all", "q.fa", "db.alnus", "-o", "OUT"}, "db.alnus");
  expect_refused({"align", "--pairs", "pairs.tsv", "q.fa", "-o", "OUT"}, "pairs.tsv");
  expect_refused({"align", "q.fa", "q.fa", "--matrix", "matrix.txt", "-o", "OUT"}, "matrix.txt");
}

TEST_F(LostInputs, OfAllPairs) {
  const std::vector<std::vector<std::string>> outputs = {
      {"-o", "OUT"},
      {"--matrix-out", "OUT"},
      {"--phylip", "OUT", "--matrix-value", "distance"},
      {"--edges", "OUT", "--edge-threshold", "30"},
  };
  for (const std::vector<std::string>& output : outputs) {
    const auto with = [&](std::vector<std::string> command) {
      command.insert(command.end(), output.begin(), output.end());
      return command;
    };
    expect_refused(with({"allpairs", "db.alnus"}), "db.alnus");
    expect_refused(with({"allpairs", "q.fa", "--matrix", "matrix.txt"}), "matrix.txt");
    if (output.front() == "--phylip") continue;
    expect_refused(with({"allpairs", "q.fa", "--against", "more.fa"}), "more.fa");
    expect_refused(with({"allpairs", "q.fa", "--checkpoint", "ledger", "--add", "more.fa"}), "more.fa");
  }
}

TEST_F(LostInputs, ByTheFilesBesideAMatrix) {
  fs::copy_file(path("matrix.txt"), path("m.npy.ids"));
  const std::string before = read("m.npy.ids");
  for (const char* output : {"m.npy", "score:m.npy", "score:m.npy.ids"}) {
    const CommandResult result = alnus({"allpairs", "q.fa", "--matrix", "m.npy.ids", "--matrix-out", output,
                                        "--gap-open", "5", "--gap-extend", "1"});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("m.npy.ids"), HasSubstr("one of the inputs")));
    EXPECT_EQ(read("m.npy.ids"), before);
  }
}

TEST_F(LostInputs, OfMakedb) { expect_refused({"makedb", "more.fa", "q.fa", "-o", "OUT"}, "q.fa"); }

TEST_F(LostInputs, OfBenchSearch) {
  for (const char* input : {"q.fa", "db.alnus"})
    expect_refused({"bench", "search", "q.fa", "db.alnus", "--write-database", "OUT"}, input);
}

TEST_F(LostInputs, BehindStandardInputAndOutput) {
  const std::string before = read("q.fa"), database = read("db.alnus"), frequencies = read("frequencies.txt");
  for (const char* script : {
           "\"$1\" search - db.alnus -o q.fa < q.fa",
           "\"$1\" search q.fa db.alnus >> q.fa",
           "\"$1\" search q.fa db.alnus >> db.alnus",
           "\"$1\" search q.fa db.alnus --interactive < q.fa >> q.fa",
           "\"$1\" align q.fa q.fa >> q.fa",
           "\"$1\" allpairs q.fa >> q.fa",
           "\"$1\" allpairs - --matrix-out q.fa < q.fa",
           "\"$1\" makedb - -o q.fa < q.fa",
           "\"$1\" dbinfo db.alnus >> db.alnus",
           "\"$1\" calibrate --background frequencies.txt >> frequencies.txt",
       }) {
    const CommandResult result = shell(script);
    EXPECT_EQ(result.exit_code, 1) << script << result.err;
    EXPECT_THAT(result.err, HasSubstr("one of the inputs")) << script;
    EXPECT_EQ(read("q.fa"), before) << script;
    EXPECT_TRUE(read("db.alnus") == database) << script;
    EXPECT_EQ(read("frequencies.txt"), frequencies) << script;
  }
  EXPECT_EQ(shell("\"$1\" search - db.alnus < q.fa > rows.tsv && \"$1\" dbinfo db.alnus > info").exit_code,
            0);
}

TEST_F(LostInputs, ThatAnOutputIsFirstWrittenTo) {
  fs::copy_file(path("q.fa"), path("out.alnus-part"));
  fs::copy_file(path("db.alnus"), path("db.alnus-part"));
  const std::string before = read("q.fa"), database = read("db.alnus");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"search", "out.alnus-part", "db.alnus", "-o", "out"},
        {"search", "q.fa", "db.alnus-part", "-o", "db"},
        {"search", "out.alnus-part", "db.alnus", "--score-plot", "out"},
        {"align", "out.alnus-part", "q.fa", "-o", "out"},
        {"allpairs", "out.alnus-part", "--matrix-out", "out"},
        {"makedb", "out.alnus-part", "-o", "out"}}) {
    const CommandResult result = alnus(command);
    EXPECT_EQ(result.exit_code, 1) << ::testing::PrintToString(command) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("is first written to"), HasSubstr("one of the inputs")));
    EXPECT_EQ(read("out.alnus-part"), before);
    EXPECT_TRUE(read("db.alnus-part") == database);
  }
}

TEST_F(LostInputs, TwoOutputsAreTwoFiles) {
  write("out", "");
  fs::create_symlink("new", path("soft"));
  fs::create_hard_link(path("out"), path("hard"));
  const std::string one_file = "are written to the same file";
  for (const auto& [first, second, why] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"new", "new", "Two outputs have the name new"},
           {"new", "./new", one_file},
           {"new", "soft", one_file},
           {"out", "hard", one_file},
           {"new", "new.alnus-part", one_file}}) {
    expect_two_outputs({"search", "q.fa", "db.alnus", "-o", first, "--score-plot", second}, why);
    expect_two_outputs({"allpairs", "q.fa", "-o", first, "--matrix-out", second}, why);
    expect_two_outputs({"allpairs", "q.fa", "--edges", first, "--edge-threshold", "0.3", "--phylip", second,
                        "--matrix-value", "distance"},
                       why);
  }
  expect_two_outputs({"search", "q.fa", "db.alnus", "--score-plot", "-"}, "Two outputs have the name -");
  fs::create_directory(path("ledger"));
  write("ledger/ledger.json", "");
  EXPECT_THAT(alnus({"allpairs", "q.fa", "--checkpoint", "ledger", "-o", "ledger/ledger.json"}).err,
              HasSubstr("ledger.json"));
  EXPECT_EQ(read("ledger/ledger.json"), "");
}

TEST_F(LostInputs, ALinkToNothingIsWrittenThrough) {
  fs::create_directory(path("folder"));
  fs::create_symlink("folder/rows.tsv", path("rows.tsv"));
  const CommandResult result = alnus({"search", "q.fa", "db.alnus", "-o", "rows.tsv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::is_symlink(path("rows.tsv")));
  EXPECT_THAT(read("folder/rows.tsv"), ::testing::StartsWith("a\ta\t100.000"));
  EXPECT_FALSE(fs::is_symlink(path("folder/rows.tsv")));
  fs::create_symlink("none/rows.tsv", path("astray"));
  const CommandResult astray = alnus({"search", "q.fa", "db.alnus", "-o", "astray"});
  EXPECT_EQ(astray.exit_code, 255);
  EXPECT_THAT(astray.err, HasSubstr("Cannot create the output file astray: No such file or directory"));
  EXPECT_TRUE(fs::is_symlink(path("astray")));
}

}  // namespace
}  // namespace alnus::test
