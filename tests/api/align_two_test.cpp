// Session::align of two sequences that are given as letters.
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/process.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

class ApiAlignTwoScorings : public testing::TestWithParam<NamedScoring> {};

TEST_P(ApiAlignTwoScorings, EqualsTheReferenceForRandomPairs) {
  const Scoring& scoring = GetParam().scoring;
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  Session session(session_options(1));
  Random random(1);
  const int pairs = by_size(20, 300);
  for (int k = 0; k < pairs; ++k) {
    const std::size_t longest = k % 4 == 0 ? 600 : 90;
    const std::size_t letters = alphabet == AlphabetKind::dna ? 4 : 20;
    Residues query = random_sequence(random, below(random, longest + 1), letters),
             subject = k % 2 == 0 ? random_sequence(random, below(random, longest + 1), letters)
                                  : relative(random, query, 6, 8);
    for (Residue& residue : subject) residue = static_cast<Residue>(residue % letters);
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      const Alignment actual =
          session.align(decode(query, alphabet), decode(subject, alphabet), scoring, detail);
      const Alignment expected = align_reference(query, subject, scoring, detail);
      ASSERT_EQ(actual, expected) << describe(actual) << " instead of " << describe(expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ApiAlignTwoScorings, testing::ValuesIn(scorings()),
                         [](const auto& info) { return info.param.name; });

TEST(ApiAlignTwo, WithEverySetOfFreeEnds) {
  Session session(session_options(1));
  Random random(2);
  for (const ModeAndEnds& mode : all_modes()) {
    const Scoring scoring = scoring_of(mode, {5, 1});
    for (int k = 0; k < 6; ++k) {
      const Residues query = random_sequence(random, below(random, 30), 4),
                     subject = random_sequence(random, below(random, 30), 4);
      EXPECT_EQ(session.align(decode(query), decode(subject), scoring),
                align_reference(query, subject, scoring, Detail::alignment))
          << name_of(mode);
    }
  }
}

TEST(ApiAlignTwo, TellsTheAlignmentWhereNothingElseIsAskedFor) {
  Session session(session_options(1));
  const Alignment alignment = session.align("HEAGAWGHEE", "PAWHEAE", default_scoring());
  EXPECT_EQ(alignment,
            align_reference(encode("HEAGAWGHEE"), encode("PAWHEAE"), default_scoring(), Detail::alignment));
  EXPECT_FALSE(alignment.cigar.empty());
}

TEST(ApiAlignTwo, OtherLettersCountAsXOrN) {
  Session session(session_options(1));
  const Scoring protein = default_scoring("global"), dna = default_scoring("global", AlphabetKind::dna);
  const std::string odd = "MK1V\xffL@ A-", as_x = "MKXVXLXXAX";
  for (const char* subject : {"MKVVLLAAAA", "MK", ""}) {
    EXPECT_EQ(session.align(odd, subject, protein), session.align(as_x, subject, protein));
    EXPECT_EQ(session.align(subject, odd, protein), session.align(subject, as_x, protein));
  }
  EXPECT_EQ(session.align("ACGE!T", "ACGTT", dna), session.align("ACGNNT", "ACGTT", dna));
  EXPECT_EQ(session.align("ACGE!T", "ACGTT", dna),
            align_reference(encode("ACGNNT", AlphabetKind::dna), encode("ACGTT", AlphabetKind::dna), dna,
                            Detail::alignment));
}

TEST(ApiAlignTwo, LowerCaseLettersScoreAsUpperCaseOnesAndUojAsCkl) {
  Session session(session_options(1));
  const Scoring scoring = default_scoring();
  EXPECT_EQ(session.align("mkwvtfisll", "MKWVTFISLL", scoring),
            session.align("MKWVTFISLL", "MKWVTFISLL", scoring));
  EXPECT_EQ(session.align("UOJ", "UOJ", scoring).score, session.align("CKL", "CKL", scoring).score);
}

TEST(ApiAlignTwo, StartsNoThreadAndSaysNothing) {
  SessionOptions options = session_options(4);
  int messages = 0;
  options.on_message = [&](const Message&) { ++messages; };
  Session session(options);
  const std::size_t threads = threads_of_process().size();
  for (int k = 0; k < 50; ++k) session.align("MK?VTF" + std::string(300, 'L'), "MKWV1", default_scoring());
  EXPECT_EQ(threads_of_process().size(), threads);
  EXPECT_EQ(messages, 0);
}

TEST(ApiAlignTwo, EightThreadsAtOnceGetWhatOneGets) {
  Session session(session_options());
  struct Case {
    std::string query, subject;
    Alignment expected;
  };
  std::vector<Case> cases;
  Random random(3);
  const Scoring scoring = default_scoring("semiglobal");
  for (int k = 0; k < 30; ++k) {
    const Residues query = random_sequence(random, below(random, 300)),
                   subject = relative(random, query, 5, 9);
    cases.push_back(
        {decode(query), decode(subject), align_reference(query, subject, scoring, Detail::alignment)});
  }
  std::vector<int> wrong(8);
  {
    std::vector<std::jthread> threads;
    for (int& of_thread : wrong)
      threads.emplace_back([&] {
        for (int round = 0; round < by_size(5, 100); ++round)
          for (const Case& c : cases) of_thread += session.align(c.query, c.subject, scoring) != c.expected;
      });
  }
  EXPECT_EQ(wrong, std::vector<int>(8));
}

}  // namespace
}  // namespace alnus::test
