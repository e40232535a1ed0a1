// --outfmt sam: every command writes the queries' qualities.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Sam : public CliTest {
 protected:
  Sam() {
    write("ref.fa", ">chr1\nTTGACCAGATTACAGGCATCAGTCAGGA\n>chr2\nCCCCATTTTGGGGAAAACCCC\n");
    write(
        "reads.fq",
        "@r1 "
        "first\nGATTACAGGCATC\n+\nABCDEFGHIJKLM\n@r2\nATTTTGGGGAAAA\n+\n!#$%&'()*+,-.\n@r3\nTTTTTTTTTTTT\n+\n"
        "IIIIIIIIIIII\n");
  }
  std::string sam(std::vector<std::string> arguments) const {
    for (const char* word : {"--alphabet", "dna", "--match", "2", "--mismatch", "-3", "--outfmt", "sam"})
      arguments.emplace_back(word);
    const CommandResult result = alnus(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(Sam, OfASearch) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--interactive"}, {"--mask", "lower"}}) {
    std::vector<std::string> arguments = {"search", "reads.fq",    "ref.fa", "--stats",
                                          "none",   "--min-score", "20"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::string text = sam(arguments);
    EXPECT_THAT(text,
                HasSubstr("\nr1\t0\tchr1\t8\t255\t13=\t*\t0\t0\tGATTACAGGCATC\tABCDEFGHIJKLM\tAS:i:26\tNM:i:0"
                          "\tMD:Z:13\n"));
    EXPECT_THAT(text, HasSubstr("\nr2\t0\tchr2\t5\t255\t13=\t*\t0\t0\tATTTTGGGGAAAA\t!#$%&'()*+,-.\t"));
    EXPECT_THAT(text, HasSubstr("\nr3\t4\t*\t0\t0\t*\t*\t0\t0\tTTTTTTTTTTTT\tIIIIIIIIIIII\n"));
    EXPECT_THAT(
        text, HasSubstr("@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:chr1\tLN:28\n@SQ\tSN:chr2\tLN:21\n@PG"));
  }
}

TEST_F(Sam, OfADatabaseFileIsTheSame) {
  const auto of = [&](const std::string& database) {
    const std::string text = sam({"search", "reads.fq", database, "--stats", "none", "--min-score", "20"});
    const std::size_t program = text.find("@PG");
    return text.substr(0, program) + text.substr(text.find('\n', program));
  };
  write("other.fa", ">short\nACGT\n" + read("ref.fa"));
  ASSERT_EQ(alnus({"makedb", "other.fa", "-o", "other.alnus", "--alphabet", "dna"}).exit_code, 0);
  EXPECT_EQ(of("other.alnus"), of("other.fa"));
  EXPECT_THAT(of("other.alnus"), HasSubstr("@SQ\tSN:short\tLN:4\n@SQ\tSN:chr1"));
}

TEST_F(Sam, OfPairs) {
  const std::string each = sam({"align", "--all", "reads.fq", "ref.fa"});
  EXPECT_THAT(each, HasSubstr("\tGATTACAGGCATC\tABCDEFGHIJKLM\tAS:i:26\t"));
  EXPECT_THAT(each, HasSubstr("\nr1\t256\tchr2\t"));
  EXPECT_THAT(each, HasSubstr("\nr2\t256\tchr1\t"));
  // A read whose first pair aligns nothing has its primary record at its first pair that aligns. A read that
  // aligns nowhere has one unmapped record.
  write("other.fa", ">none\nAAAAAAAA\n>also\nCCCCCCCC\n");
  write("order.tsv", "r1\tnone\nr4\tnone\nr3\talso\nr1\tchr1\nr1\tchr2\nr3\tchr1\n");
  write("all.fa", read("other.fa") + read("ref.fa"));
  write("few.fq", "@r1\nGTTGTTTG\n+\nABCDEFGH\n@r3\nGGGGGGGG\n+\nIIIIIIII\n@r4\nCCCC\n+\nIIII\n");
  const std::string listed = sam({"align", "--pairs", "order.tsv", "few.fq", "all.fa", "--mode", "local"});
  std::vector<std::string> flags;
  std::istringstream lines(listed);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("@")) flags.push_back(line.substr(0, line.find('\t', 3)));
  EXPECT_THAT(flags, testing::ElementsAre("r1\t256", "r1\t0", "r3\t0", "r4\t4"));
  const std::string pairs = sam({"allpairs", "reads.fq"});
  EXPECT_THAT(pairs, HasSubstr("\nr1\t0\tr2\t"));
  EXPECT_THAT(pairs, HasSubstr("\nr1\t256\tr3\t"));
  EXPECT_THAT(pairs, HasSubstr("\tGATTACAGGCATC\tABCDEFGHIJKLM\t"));
}

// Reads that become one read of SAM are refused by every command, naming both, before anything is computed.
TEST_F(Sam, ReadsThatBecomeOneAreRefused) {
  const std::string folder = ALNUS_SOURCE_DIR "/tests/data/outsiders/";
  write("long.fq", read_file(folder + "long_names.fastq"));
  write("long.fa", read_file(folder + "long_names_reference.fasta"));
  write("two.fq", "@r@1\nACGTTGCAACGT\n+\nIIIIIIIIIIII\n@r_1\nTTGCAACGTAGG\n+\nIIIIIIIIIIII\n");
  const std::vector<std::string> options = {"--alphabet", "dna", "--outfmt", "sam"};
  const auto refusal = [&](std::vector<std::string> arguments, const std::string& out) {
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"-o", out});
    const CommandResult result = alnus(std::move(arguments));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_FALSE(files().contains(out));
    return result.err;
  };
  const std::vector<std::string> search = {"search", "long.fq", "long.fa", "--evalue", "1000"};
  EXPECT_THAT(refusal(search, "out.sam"), HasSubstr("long.fq: record 1 ('rrrrrr"));
  for (const std::vector<std::string>& command : {std::vector<std::string>{"search", "two.fq", "long.fa"},
                                                  {"search", "two.fq", "long.fa", "--part", "1/2"},
                                                  {"align", "--all", "two.fq", "long.fa"},
                                                  {"allpairs", "two.fq"},
                                                  {"allpairs", "two.fq", "--part", "1/2"}})
    EXPECT_THAT(
        refusal(command, "out"),
        HasSubstr("two.fq: record 1 ('r@1') and record 2 ('r_1') would both be the read 'r_1' of SAM"));
  // A query that comes while the program runs is refused alone.
  const CommandResult stream =
      shell("\"$1\" search - long.fa --alphabet dna --outfmt sam --evalue 1000 --interactive < two.fq");
  EXPECT_EQ(stream.exit_code, 1);
  EXPECT_THAT(stream.out, HasSubstr("\nr_1\t0\tref\t"));
  EXPECT_EQ(stream.out.find("r_1\t"), stream.out.rfind("r_1\t"));
  EXPECT_THAT(stream.err, HasSubstr("alnus: error: standard input, record 2 ('r_1') and record 1 would both "
                                    "be the read 'r_1' of SAM"));
  // Other formats have the names as they are, and mates have one id.
  EXPECT_EQ(alnus({"search", "two.fq", "long.fa", "--alphabet", "dna"}).exit_code, 0);
  write("mates.fq", "@r_1 1\nACGTTGCAACGT\n+\nIIIIIIIIIIII\n@r_1 2\nTTGCAACGTAGG\n+\nIIIIIIIIIIII\n");
  EXPECT_THAT(sam({"search", "mates.fq", "long.fa", "--evalue", "1000"}), HasSubstr("\nr_1\t"));
}

}  // namespace
}  // namespace alnus::test
