// The note that a pair has one alignment, for queries that may fit a subject at several places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "api/support/inputs.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kDna = AlphabetKind::dna;
constexpr auto kProtein = AlphabetKind::protein;

class ApiOnePlace : public testing::Test {
 protected:
  static Database random(AlphabetKind alphabet, std::uint32_t count, std::size_t shortest,
                         std::size_t longest) {
    return random_set({.seed = static_cast<unsigned>(longest),
                       .count = count,
                       .shortest = shortest,
                       .longest = longest,
                       .alphabet = alphabet});
  }
  RunControl run() {
    messages_.clear();
    RunControl control;
    control.on_message = [this](const Message& message) { messages_.push_back(message.text()); };
    return control;
  }
  std::vector<std::string> said_by_search(const Database& queries, const Database& subjects,
                                          const std::string& mode = "local") {
    session_.search(queries, subjects, default_scoring(mode, queries.alphabet()),
                    {.detail = Detail::score, .statistics = no_statistics()}, run());
    return messages_;
  }

  Session session_{session_options()};
  std::vector<std::string> messages_;
};

TEST_F(ApiOnePlace, PrimersInAGenomeAndPeptidesInProteins) {
  const auto note = AllOf(HasSubstr("Each pair has one alignment"), HasSubstr("larger max_hsps"));
  const Database primers = random(kDna, 5, 20, 20), genome = random(kDna, 1, 20000, 20000);
  EXPECT_THAT(said_by_search(primers, genome),
              ElementsAre(AllOf(note, HasSubstr("5 sequences of"), HasSubstr("20 letters or shorter"),
                                HasSubstr("about 20,000 letters"))));
  EXPECT_THAT(said_by_search(random(kDna, 3, 18, 22), genome), IsEmpty()) << "told once for these subjects";
  const Database again(genome.sequences());
  EXPECT_THAT(said_by_search(primers, again, "semiglobal"), ElementsAre(note));
  EXPECT_THAT(said_by_search(random(kProtein, 4, 9, 9), random(kProtein, 50, 300, 400)), ElementsAre(note));
  const Database contigs =
      joined(random(kDna, 1, 20000, 20000).sequences(), random(kDna, 40, 100, 200).sequences());
  EXPECT_THAT(said_by_search(primers, contigs), ElementsAre(note)) << "a genome among small contigs";
}

TEST_F(ApiOnePlace, PrimersAsSubjectsOfAGenome) {
  const Database genome = random(kDna, 1, 20000, 20000);
  EXPECT_THAT(said_by_search(genome, random(kDna, 5, 20, 20)),
              ElementsAre(AllOf(HasSubstr("where a subject fits a query at several places"),
                                HasSubstr("5 sequences of"), HasSubstr("20 letters or shorter"),
                                HasSubstr("about 20,000 letters"), HasSubstr("larger max_hsps"))));
  EXPECT_THAT(said_by_search(genome, random(kDna, 5, 20, 20), "global"), IsEmpty());
  EXPECT_THAT(said_by_search(random(kProtein, 1, 9000, 9000), random(kProtein, 50, 30, 40)), IsEmpty())
      << "a long protein and small ones";
}

TEST_F(ApiOnePlace, NotWhereAQueryIsAsLongAsASubject) {
  EXPECT_THAT(said_by_search(random(kProtein, 5, 100, 500), random(kProtein, 40, 30, 2000)), IsEmpty());
  EXPECT_THAT(said_by_search(random(kProtein, 5, 30, 60), random(kProtein, 40, 200, 700)), IsEmpty())
      << "domains";
  EXPECT_THAT(said_by_search(random(kDna, 10, 100, 150), random(kDna, 40, 300, 6000)), IsEmpty())
      << "reads and transcripts";
  EXPECT_THAT(said_by_search(random(kDna, 5, 20, 20), random(kDna, 1, 20000, 20000), "global"), IsEmpty())
      << "from end to end";
  const Database mixed = joined(random(kDna, 4, 3000, 3000).sequences(), random(kDna, 3, 20, 20).sequences());
  EXPECT_THAT(said_by_search(mixed, random(kDna, 1, 20000, 20000)), IsEmpty()) << "few of the queries";
  EXPECT_THAT(said_by_search(set_of({"", ""}, kDna), random(kDna, 1, 20000, 20000)), IsEmpty());
}

// At least half of the sequences with residues are 20 times (dna: 50 times) shorter than the others are on
// average.
TEST_F(ApiOnePlace, UpToTheFactorAndFromHalfOfTheQueriesOn) {
  struct Lengths {
    AlphabetKind alphabet;
    std::vector<std::size_t> queries, subjects;
    const char* said;  // "" if nothing is
  };
  const auto of_lengths = [](const std::vector<std::size_t>& lengths, AlphabetKind alphabet) {
    Random random(7);
    std::vector<Residues> sequences;
    for (const std::size_t length : lengths) sequences.push_back(random_sequence(random, length, 4));
    return make_set(sequences, alphabet);
  };
  const std::vector<Lengths> cases = {{kProtein, {10}, {200}, "1 sequence of "},
                                      {kProtein, {11}, {200}, ""},
                                      {kProtein, {10, 11}, {200}, "1 sequence of "},
                                      {kProtein, {9, 10, 11}, {200}, "2 sequences of "},
                                      {kProtein, {10, 11, 11}, {200}, ""},
                                      {kProtein, {0, 10, 0, 0}, {200}, "1 sequence of "},
                                      {kProtein, {0, 0}, {200}, ""},
                                      {kProtein, {12}, {100, 300, 0}, "about 250 letters"},
                                      {kProtein, {13}, {100, 300, 0}, ""},
                                      {kDna, {20}, {1000}, "is 20 letters or shorter"},
                                      {kDna, {21}, {1000}, ""}};
  for (const Lengths& one : cases) {
    SCOPED_TRACE(::testing::PrintToString(one.queries) + " in " + ::testing::PrintToString(one.subjects));
    said_by_search(of_lengths(one.queries, one.alphabet), of_lengths(one.subjects, one.alphabet));
    if (*one.said == '\0')
      EXPECT_THAT(messages_, ::testing::Not(::testing::Contains(HasSubstr("Each pair has one alignment"))));
    else
      EXPECT_THAT(messages_,
                  ::testing::Contains(AllOf(HasSubstr("Each pair has one alignment"), HasSubstr(one.said))));
  }
}

// Both ends of the long sequence must be free for the short one to lie anywhere in it.
TEST_F(ApiOnePlace, WhereBothEndsOfTheLongSequenceAreFree) {
  const SequenceSet primers = random(kDna, 3, 20, 20).sequences(),
                    genome = random(kDna, 1, 2000, 2000).sequences();
  for (int ends = 0; ends < 16; ++ends) {
    SCOPED_TRACE(ends);
    Scoring scoring = default_scoring("semiglobal", kDna);
    const bool query_begin = (ends & 1) != 0, query_end = (ends & 2) != 0, subject_begin = (ends & 4) != 0,
               subject_end = (ends & 8) != 0;
    scoring.free_ends = {query_begin, query_end, subject_begin, subject_end};
    if (ends == 0) scoring.mode = Mode::global;
    const auto notes = [&](const SequenceSet& queries, const SequenceSet& subjects) {
      session_.search(Database(queries), Database(subjects), scoring,
                      {.detail = Detail::score, .statistics = no_statistics()}, run());
      return messages_.size();
    };
    EXPECT_EQ(notes(primers, genome), subject_begin && subject_end ? 1u : 0u);
    EXPECT_EQ(notes(genome, primers), query_begin && query_end ? 1u : 0u);
  }
}

TEST_F(ApiOnePlace, EveryCallThatListsPairs) {
  const auto note = ElementsAre(HasSubstr("Each pair has one alignment"));
  const Database primers = random(kDna, 3, 20, 20);
  const SequenceSet genome = random(kDna, 1, 20000, 20000).sequences();
  const Scoring scoring = default_scoring("local", kDna);
  const std::vector<IndexPair> pairs = {{0, 0}, {1, 0}};
  const AlignOptions options{.detail = Detail::score};
  session_.align(primers, Database(genome), pairs, scoring, options, run());
  EXPECT_THAT(messages_, note);
  session_.align_all(
      primers, Database(genome), scoring, options, [](const auto&...) {}, run());
  EXPECT_THAT(messages_, note);
  session_.all_pairs(primers, Database(genome), scoring, {}, {.rows = [](const auto&...) {}}, run());
  EXPECT_THAT(messages_, note);
  AllPairsOptions of_values;
  of_values.value = MatrixValue{PairValue::score};
  session_.all_pairs(primers, Database(genome), scoring, of_values, {.values = [](const auto&...) {}}, run());
  EXPECT_THAT(messages_, IsEmpty()) << "a matrix has one value of a pair, and lists no places";
}

}  // namespace
}  // namespace alnus::test
