// WindowFurther gives the alignments of several_alignments_reference() wherever it says that it finds all.
#include "cpu/window_further.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "core/best_scores.h"
#include "cpu/cpu_device.h"
#include "cpu/further_choice.h"
#include "cpu/isa_choice.h"
#include "support/device_check.h"
#include "support/further_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

constexpr ModeAndEnds kWholeQuery{Mode::semiglobal, {false, false, true, true}};

SubstitutionMatrix mismatches() {
  return matrix_of([](int q, int s) { return q == s ? 0 : -1; }, AlphabetKind::dna);
}

class Windows : public testing::TestWithParam<std::string> {
 protected:
  const cpu::KernelSet& kernels = *cpu::candidate_kernels(GetParam(), cpu::supported_kernels()).front();
  cpu::WindowFurther aligner{kernels};
  Random random{11};

  // The lowest score at which no alignment of the query with a gap is wanted.
  static std::int32_t lowest_without_gaps(const Residues& query, const Scoring& scoring) {
    return static_cast<std::int32_t>(BestScores(scoring.matrix).of(query) - scoring.open - scoring.extend +
                                     1);
  }
  void expect_best(const Residues& query, const Residues& subject, const Scoring& scoring,
                   std::int32_t lowest) {
    SCOPED_TRACE(describe(scoring, Detail::alignment) + " from " + std::to_string(lowest) + ": " +
                 decode(query, scoring.matrix.alphabet()) + " " + decode(subject, scoring.matrix.alphabet()));
    ASSERT_TRUE(aligner.finds_all(query, scoring, lowest));
    expect_alignments(aligner, query, subject, scoring, 1 + below(random, 20), lowest);
  }

  // Expects all windows that score at least `lowest`, as a plain loop finds them. The reference would take
  // long to find so many.
  void expect_all(const Residues& query, const Residues& subject, const Scoring& scoring,
                  std::int32_t lowest) {
    SCOPED_TRACE(std::to_string(query.size()) + " residues, from " + std::to_string(lowest));
    ASSERT_TRUE(aligner.finds_all(query, scoring, lowest));
    std::vector<std::pair<std::int32_t, std::int32_t>> expected;  // -score, begin
    for (std::size_t begin = 0; begin + query.size() <= subject.size(); ++begin) {
      std::int32_t score = 0;
      for (std::size_t k = 0; k < query.size(); ++k)
        score += scoring.matrix.value(query[k], subject[begin + k]);
      if (score >= lowest) expected.emplace_back(-score, begin);
    }
    std::ranges::sort(expected);
    aligner.begin(query, subject, scoring, lowest, StopFlag::never());
    for (const auto& [score, begin] : expected) {
      const std::optional<Alignment> found = aligner.next();
      ASSERT_TRUE(found);
      ASSERT_EQ(std::pair(-found->score, found->subject_begin), std::pair(score, begin));
    }
    ASSERT_FALSE(aligner.next());
  }

  // A subject of some kind: random, with copies of the query that differ a little, a repeat, one letter.
  Residues subject_for(const Residues& query, std::size_t length, std::size_t letters) {
    Residues subject = random_sequence(random, length, letters);
    switch (below(random, 4)) {
      case 0:
        return subject;
      case 1:
        for (std::size_t k = 0; k < length; ++k) subject[k] = query[k % query.size()];
        return subject;
      case 2:
        return Residues(length, query.front());
      default:
        for (std::size_t at = 0; at + query.size() <= length; at += 1 + below(random, 2 * query.size()))
          for (std::size_t k = 0; k < query.size(); ++k)
            if (below(random, 6) != 0) subject[at + k] = query[k];
        return subject;
    }
  }
  void expect_all_of_random_pairs(const Scoring& scoring, std::size_t letters) {
    for (int k = 0; k < 8; ++k) {
      const Residues query =
          with_random_case(random, random_sequence(random, 1 + below(random, 24), letters));
      const Residues subject = with_random_case(random, subject_for(query, 1 + below(random, 90), letters));
      const std::int32_t least = lowest_without_gaps(query, scoring);
      for (const std::size_t above : {std::size_t{0}, below(random, 40)})
        ASSERT_NO_FATAL_FAILURE(
            expect_best(query, subject, scoring, least + static_cast<std::int32_t>(above)));
    }
  }
};

TEST_P(Windows, Nucleotides) {
  constexpr std::size_t kKnown = 4, kCodes = 15;  // kCodes: with N and the other ambiguity codes
  for (const std::size_t letters : {std::size_t{2}, kKnown, kCodes}) {
    expect_all_of_random_pairs(scoring_of(kWholeQuery, {0, 4}, mismatches()), letters);
    expect_all_of_random_pairs(scoring_of(kWholeQuery, {20, 1}, mismatches()), letters);
    expect_all_of_random_pairs(scoring_of(kWholeQuery, {30, 30}, "NUC44"), letters);
    // Scores with decimals. N mismatches everything, so that the best score of a query with N is no score of
    // any window.
    expect_all_of_random_pairs(
        scoring_of(kWholeQuery, {400, 60}, SubstitutionMatrix::match_mismatch("1", "-1.25")), letters);
  }
}

TEST_P(Windows, Proteins) {
  for (const Gaps gaps : {Gaps{11, 1}, Gaps{60, 10}, Gaps{300, 100}})
    expect_all_of_random_pairs(scoring_of(kWholeQuery, gaps), 24);
  expect_all_of_random_pairs(scoring_of(kWholeQuery, {140, 20}, "GONNET"), 20);
  // An asymmetric matrix, and letters that score below 0 with every letter.
  const SubstitutionMatrix odd =
      matrix_of([](int q, int s) { return q < 4 ? -1 - (q + s) % 3 : (7 * q + 3 * s) % 11 - 4; });
  expect_all_of_random_pairs(scoring_of(kWholeQuery, {15, 2}, odd), 10);
}

// What windows may lose is just within 8-bit lanes, just beyond them, and just within 16-bit lanes.
TEST_P(Windows, LanesHoldWhatWindowsMayLose) {
  const SubstitutionMatrix steep = matrix_of([](int q, int s) { return q == s ? 0 : s < 10 ? -1 : -32'000; });
  const Residues query = random_sequence(random, 150, 20);
  Residues subject = concatenate({query, Residues(300, 0), query, Residues(127, 0), query});
  for (int k = 0; k < 30; ++k) subject[below(random, subject.size())] = 15;
  const Scoring scoring = scoring_of(kWholeQuery, {32'000, 1'000}, steep);
  for (const int lowest : {0, -1, -126, -127, -128, -255, -32'000, -32'766})
    ASSERT_NO_FATAL_FAILURE(expect_all(query, subject, scoring, lowest));
  EXPECT_FALSE(aligner.finds_all(query, scoring, -32'767));
}

TEST_P(Windows, Lengths) {
  const Scoring scoring = scoring_of(kWholeQuery, {1000, 1000}, mismatches());
  const Residues subject = random_sequence(random, 530, 4);
  for (const std::size_t length : {1, 2, 15, 16, 17, 33, 255, 256, 257, 529, 530, 531}) {
    const Residues query = random_sequence(random, length, 4);
    const auto lowest = -static_cast<std::int32_t>(length);
    ASSERT_NO_FATAL_FAILURE(expect_all(query, subject, scoring, lowest));
    ASSERT_NO_FATAL_FAILURE(expect_alignments(aligner, query, subject, scoring, 3, lowest));
  }
  aligner.begin({}, subject, scoring, kAnyScore, StopFlag::never());
  EXPECT_FALSE(aligner.next());
  aligner.begin(subject, {}, scoring, kAnyScore, StopFlag::never());
  EXPECT_FALSE(aligner.next());
}

// The subject has several blocks. The primer lies across the borders, too.
TEST_P(Windows, LongSubjects) {
  const Scoring scoring = scoring_of(kWholeQuery, {10, 10}, mismatches());
  const Residues primer = random_sequence(random, 20, 4);
  Residues subject = random_sequence(random, 14'000, 4);
  for (const std::size_t at : {0, 4077, 8172, 8191, 8192, 12'290, 13'980}) {
    std::ranges::copy(primer, subject.begin() + static_cast<std::ptrdiff_t>(at));
    subject[at + below(random, 20)] = 0;
  }
  for (const int lowest : {-1, -3, -19})
    ASSERT_NO_FATAL_FAILURE(expect_all(primer, subject, scoring, lowest));
  ASSERT_NO_FATAL_FAILURE(expect_alignments(aligner, primer, subject, scoring, 9, -3));
}

// An alignment with gaps, too, bars every window that aligns two of its pairs of residues.
TEST_P(Windows, WhatIsBarredIsNotFound) {
  const Scoring scoring = scoring_of(kWholeQuery, {40, 5}, mismatches());
  const Residues query = random_sequence(random, 12, 2), subject = random_sequence(random, 60, 2);
  const std::vector<Alignment> all = several_alignments_reference(query, subject, scoring, 49);
  ASSERT_EQ(all.size(), 49U);
  const Alignment first{
      -60, 0,
      12,  7,
      21,  {{CigarOp::insertion, 1}, {CigarOp::mismatch, 5}, {CigarOp::deletion, 3}, {CigarOp::equal, 6}}};
  const auto is_barred = [&](const Alignment& alignment) {
    return alignment == all[4] || alignment == all[20] || alignment.subject_begin == 6 ||
           alignment.subject_begin == 9;
  };
  aligner.begin(query, subject, scoring, -12, StopFlag::never());
  aligner.bar(all[4]);
  aligner.bar(first);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 10) {
      aligner.bar(all[20]);
      aligner.bar(all[3]);
    }
    if (is_barred(all[k])) continue;
    ASSERT_EQ(aligner.next(), all[k]) << k;
  }
  EXPECT_FALSE(aligner.next());
  ASSERT_NO_FATAL_FAILURE(expect_all(query, subject, scoring, -12));  // the next pair begins with none
}

TEST_P(Windows, FindsAllOnlyWhereGapsAreTooExpensive) {
  const Residues query = random_sequence(random, 20, 4);
  const Scoring scoring = scoring_of(kWholeQuery, {2, 1}, mismatches());
  EXPECT_TRUE(aligner.finds_all(query, scoring, -2));
  EXPECT_FALSE(aligner.finds_all(query, scoring, -3));
  EXPECT_FALSE(aligner.finds_all(query, scoring, kAnyScore));
  EXPECT_TRUE(aligner.finds_all(query, scoring, std::numeric_limits<std::int32_t>::max()));
  for (const ModeAndEnds& mode : all_modes())
    EXPECT_EQ(aligner.finds_all(query, scoring_of(mode, {2, 1}, mismatches()), 0),
              mode.mode == kWholeQuery.mode && mode.free_ends == kWholeQuery.free_ends)
        << name_of(mode);
  // If the query has one residue, an alignment with a gap scores no more than one that aligns nothing.
  EXPECT_TRUE(aligner.finds_all(random_sequence(random, 1, 4), scoring, kAnyScore));
  // The best score is that of the query without the letters that score below 0 with every letter.
  const SubstitutionMatrix matrix = matrix_of([](int q, int s) { return q == 0 ? -9 : q == s ? 1 : -1; });
  const Residues some_below(20, 0);
  EXPECT_FALSE(aligner.finds_all(some_below, scoring_of(kWholeQuery, {2, 1}, matrix), -3));
  EXPECT_TRUE(aligner.finds_all(some_below, scoring_of(kWholeQuery, {2, 1}, matrix), -2));
  // Scores may pass 1,000,000,000.
  const SubstitutionMatrix large = matrix_of([](int q, int s) { return q == s ? 32'000 : -32'000; });
  EXPECT_FALSE(aligner.finds_all(Residues(40'000, 1), scoring_of(kWholeQuery, {2, 1}, large),
                                 std::numeric_limits<std::int32_t>::max()));
}

TEST_P(Windows, AreInterrupted) {
  const Residues query = random_sequence(random, 10, 4), subject = random_sequence(random, 400, 4);
  const Scoring scoring = scoring_of(kWholeQuery, {20, 1}, mismatches());
  for (const int before : {0, 1}) {
    StopFlag flag;
    aligner.begin(query, subject, scoring, -10, flag);
    for (int k = 0; k < before; ++k) EXPECT_TRUE(aligner.next());
    flag.request();
    EXPECT_THROW(aligner.next(), Interrupted);
  }
  ASSERT_NO_FATAL_FAILURE(expect_alignments(aligner, query, subject, scoring, 3, -10));
}

// The windows of the only block would take half a minute or longer.
TEST_P(Windows, AreInterruptedWithinABlock) {
  using Clock = std::chrono::steady_clock;
  const Residues query(2'000'000, 0), subject(4'000'000, 0);
  StopFlag flag;
  aligner.begin(query, subject, scoring_of(kWholeQuery, {20, 1}, mismatches()), 0, flag);
  Clock::time_point requested;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    requested = Clock::now();
    flag.request();
  });
  EXPECT_THROW(aligner.next(), Interrupted);
  const Clock::time_point back = Clock::now();
  canceller.join();
  EXPECT_LT(back - requested, std::chrono::seconds(10));
}

// The same pair with lowest scores at which an alignment with a gap is wanted, and at which none is.
TEST_P(Windows, AreChosenOrLeft) {
  cpu::FurtherChoice choice(kernels, {1 << 24, 1 << 24});
  const Residues query = random_sequence(random, 20, 4);
  const Residues head(query.begin(), query.begin() + 10), tail(query.begin() + 10, query.end());
  const Residues subject = concatenate({query, random_sequence(random, 30, 4), head, {0}, tail, query});
  for (const ModeAndEnds& mode : {kWholeQuery, ModeAndEnds{Mode::local}, kWholeQuery})
    for (const int lowest : {-6, -3, -2, 0, 1})
      ASSERT_NO_FATAL_FAILURE(
          expect_alignments(choice, query, subject, scoring_of(mode, {2, 1}, mismatches()), 12, lowest))
          << name_of(mode) << lowest;
}

INSTANTIATE_TEST_SUITE_P(Isas, Windows, testing::ValuesIn(cpu::supported_isas()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace alnus::test
