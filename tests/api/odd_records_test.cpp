// Warnings that name the records that a user may not have meant as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kGene = "ATGTACATAGGTCGGTTTCTGGTTTTTGGTAAGACGGAAGAGGGTTATCCTTTTGTGACATATCGGGTCTCTTCCAGAAGT";
const std::string kProtein = "MYIGRFLVFGKTEEGYPFVTYRVSSRSFPNRLAKVMDDDTVSILPKELEEMFKNPYITYNCVKLVGDVAVATNG";

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

class ApiOddRecords : public testing::Test {
 protected:
  RunControl run() {
    messages_.clear();
    RunControl control;
    control.on_message = [this](const Message& message) { messages_.push_back(message.text()); };
    return control;
  }
  std::vector<std::string> said_of(const std::string& text,
                                   AlphabetChoice alphabet = AlphabetChoice::unstated) {
    session_.open_text(text, "set.fa", {.alphabet = alphabet}, run());
    return messages_;
  }

  Session session_{session_options()};
  std::vector<std::string> messages_;
};

TEST_F(ApiOddRecords, AGeneAmongProteinsIsNamed) {
  std::string ambiguous = kGene;
  for (std::size_t k = 0; k < ambiguous.size(); k += 8) ambiguous[k] = "RYKMSW"[k / 8 % 6];
  const std::string proteins = ">p1\n" + repeat(kProtein, 9) + "\n>p2\n" + kProtein + "\n";
  for (const std::string& gene : {kGene, ambiguous, repeat("N", 30) + kGene}) {
    const auto warning = AllOf(HasSubstr("1 record of set.fa (record 3, 'g')"), HasSubstr("looks like dna"));
    EXPECT_THAT(said_of(proteins + ">g\n" + gene + "\n"), ElementsAre(warning));
    EXPECT_THAT(said_of(proteins + ">g\n" + gene + "\n", AlphabetChoice::automatic), ElementsAre(warning));
  }
  EXPECT_THAT(said_of(proteins + ">g\n" + kGene + "\n>h x\n" + kGene + "\n"),
              ElementsAre(HasSubstr("2 records of set.fa (the first is record 3, 'g') look like dna")));
  EXPECT_THAT(said_of(proteins + ">g\n" + kGene + "\n", AlphabetChoice::protein), IsEmpty()) << "stated";
}

TEST_F(ApiOddRecords, ProteinsOfFewKindsOfLettersAreNoGenes) {
  const std::vector<std::string> proteins = {repeat("GAGAGS", 20),
                                             repeat("AAT", 30),
                                             repeat("GGAGQGGYGGLGSQGAGRGGLGGQGAGA", 4),
                                             repeat("DTASDAAAAAALTAANAKAAAELTAANAAAAAAAT", 3),
                                             repeat("CCGSGCGCGYGSGSGCGCGYGTGYGC", 4),
                                             repeat("N", 80),
                                             repeat("TACG", 5)};
  std::string text = ">p\n" + repeat(kProtein, 20) + "\n";
  for (const std::string& protein : proteins) text += ">r" + protein.substr(0, 4) + "\n" + protein + "\n";
  EXPECT_THAT(said_of(text), IsEmpty());
}

TEST_F(ApiOddRecords, AProteinInDnaIsNamed) {
  EXPECT_THAT(said_of(">d\n" + repeat(kGene, 9) + "\n>P1\n" + kProtein + "\n", AlphabetChoice::dna),
              ElementsAre(AllOf(HasSubstr("letters of set.fa (in record 2, 'P1')"), HasSubstr("read as N")),
                          AllOf(HasSubstr("1 record of set.fa (record 2, 'P1')"),
                                HasSubstr("looks like a protein"))));
  EXPECT_THAT(said_of(">d\n" + repeat(kGene, 9) + "\n>x\n" + repeat("X", 30) + "ACGT\n", AlphabetChoice::dna),
              ElementsAre(HasSubstr("read as N")))
      << "masked by X";
}

TEST_F(ApiOddRecords, DigitsBesideLettersAreNamed) {
  EXPECT_THAT(said_of(">p\n1 MKV 4 LAA\n61\n>q x\nMKV1L0G\n"),
              ElementsAre(AllOf(HasSubstr("1 record of set.fa (record 2, 'q') has digits beside letters"),
                                HasSubstr("lost it"))));
  EXPECT_THAT(said_of(">p\nMKV\nseq2\nMKV\n>q\nMKV4\n>r\nMKV\n"),
              ElementsAre(HasSubstr("2 records of set.fa (the first is record 1, 'p') have digits")));
}

TEST_F(ApiOddRecords, LinesOfTextAreNamed) {
  const auto warning = AllOf(HasSubstr("1 record of set.fa (record 1, 'p') has a line of words of different"),
                             HasSubstr("lost its '>'"));
  const std::string block = "MKVLAHEAGA";
  for (const std::string line : {"from Rickettsia massiliae", "my protein B", "Best wishes\nAnna", "a bb a"})
    for (const std::string end : {"\n", "\r\n", ""})
      EXPECT_THAT(said_of(">p\n" + kProtein + "\n" + line + end), ElementsAre(warning)) << line;
  for (const std::string& line :
       std::vector<std::string>{block + " " + block + " MKV", "1 " + block + " " + block + " 20\n21 MKV 23",
                                "ACG ACG AC", block + " " + block + "  ", " " + block})
    EXPECT_THAT(said_of(">p\n" + kProtein + "\n" + line + "\n"), IsEmpty()) << line;
  EXPECT_THAT(said_of(">p\n" + block + "-- " + block + "MK " + block + "\n"),
              ElementsAre(HasSubstr("gap letters")))
      << "gaps count";
}

TEST_F(ApiOddRecords, ThreeLetterCodeIsNamed) {
  const std::string code = "MetLysValLeuALAHISGLUALAGLYTRP";
  const auto warning = AllOf(HasSubstr("1 record of set.fa (record 2, 'q')"), HasSubstr("three-letter code"));
  const std::string protein = ">p\n" + kProtein + "\n>q\n";
  EXPECT_THAT(said_of(protein + code + "\n"), ElementsAre(warning));
  EXPECT_THAT(said_of(protein + "Met Lys Val Leu Ala\nHis Glu Ala Gly Xaa Ter\n"), ElementsAre(warning));
  for (const std::string& other :
       {code.substr(3), code + "A", code + "MKV", repeat("ALA", 20), repeat("ALASER", 8)})
    EXPECT_THAT(said_of(protein + other + "\n"), IsEmpty()) << other;
}

TEST_F(ApiOddRecords, HeadersThatAreNotUtf8AreNamed) {
  EXPECT_THAT(
      said_of(">M\xc3\xbcller\nMKV\n>a M\xfcller\nMKV\n"),
      ElementsAre(AllOf(HasSubstr("1 record of set.fa (record 2, 'a') has a header that is not UTF-8"),
                        HasSubstr("iconv -f latin1 -t utf-8"))));
}

TEST_F(ApiOddRecords, RepeatedIdsAndRecordsWithoutASequenceAreNamed) {
  EXPECT_THAT(said_of(">a\nMKV\n>b\nMKW\n>a again\nMKL\n>\nMK\n>\nMR\n>e\n>e\n"),
              ElementsAre(HasSubstr("2 records of set.fa (the first is record 6, 'e') without a sequence"),
                          HasSubstr("2 records of set.fa (the first is record 4) without a name"),
                          HasSubstr("2 records of set.fa (the first is record 3, 'a') have the ids")));
}

TEST_F(ApiOddRecords, DatabasesAreWarnedOfWhenTheyAreMade) {
  const TempDir directory;
  const std::string first = directory.write_file("a.fa", ">a\n" + kProtein + kProtein + "\n");
  const std::string second =
      directory.write_file("b.fa", ">p\n" + kProtein + "\n>a\nMKW\n>g\n" + kGene + "\n");
  session_.make_database({first, second}, directory.file("set.alnus"), {}, run());
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("b.fa (record 3, 'g') looks like dna"),
                                     HasSubstr("b.fa (record 2, 'a') has the id of an earlier record")));
}

TEST_F(ApiOddRecords, ThreeLetterCodeInMemoryIsNamed) {
  SequenceSetBuilder builder(AlphabetKind::protein, "given");
  builder.add_text("p", kProtein);
  builder.add_text("q", "MetLysValLeuAlaHisGluAlaGlyTrp");
  const Database set = Database::unstated(builder.finish());
  session_.search(set, set, default_scoring(), {.detail = Detail::score, .statistics = no_statistics()},
                  run());
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("given (record 2, 'q')"), HasSubstr("three-letter"))));
}

TEST_F(ApiOddRecords, SetsInMemoryAreWarnedOfOnce) {
  SequenceSetBuilder builder(AlphabetKind::protein, "given");
  for (const auto& [id, letters] : {std::pair{"p", repeat(kProtein, 9)}, {"g", kGene}, {"p", kProtein}})
    builder.add_text(id, letters);
  const Database set = Database::unstated(builder.finish());
  const SearchOptions options{.detail = Detail::score, .statistics = no_statistics()};
  session_.search(set, set, default_scoring(), options, run());
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("1 record of given (record 2, 'g') looks like dna"),
                                     HasSubstr("1 record of given (record 3, 'p') has the id")));
  session_.search(set, set, default_scoring(), options, run());
  EXPECT_THAT(messages_, IsEmpty());
}

TEST_F(ApiOddRecords, EmptyAndRepeatedRecordsInMemoryAreToldOfWhetherTheAlphabetIsStatedOrNot) {
  for (const bool stated : {false, true}) {
    SequenceSetBuilder builder(AlphabetKind::protein, "given");
    for (const auto& [id, letters] : {std::pair{"p", kProtein}, {"p", std::string()}, {"q", std::string()}})
      builder.add_text(id, letters);
    const Database made = Database::unstated(builder.finish()), set = stated ? made.stated() : made;
    messages_.clear();
    session_.all_pairs(set, default_scoring(), {.detail = Detail::score}, PairSink{}, run());
    EXPECT_THAT(messages_,
                ElementsAre(HasSubstr("2 records of given (the first is record 2, 'p') without a sequence"),
                            HasSubstr("1 record of given (record 2, 'p') has the id of an earlier record")));
  }
}

}  // namespace
}  // namespace alnus::test
