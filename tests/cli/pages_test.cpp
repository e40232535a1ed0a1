// alnus pages: mandoc finds no mistakes in the manual pages, and completions work in each shell.
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Pages : public CliTest {
 protected:
  void SetUp() override { ASSERT_EQ(alnus({"pages", "share"}).exit_code, 0); }

  // Returns what bash offers to complete the last of these words.
  std::string in_bash(const std::string& words) const {
    return shell("source share/bash-completion/completions/alnus; COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _alnus 2> /dev/null; echo \"${COMPREPLY[*]}\"")
        .out;
  }
  std::string in_fish(const std::string& line) const {
    return shell("fish -c 'source share/fish/vendor_completions.d/alnus.fish; complete -C \"" + line + "\"'")
        .out;
  }
};

TEST_F(Pages, EveryCommandHasOneWithTheOptionsOfItsHelp) {
  for (const std::string command : {"search", "align", "allpairs", "cluster", "split", "audit", "verify",
                                    "merge", "makedb", "dbinfo", "calibrate", "devices", "pages", "bench",
                                    "bench search", "bench allpairs", "bench evalues", "bench papers"}) {
    SCOPED_TRACE(command);
    std::string name = command;
    if (const std::size_t blank = name.find(' '); blank != name.npos) name[blank] = '-';
    const std::string page = read("share/man/man1/alnus-" + name + ".1");
    EXPECT_THAT(page, HasSubstr(".Nm alnus " + command + "\n"));
    EXPECT_THAT(page, HasSubstr(".Sh EXAMPLES\n"));
    // The page must have each option that has a line of its own in the help text, in the same order.
    const std::string helps =
        shell("\"$1\" " + command + " --help | sed -nE 's/^  (-.,|   ) (--[-a-z]+).*/\\2/p'").out;
    const std::string pages =
        shell("sed -nE 's/^[.]It (Fl . , )?Fl -([-a-z\\\\]+)( Ar.*)?$/\\2/p' share/man/man1/alnus-" + name +
              ".1 | sed 's/\\\\//g; s/^/--/'")
            .out;
    EXPECT_EQ(pages, helps);
    EXPECT_THAT(helps, HasSubstr("--help\n"));
  }
  EXPECT_THAT(read("share/man/man1/alnus.1"), HasSubstr(".It Xr alnus\\-search 1\n"));
}

TEST_F(Pages, MandocHasNoComplaints) {
  // The pages are not installed where mandoc looks for the pages that they refer to.
  const CommandResult lint =
      shell("mandoc -T lint share/man/man1/*.1 | grep -v 'referenced manual not found'");
  EXPECT_EQ(lint.out, "");
  EXPECT_EQ(lint.err, "");
  const std::string text = shell("mandoc -T ascii share/man/man1/alnus-search.1 | col -b").out;
  for (const char* part :
       {"alnus search [options] QUERIES DB", "--evalue X", "-o, --output FILE", "ENVIRONMENT", "EXIT STATUS"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(Pages, BashCompletesCommandsAndOptions) {
  EXPECT_EQ(in_bash("alnus sea"), "search\n");
  EXPECT_EQ(in_bash("alnus --vers"), "--version\n");
  EXPECT_EQ(in_bash("alnus search --ev"), "--evalue\n");
  EXPECT_EQ(in_bash("alnus search --evalue ''"), "\n") << "a value that nobody knows";
  EXPECT_EQ(in_bash("alnus search queries.fasta --outf"), "--outfmt\n");
  write("bench", "");
  EXPECT_EQ(in_bash("alnus search ben"), "bench\n") << "a file with the name of a command";
  EXPECT_EQ(in_bash("alnus search bench --outf"), "--outfmt\n");
  EXPECT_EQ(in_bash("alnus search -o ben"), "bench\n");
  EXPECT_EQ(in_bash("alnus search -- --ev"), "\n");
  EXPECT_EQ(in_bash("alnus devices ben"), "\n") << "it takes no files";
  EXPECT_EQ(in_bash("alnus pages sha"), "share\n");
  EXPECT_EQ(in_bash("alnus bench all"), "allpairs\n");
  EXPECT_EQ(in_bash("alnus bench allpairs --grow"), "--growing\n");
}

TEST_F(Pages, BashCompletesTheWordsOfOptions) {
  EXPECT_EQ(in_bash("alnus search --mode ''"), "local global semiglobal\n");
  EXPECT_EQ(in_bash("alnus allpairs x.fa --matrix-value score-"), "score-distance\n");
  EXPECT_EQ(in_bash("alnus search --mask lower,s"), "lower,seg\n");
  EXPECT_EQ(in_bash("alnus search --stats reg"), "regression\n");
  EXPECT_EQ(in_bash("alnus allpairs --stats reg"), "\n") << "regression is for search alone";
  EXPECT_EQ(in_bash("alnus bench evalues --null rev"), "reversed\n");
  write("VTML.txt", "");
  EXPECT_EQ(in_bash("alnus search --matrix VTML"), "VTML120 VTML160 VTML200 VTML80 VTML.txt\n")
      << "or a file";
}

// The words of these options are read by the library, which has its own list of them.
TEST_F(Pages, WordsThatAreCompletedAreKnown) {
  write("q.fa", ">q\nMKVLA\n");
  for (const std::string option : {"--mode", "--matrix", "--gap-convention", "--preset", "--isa", "--devices",
                                   "--outfmt", "--free-ends"}) {
    std::istringstream words(in_bash("alnus align " + option + " ''"));
    const std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
    EXPECT_GT(all.size(), 1u) << option;
    for (const std::string& word : all) {
      if (word == "q.fa" || word == "share") continue;  // a file
      const std::string error = alnus({"align", "q.fa", "q.fa", "--stats", "none", option, word}).err;
      for (const char* unknown :
           {"There is no matrix", "There is no preset", "no output format", "did you mean", "choose one of"})
        EXPECT_THAT(error, Not(HasSubstr(unknown))) << option << ' ' << word;
    }
  }
}

TEST_F(Pages, FishCompletesCommandsAndOptions) {
  EXPECT_THAT(in_fish("alnus sea"), ::testing::StartsWith("search\t"));
  EXPECT_THAT(in_fish("alnus search --ev"), ::testing::StartsWith("--evalue\t"));
  EXPECT_THAT(in_fish("alnus bench all"), ::testing::StartsWith("allpairs\t"));
  EXPECT_THAT(in_fish("alnus bench allpairs --grow"), ::testing::StartsWith("--growing\t"));
  EXPECT_EQ(in_fish("alnus align --grow"), "");
  EXPECT_EQ(in_fish("alnus align search --inter"), "") << "a file with the name of a command";
  EXPECT_THAT(in_fish("alnus search x bench --ev"), ::testing::StartsWith("--evalue\t"));
  EXPECT_THAT(in_fish("alnus search --mode sem"), ::testing::StartsWith("semiglobal\t"));
  EXPECT_THAT(in_fish("alnus search --matrix VTML8"), ::testing::StartsWith("VTML80\t"));
  EXPECT_EQ(in_fish("alnus search --matrix sha"), "share/\n");
}

TEST_F(Pages, ZshCompletesCommandsAndOptions) {
  if (!has_terminals()) GTEST_SKIP() << kNoTerminals;
  const std::string script =
      std::string("zsh -f ") + ALNUS_SOURCE_DIR + "/tests/cli/complete.zsh share/zsh/site-functions ";
  for (const auto& [line, wanted] : {std::pair{"alnus sea", "alnus search"},
                                     {"alnus search --ev", "alnus search --evalue"},
                                     {"alnus search -t4 --ev", "alnus search -t4 --evalue"},
                                     {"alnus search --output=sha", "alnus search --output=share"},
                                     {"alnus search --mode sem", "alnus search --mode semiglobal"},
                                     {"alnus search --mode=sem", "alnus search --mode=semiglobal"},
                                     {"alnus search --matrix VTML8", "alnus search --matrix VTML80"},
                                     {"alnus search --matrix sha", "alnus search --matrix share"},
                                     {"alnus bench allpairs --grow", "alnus bench allpairs --growing"}}) {
    const CommandResult result = shell(script + "'" + line + "' '" + wanted + "'");
    EXPECT_EQ(result.exit_code, 0) << result.out;
  }
}

TEST_F(Pages, AreTheSameOfTheSameDate) {
  ASSERT_EQ(shell("SOURCE_DATE_EPOCH=1000000000 \"$1\" pages other").exit_code, 0);
  EXPECT_THAT(read("other/man/man1/alnus.1"), ::testing::StartsWith(".Dd September 9, 2001\n"));
  const CommandResult wrong = shell("SOURCE_DATE_EPOCH=soon \"$1\" pages third");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("SOURCE_DATE_EPOCH"));
}

TEST_F(Pages, AFolderThatCannotBeMadeIsNamed) {
  write("file", "");
  const CommandResult result = alnus({"pages", "file"});
  EXPECT_EQ(result.exit_code, 255);
  EXPECT_THAT(result.err, HasSubstr("'file/man/man1'"));
}

}  // namespace
}  // namespace alnus::test
