// --mask of search, align, allpairs and makedb.
#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

const std::string kRun = std::string(40, 'Q');
const std::string kUnique = "MDRNCWEYHKFTPLVSGAIM";

class MaskTest : public CliTest {
 protected:
  // The query shares kUnique with one subject, and with another a run of Q, which is in lower case in the
  // query.
  MaskTest() {
    std::string soft = kRun;
    for (char& letter : soft) letter = 'q';
    write("q.fa", ">q\n" + kUnique + soft + "\n");
    write("db.fa", ">related\n" + kUnique + "\n>repeat\n" + kRun + "\n");
    write("dna.fa", ">d\nACGTTGCAGGCATTACaaaaaaaaaaaaaaaaaaaa\n");
  }
  CommandResult search(const std::string& database, const std::string& mask) const {
    return alnus({"search", "q.fa", database, "--mask", mask, "--evalue", "1", "--outfmt", "6 sseqid",
                  "--composition", "none", "--low-complexity", "none"});
  }
};

TEST_F(MaskTest, SearchDoesNotFindWhatIsMasked) {
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus"}).exit_code, 0);
  for (const std::string database : {"db.fa", "db.alnus"}) {
    EXPECT_EQ(search(database, "none").out, "repeat\nrelated\n");
    for (const std::string mask : {"lower", "seg", "lower,seg"})
      EXPECT_EQ(search(database, mask).out, "related\n") << mask;
  }
}

TEST_F(MaskTest, SaysOnceHowMuch) {
  const std::string err = search("db.fa", "seg").err;
  EXPECT_THAT(err,
              HasSubstr("Masked (seg): 40 residues in 1 sequence of q.fa and 40 residues in 1 sequence of "
                        "db.fa.\n"));
  EXPECT_EQ(err.find("Masked"), err.rfind("Masked"));
  EXPECT_THAT(search("db.fa", "lower").err, HasSubstr("and 0 residues in 0 sequences of db.fa.\n"));
  EXPECT_THAT(search("db.fa", "none").err, Not(HasSubstr("Masked")));
  EXPECT_THAT(alnus({"allpairs", "db.fa", "--mask", "seg"}).err,
              HasSubstr("Masked (seg): 40 residues in 1 sequence of db.fa.\n"));
}

TEST_F(MaskTest, OutputHasTheMaskedLetters) {
  const std::vector<std::string> align = {"align", "q.fa", "q.fa", "--mode", "global", "--outfmt", "6 qseq"};
  const auto masked = [&](const std::string& mask) {
    std::vector<std::string> arguments = align;
    arguments.insert(arguments.end(), {"--mask", mask});
    return alnus(arguments).out;
  };
  EXPECT_EQ(masked("seg"), kUnique + std::string(40, 'X') + "\n");
  EXPECT_EQ(masked("lower"), masked("seg"));
  EXPECT_EQ(alnus({"align", "dna.fa", "dna.fa", "--alphabet", "dna", "--mode", "global", "--outfmt", "6 qseq",
                   "--mask", "lower"})
                .out,
            "ACGTTGCAGGCATTAC" + std::string(20, 'N') + "\n");
}

TEST_F(MaskTest, DustOfDna) {
  const std::vector<std::string> align = {"align",  "dna.fa", "dna.fa",   "--alphabet", "dna",
                                          "--mode", "global", "--outfmt", "6 qseq"};
  for (const std::string mask : {"dust", "lower,dust"}) {
    std::vector<std::string> arguments = align;
    arguments.insert(arguments.end(), {"--mask", mask});
    const CommandResult result = alnus(arguments);
    EXPECT_EQ(result.out, "ACGTTGCAGGCATTAC" + std::string(20, 'N') + "\n");
    EXPECT_THAT(result.err, HasSubstr("Masked (" + mask + "): 20 residues in 1 sequence of dna.fa"));
  }
  ASSERT_EQ(alnus({"makedb", "dna.fa", "-o", "dna.alnus", "--alphabet", "dna", "--mask", "dust"}).exit_code,
            0);
  EXPECT_EQ(alnus({"dbinfo", "dna.alnus", "--verify"}).exit_code, 0);
}

TEST_F(MaskTest, ADatabaseMaskedWhenItIsBuiltIsWhatSearchWouldMask) {
  const CommandResult made = alnus({"makedb", "db.fa", "-o", "masked.alnus", "--mask", "seg"});
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_THAT(made.err, HasSubstr("Masked (seg): 40 residues in 1 sequence of db.fa.\n"));
  EXPECT_EQ(alnus({"dbinfo", "masked.alnus", "--verify"}).exit_code, 0);
  EXPECT_EQ(search("masked.alnus", "none").out, "related\n");
}

// N of a query fits every base, also where it comes from masking.
TEST_F(MaskTest, MaskedQueriesOfDifferencesAreAWarning) {
  write("genome.fa", ">g\nTTACGTTGCAGGCATTACAAAAAAAAAAAAAAAAAAAATTACGTTGCAGGCATTACGATTACAGATTACAGATTACA\n");
  ASSERT_EQ(alnus({"makedb", "dna.fa", "-o", "soft.alnus", "--alphabet", "dna"}).exit_code, 0);
  ASSERT_EQ(alnus({"makedb", "dna.fa", "-o", "hard.alnus", "--alphabet", "dna", "--mask", "lower"}).exit_code,
            0);
  const auto places = [&](const std::string& queries) {
    return alnus({"search", queries, "genome.fa", "--alphabet", "dna", "--max-differences", "0",
                  "--substitutions-only", "--outfmt", "6 sstart send"});
  };
  const CommandResult plain = places("dna.fa"), soft = places("soft.alnus"), hard = places("hard.alnus");
  EXPECT_EQ(plain.out, "3\t38\n");
  EXPECT_EQ(soft.out, plain.out);
  EXPECT_EQ(hard.out, "3\t38\n41\t76\n");
  const auto warning =
      HasSubstr("warning: More than half of the letters of d are N, which fits every letter");
  EXPECT_THAT(hard.err, warning);
  EXPECT_THAT(hard.err, HasSubstr("If --mask made these N"));
  EXPECT_THAT(plain.err, Not(warning));
  EXPECT_THAT(soft.err, Not(warning));
}

TEST_F(MaskTest, SegOfDnaSaysWhatToDo) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"search", "dna.fa", "dna.fa", "--alphabet", "dna"},
        {"align", "dna.fa", "dna.fa", "--alphabet", "auto"},
        {"makedb", "dna.fa", "-o", "dna.alnus", "--alphabet", "dna"}}) {
    std::vector<std::string> with_mask = arguments;
    with_mask.insert(with_mask.end(), {"--mask", "seg"});
    const CommandResult result = alnus(with_mask);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("--mask seg is for proteins, and dna.fa holds dna: choose --mask dust."));
  }
  EXPECT_FALSE(files().contains("dna.alnus"));
  ASSERT_EQ(alnus({"makedb", "dna.fa", "-o", "dna.alnus", "--alphabet", "dna"}).exit_code, 0);
  EXPECT_THAT(alnus({"search", "dna.fa", "dna.alnus", "--mask", "seg"}).err,
              HasSubstr("dna.alnus holds dna"));
}

TEST_F(MaskTest, DustOfProteinsSaysWhatToDo) {
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus"}).exit_code, 0);
  for (const std::string database : {"db.fa", "db.alnus"}) {
    const CommandResult result = search(database, "dust");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("--mask dust is for dna, and "));
    EXPECT_THAT(result.err, HasSubstr(" is read as proteins: choose --mask seg, or --alphabet dna."));
  }
}

TEST_F(MaskTest, DnaIsTakenForDnaThoughAllOfItIsMasked) {
  EXPECT_THAT(search("db.fa", "seg").err, Not(HasSubstr("looks like dna")));
  const CommandResult result = alnus({"search", "dna.fa", "db.fa", "--mask", "seg"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("dna.fa looks like dna, but db.fa holds proteins."));
}

TEST_F(MaskTest, WordsThatAreNotKnown) {
  EXPECT_THAT(search("db.fa", "low").err, HasSubstr("--mask 'low' is not known; did you mean lower?"));
  EXPECT_THAT(search("db.fa", "non").err, HasSubstr("--mask 'non' is not known; did you mean none?"));
  EXPECT_THAT(search("db.fa", "none,seg").err,
              HasSubstr("none stands alone; choose lower, seg, dust, or two"));
}

}  // namespace
}  // namespace alnus::test
