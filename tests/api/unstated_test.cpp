// Sequences in memory whose alphabet nobody has stated.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "session/database_state.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

const std::vector<std::string> kNucleotides = {"ACGTTGCAACGGATCTACGATTACGACTAGCATCAGC", "acgtttgacagACG"},
                               kProteins = {"MKVLAARNDWYHHQE", "WWKRRLLAPPEFG"};

class ApiUnstated : public testing::Test {
 protected:
  // A database with the origin `name`, whose alphabet is not stated.
  static Database unstated(const std::string& name, const std::vector<std::string>& letters,
                           AlphabetKind alphabet = AlphabetKind::protein) {
    SequenceSetBuilder builder(alphabet, name);
    static int sequences = 0;  // no two of these have one id
    for (const std::string& one : letters) builder.add_text("s" + std::to_string(++sequences), one);
    const UnknownLetters unknown = builder.unknown_letters();
    return Database::unstated(builder.finish(), unknown);
  }
  Database file(const std::string& name, const std::vector<std::string>& letters) {
    std::string text;
    for (std::size_t i = 0; i < letters.size(); ++i)
      text += ">s" + std::to_string(i) + "\n" + letters[i] + "\n";
    return session_.open(directory_.write_file(name, text));
  }
  // Returns the text of the error that a search throws, or else the search's messages.
  std::string said(const Database& queries, const Database& subjects) {
    messages_.clear();
    RunControl run;
    run.on_message = [this](const Message& message) { messages_.push_back(message.text()); };
    const Thrown thrown = thrown_by([&] {
      session_.search(queries, subjects, default_scoring("local", queries.alphabet()),
                      {.statistics = no_statistics()}, run);
    });
    return thrown.error ? thrown.text : ::testing::PrintToString(messages_);
  }

  const TempDir directory_;
  Session session_{session_options()};
  std::vector<std::string> messages_;
};

TEST_F(ApiUnstated, IsDoubtedAsAFileIs) {
  const Database dna_file = file("dna.fa", kNucleotides), protein_file = file("proteins.fa", kProteins);
  const std::string of_dna = directory_.file("dna.fa"), of_proteins = directory_.file("proteins.fa");
  const Database dna = unstated(of_dna, kNucleotides), protein = unstated(of_proteins, kProteins);
  EXPECT_THAT(said(dna, dna), HasSubstr("dna.fa looks like dna, and would be aligned as proteins"));
  EXPECT_EQ(said(dna, dna), said(dna_file, dna_file));
  EXPECT_THAT(said(dna, protein), HasSubstr("dna.fa looks like dna, but "));
  EXPECT_EQ(said(dna, protein), said(dna_file, protein_file));
  EXPECT_THAT(said(protein, dna), HasSubstr("dna.fa looks like dna and is aligned as protein"));
  EXPECT_EQ(said(protein, file("dna.fa", kNucleotides)), said(protein, unstated(of_dna, kNucleotides)));
  EXPECT_THAT(messages_, ::testing::SizeIs(1));
  said(protein, dna);
  EXPECT_THAT(messages_, IsEmpty()) << "it was said";
  said(protein, protein);
  EXPECT_THAT(messages_, IsEmpty());
  said(dna.sequences(), dna.sequences());
  EXPECT_THAT(messages_, IsEmpty()) << "a set of sequences is what its alphabet says";
}

TEST_F(ApiUnstated, IsDoubtedByAllPairsToo) {
  EXPECT_THAT(input_error([&] {
                session_.all_pairs(unstated("dna.fa", kNucleotides), default_scoring(), {}, PairSink{});
              }),
              HasSubstr("dna.fa looks like dna"));
}

TEST_F(ApiUnstated, LettersThatAreNoNucleotidesAreAnError) {
  const Database subjects = unstated("subjects", kNucleotides, AlphabetKind::dna);
  const std::string error = said(unstated("queries", kProteins, AlphabetKind::dna), subjects);
  EXPECT_THAT(error, HasSubstr("of the 28 letters of queries are no nucleotides, but subjects holds dna"));
}

TEST_F(ApiUnstated, ATenthOfTheLettersMayBeNoNucleotides) {
  const Database subjects = unstated("subjects", kNucleotides, AlphabetKind::dna);
  EXPECT_THAT(said(unstated("queries", {"EEACGTACGTACGTACGTAC"}, AlphabetKind::dna), subjects),
              ::testing::Not(HasSubstr("are no nucleotides")));
  EXPECT_THAT(said(unstated("queries", {"EEACGTACGTACGTACGTA"}, AlphabetKind::dna), subjects),
              HasSubstr("2 of the 19 letters of queries are no nucleotides"));
}

TEST_F(ApiUnstated, UnknownLettersAreAWarningOfTheFirstCall) {
  const Database odd = unstated("odd", {"MKV1LAARNDWYHHQE", "WW?KR"}), other = unstated("other", {"MKV-"});
  said(odd, other);
  EXPECT_THAT(messages_, ElementsAre(MatchesRegex(
                             R"(2 letters of odd \(first in record 1, 's[0-9]+'\) and 1 letter of other )"
                             R"(\(in record 1, 's[0-9]+'\) outside the protein alphabet, read as X\.)")));
  said(odd, other);
  EXPECT_THAT(messages_, IsEmpty()) << "it was said";
  said(unstated("even", kProteins), unstated("even", kProteins));
  EXPECT_THAT(messages_, IsEmpty());
  const Database twice = unstated("twice", {"MK?"});
  said(twice, twice);
  EXPECT_THAT(
      messages_,
      ElementsAre(MatchesRegex(
          R"(1 letter of twice \(in record 1, 's[0-9]+'\) outside the protein alphabet, read as X\.)")));
}

TEST_F(ApiUnstated, UnknownLettersAreToldOnceOfWhateverIsMadeOfASet) {
  const auto odd = [] { return unstated("odd", {"MKV1LAARNDWYHHQE", "WWKKR"}); };
  const Database even = unstated("even", kProteins);
  const auto masked = [&](const Database& set) { return session_.masked(set, Masking{.seg = true}); };
  const std::vector<std::function<Database(const Database&)>> makers = {
      [](const Database& set) { return set.part(1, 2); },
      [](const Database& set) { return set.part(0, 2).part(0, 1); },
      [](const Database& set) { return set.stated(); },
      [](const Database& set) { return set.in_file_order(); },
      [&](const Database& set) { return even.extended(set); },
      [&](const Database& set) { return masked(set.part(0, 1).stated()); }};
  for (const auto& make : makers) {
    const Database whole = odd(), made = make(whole), sibling = make(whole);
    said(even, made);
    EXPECT_THAT(
        messages_,
        ElementsAre(MatchesRegex(
            R"(1 letter of odd \(in record 1, 's[0-9]+'\) outside the protein alphabet, read as X\.)")));
    said(made, sibling);
    said(whole, whole);
    EXPECT_THAT(messages_, IsEmpty()) << "it was said";
  }
  const Database both = unstated("one", {"M?"}).extended(unstated("other", {"K??"}));
  said(both, both);
  EXPECT_THAT(messages_, ElementsAre(MatchesRegex(
                             R"(1 letter of one \(in record 1, 's[0-9]+'\) and 2 letters of other )"
                             R"(\(in record 1, 's[0-9]+'\) outside the protein alphabet, read as X\.)")));
}

TEST_F(ApiUnstated, PartsAreDoubtedByTheLettersOfTheWhole) {
  const Database subjects = unstated("subjects", kNucleotides, AlphabetKind::dna);
  const Database part = unstated("queries", kProteins, AlphabetKind::dna).part(0, 1);
  EXPECT_THAT(said(part, subjects), HasSubstr("of the 28 letters of queries are no nucleotides"));
}

TEST_F(ApiUnstated, WhatIsStatedIsNotDoubted) {
  const Database opened = file("dna.fa", kNucleotides), memory = unstated("dna", kNucleotides);
  for (const Database& dna : {opened, memory}) {
    EXPECT_FALSE(dna.is_stated());
    const Database stated = dna.stated();
    EXPECT_TRUE(stated.is_stated());
    EXPECT_TRUE(stated.part(0, 1).is_stated());
    EXPECT_EQ(stated.stated().state(), stated.state());
    EXPECT_EQ(stated.digest(), dna.digest());
    EXPECT_EQ(stated.name(), dna.name());
    const auto& prepared = dna.state()->sorted();
    EXPECT_EQ(dna.stated().state()->sorted(), prepared);
    said(stated, stated);
    EXPECT_THAT(messages_, IsEmpty());
  }
  EXPECT_TRUE(Database(opened.sequences()).is_stated());
}

TEST_F(ApiUnstated, TheBuilderCountsTheLettersOfItsRecords) {
  SequenceSetBuilder builder(AlphabetKind::dna);
  EXPECT_EQ(builder.unknown_letters().letters, 0u);
  builder.add_text("a", "ACGTUNRYKMSWBDHVacgt");
  EXPECT_EQ(builder.unknown_letters().letters, 0u);
  builder.add_text("b", "AC-GTE*");
  EXPECT_EQ(builder.unknown_letters().letters, 3u);
  EXPECT_NE(input_error([&] { builder.add_text("c", "EE", "!"); }), "") << "a quality is missing";
  EXPECT_EQ(builder.unknown_letters().letters, 3u);
  builder.add_text("c", "EE");
  EXPECT_EQ(builder.unknown_letters().letters, 5u);
  EXPECT_EQ(builder.unknown_letters().records, 2u);
  EXPECT_EQ(builder.unknown_letters().first, 1u);
  EXPECT_EQ(builder.finish().size(), 3u);
  EXPECT_EQ(builder.unknown_letters().letters, 0u) << "it is empty again";
}

TEST_F(ApiUnstated, GuessesAreThoseOfFiles) {
  const auto guess = [](const std::vector<std::string>& letters) {
    const std::vector<std::string_view> views(letters.begin(), letters.end());
    return guess_alphabet(views);
  };
  const std::vector<std::vector<std::string>> cases = {
      kNucleotides,
      kProteins,
      {std::string(90, 'A'), std::string(10, 'W')},
      {std::string(89, 'A'), std::string(11, 'W')},
      {std::string(100, 'N')},
      {std::string(90, 'u') + std::string(10, 'r')},
      {std::string(90, 'C') + std::string(100, '-') + std::string(10, '.') + std::string(9, 'E')},
      {std::string(90, 'C') + std::string(11, '?')},
      {std::string(600'000, 'C'), std::string(600'000, 'W')},
      {std::string(400'000, 'C'), std::string(400'000, 'W')},
      {"", "", "ACG"},
      {"", ""}};
  for (const std::vector<std::string>& letters : cases) {
    std::string text;
    for (const std::string& one : letters) text += ">s\n" + one + "\n";
    const std::string path = directory_.write_file("guess.fa", text);
    EXPECT_EQ(guess(letters), session_.open(path, {.alphabet = AlphabetChoice::automatic}).alphabet())
        << letters.front().substr(0, 20);
  }
  EXPECT_EQ(guess(kNucleotides), AlphabetKind::dna);
  EXPECT_EQ(guess({std::string(89, 'A'), std::string(11, 'W')}), AlphabetKind::protein);
  EXPECT_EQ(guess({}), AlphabetKind::protein);
}

}  // namespace
}  // namespace alnus::test
