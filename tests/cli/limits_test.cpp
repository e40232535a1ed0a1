// Limits: the system gives too few threads, or the memory budget is too small.
#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Limits : public CliTest {
 protected:
  Limits() {
    std::string text;
    for (int i = 0; i < 300; ++i)
      text += ">r" + std::to_string(i) + "\nMKVLAHEAGAWGHEEPAWHEAE" + std::string(200, 'A' + i % 5) + "\n";
    write("many.fa", text);
    write("few.fa", text.substr(0, text.find(">r2")));
  }
  // Runs the program with a limit on its address space. Each thread's stack counts a gigabyte of it.
  CommandResult with_address_space(const std::string& gigabytes, const std::string& arguments) const {
    return shell("ulimit -s 1000000 || exit 77; ulimit -v " + gigabytes + "200000; \"$1\" " + arguments);
  }
};

TEST_F(Limits, ThreadsThatAreThereDoTheWork) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer needs the address space.";
#endif
  const std::string search = "search many.fa many.fa --devices cpu --evalue 1e9 --max-target-seqs 2 ";
  const CommandResult usual = shell("\"$1\" " + search + "-t 2 --quiet");
  ASSERT_EQ(usual.exit_code, 0);
  const CommandResult few = with_address_space("4", search + "-t 1000");
  if (few.exit_code == 77) GTEST_SKIP() << "Stacks cannot be made larger here.";
  EXPECT_EQ(few.exit_code, 0) << few.err;
  EXPECT_EQ(few.out, usual.out);
  EXPECT_THAT(few.err, HasSubstr("warning: The system gives no more threads than the "));
  EXPECT_THAT(few.err, HasSubstr("Lower --threads"));
  EXPECT_THAT(few.err, ::testing::ContainsRegex("[0-9]+ of [0-9]+ threads work"));
}

TEST_F(Limits, TooFewThreadsAreAnErrorThatSaysSo) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer needs the address space.";
#endif
  const std::set<std::string> before = files();
  const CommandResult none =
      with_address_space("1", "search many.fa many.fa --devices cpu -t 1000 -o out.tsv");
  if (none.exit_code == 77) GTEST_SKIP() << "Stacks cannot be made larger here.";
  EXPECT_EQ(none.exit_code, 255) << none.err;
  EXPECT_THAT(none.err, HasSubstr("error: The system gives no more threads than the "));
  EXPECT_THAT(none.err, HasSubstr("Lower --threads, or raise the limit (ulimit -u)."));
  EXPECT_EQ(files(), before);
}

TEST_F(Limits, HitsOfOneQueryBeyondTheMemoryAreAWarning) {
  const std::string search = "search few.fa many.fa --devices cpu --evalue 1e9 --quiet ";
  const CommandResult usual = shell("\"$1\" " + search);
  const CommandResult small =
      alnus({"search", "few.fa", "many.fa", "--devices", "cpu", "--evalue", "1e9", "--memory", "64K"});
  EXPECT_EQ(small.exit_code, 0);
  EXPECT_EQ(small.out, usual.out);
  EXPECT_THAT(small.err, HasSubstr("warning: The alignments of one query, 300 here, may take "));
  EXPECT_THAT(small.err,
              HasSubstr("--memory is 64.0 KiB: it is exceeded. A lower --max-target-seqs needs less."));
  const CommandResult large = alnus({"search", "few.fa", "many.fa", "--devices", "cpu", "--memory", "64M"});
  EXPECT_THAT(large.err, Not(HasSubstr("warning")));
}

}  // namespace
}  // namespace alnus::test
