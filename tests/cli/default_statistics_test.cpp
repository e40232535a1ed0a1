// E-values of proteins are adjusted by default: what the program prints about it, and results without it.
#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class DefaultStatistics : public CliTest {
 protected:
  CommandResult search(std::vector<std::string> more) const {
    const std::string data = ALNUS_SOURCE_DIR "/data/queries/";
    more.insert(more.begin(), {"search", data + "queries_farrar.fasta", data + "queries_cudasw.fasta"});
    return alnus(std::move(more));
  }
  const std::vector<std::string> explicit_ = {"--composition", "adjust", "--low-complexity", "statistics"},
                                 none_ = {"--composition", "none", "--low-complexity", "none"};
};

TEST_F(DefaultStatistics, AreThoseOfTheExplicitOptions) {
  for (const char* format : {"6", "0", "5", "7"})
    EXPECT_EQ(search({"--outfmt", format}).out, search(both({"--outfmt", format}, explicit_)).out);
}

TEST_F(DefaultStatistics, WithoutThemHitsAreWhatTheyWere) {
  EXPECT_EQ(search(none_).out, read_file(ALNUS_SOURCE_DIR "/tests/data/golden/unadjusted.std.tsv"));
}

TEST_F(DefaultStatistics, TheLogNamesThem) {
  const std::string adjusted =
      "alnus: Statistics: spouge: lambda 0.267, K 0.041 (published), adjusted to the composition of both "
      "sequences, low-complexity regions masked";
  EXPECT_THAT(search({}).err, HasSubstr(adjusted + ", 41,752 residues in 20 sequences.\n"));
  EXPECT_THAT(search(none_).err,
              HasSubstr("not adjusted to composition, low-complexity regions not masked, "));
  write("a.fa", ">a\nMKVLAWTREQNDCHIGYFPS\n");
  EXPECT_THAT(alnus({"align", "a.fa", "a.fa"}).err, HasSubstr(adjusted + ".\n"));
  EXPECT_THAT(alnus({"allpairs", "a.fa", "--self"}).err,
              HasSubstr(adjusted + ", 20 residues in 1 sequence.\n"));
  RunOptions typed;
  typed.input = ">a\nMKVLAWTREQNDCHIGYFPS\n";
  EXPECT_THAT(alnus({"search", "-", "a.fa", "--interactive"}, typed).err, HasSubstr(adjusted));
  EXPECT_EQ(search({"--quiet"}).err, "");
  EXPECT_THAT(search({"--stats", "none"}).err, Not(HasSubstr("Statistics:")));
}

TEST_F(DefaultStatistics, LowComplexityIsWarnedOfWhereItCounts) {
  write("a.fa", ">poly of Q\n" + std::string(50, 'Q') + "\n>a\nMKVLAWTREQNDCHIGYFPS\n");
  EXPECT_THAT(alnus({"search", "a.fa", "a.fa"}).err, Not(HasSubstr("warning")));
  const std::string warning =
      "alnus: warning: More than half of a query is of low complexity (poly). With --low-complexity none "
      "chance "
      "gives such queries more hits than E-values say: leave --low-complexity none out, or mask by --mask "
      "seg.\n";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"search", "a.fa", "a.fa"}, {"align", "a.fa", "a.fa"}, {"allpairs", "a.fa"}}) {
    EXPECT_THAT(alnus(both(command, {"--low-complexity", "none"})).err, HasSubstr(warning));
    EXPECT_THAT(alnus(both(command, {"--low-complexity", "none", "--mask", "seg"})).err,
                Not(HasSubstr("warning")));
    EXPECT_THAT(alnus(both(command, {"--low-complexity", "none", "--stats", "none"})).err,
                Not(HasSubstr("warning")));
  }
}

}  // namespace
}  // namespace alnus::test
