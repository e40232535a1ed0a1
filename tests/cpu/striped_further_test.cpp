// StripedFurther gives the alignments of several_alignments_reference(): the same scores, ends and CIGARs.
#include "cpu/striped_further.h"

#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "alnus/error.h"
#include "cpu/cpu_device.h"
#include "cpu/isa_choice.h"
#include "support/device_check.h"
#include "support/further_check.h"
#include "support/sequences.h"
#include "support/sizes.h"

namespace alnus::test {
namespace {

constexpr cpu::MemoryLimits kLarge{1 << 24, 1 << 24}, kSmall{1 << 9, 1 << 11};

// Both ends of the subject are free, and each set of the query's ends.
std::vector<ModeAndEnds> modes() {
  std::vector<ModeAndEnds> modes{{Mode::local}};
  for (const bool begin : {false, true})
    for (const bool end : {false, true}) modes.push_back({Mode::semiglobal, {begin, end, true, true}});
  return modes;
}

class Further : public testing::TestWithParam<std::string> {
 protected:
  const cpu::KernelSet& kernels = *cpu::candidate_kernels(GetParam(), cpu::supported_kernels()).front();
  Random random{7};

  Residues odd_sequence(std::size_t length) {
    switch (below(random, 6)) {
      case 0:
        return repeat("A", length);
      case 1:
        return repeat("ACDEFGH", length);
      case 2: {  // a palindrome
        Residues half = random_sequence(random, length / 2 + 1), all = half;
        all.insert(all.end(), half.rbegin(), half.rend());
        return all;
      }
      case 3:
        return random_sequence(random, length, 2);
      case 4: {  // copies that differ a little
        const Residues unit = random_sequence(random, length / 4 + 1);
        return concatenate({relative(random, unit, 12, 3), unit, relative(random, unit, 8, 5), unit});
      }
      default:
        return with_random_case(random, random_sequence(random, length));
    }
  }
};

TEST_P(Further, OddPairs) {
  constexpr Gaps kGaps[] = {{11, 1}, {0, 2}, {5, 0}, {0, 0}, {200, 30}};
  const int pairs = by_size(3, 60), most = by_size(12, 49);
  for (const cpu::MemoryLimits& limits : {kLarge, kSmall}) {
    cpu::StripedFurther aligner(kernels, limits);
    for (const ModeAndEnds& mode : modes()) {
      for (const Gaps gaps : kGaps) {
        for (int k = 0; k < pairs; ++k) {
          // GONNET has decimals.
          const Scoring scoring = scoring_of(mode, gaps, k % 3 == 2 ? "GONNET" : "BLOSUM62");
          const Residues query = odd_sequence(1 + below(random, 70)),
                         subject = below(random, 3) ? odd_sequence(1 + below(random, 150)) : query;
          SCOPED_TRACE(describe(scoring, Detail::alignment) + " " + decode(query) + " " + decode(subject));
          ASSERT_NO_FATAL_FAILURE(expect_alignments(
              aligner, query, subject, scoring, 2 + below(random, static_cast<std::size_t>(most)),
              below(random, 2) ? kAnyScore : static_cast<std::int32_t>(below(random, 30))));
        }
      }
    }
  }
}

TEST_P(Further, ScoresThatNeed32BitLanes) {
  cpu::StripedFurther aligner(kernels, kLarge);
  const SubstitutionMatrix steep = matrix_of([](int q, int s) { return q == s ? 3000 : -2000; });
  const Residues unit = random_sequence(random, 40), other = relative(random, unit, 8, 4);
  for (const ModeAndEnds& mode : modes())
    ASSERT_NO_FATAL_FAILURE(expect_alignments(aligner, concatenate({unit, other}),
                                              concatenate({other, unit, unit}),
                                              scoring_of(mode, {4000, 500}, steep), 8));
}

// The subject has many blocks. A primer with its places, and a repeat.
TEST_P(Further, LongSubjects) {
  cpu::StripedFurther aligner(kernels, kLarge);
  Residues subject = random_sequence(random, 3000);
  const Residues primer = random_sequence(random, 20);
  for (std::size_t place = 100; place < 2900; place += 70 + below(random, 60))
    std::ranges::copy(primer, subject.begin() + static_cast<std::ptrdiff_t>(place));
  for (const ModeAndEnds& mode : modes())
    ASSERT_NO_FATAL_FAILURE(expect_alignments(aligner, primer, subject, scoring_of(mode, {11, 1}), 40, 60));
}

// What is barred before the first alignment, and twice, is barred as what next() returned.
TEST_P(Further, WhatIsBarredIsNotFound) {
  cpu::StripedFurther aligner(kernels, kLarge);
  const Residues unit = random_sequence(random, 30),
                 query = concatenate({unit, relative(random, unit, 10, 3), unit}),
                 subject = concatenate({unit, unit, relative(random, unit, 10, 3)});
  for (const ModeAndEnds& mode : modes()) {
    const Scoring scoring = scoring_of(mode, {11, 1});
    const std::vector<Alignment> all = several_alignments_reference(query, subject, scoring, 6);
    ASSERT_EQ(all.size(), 6U);
    aligner.begin(query, subject, scoring, kAnyScore, StopFlag::never());
    aligner.bar(all[1]);
    aligner.bar(all[0]);
    aligner.bar(all[0]);
    for (std::size_t k = 2; k < all.size(); ++k) ASSERT_EQ(aligner.next(), all[k]) << k;
  }
}

TEST_P(Further, NoAlignmentScoresAsMuch) {
  cpu::StripedFurther aligner(kernels, kLarge);
  const Residues sequence = random_sequence(random, 50);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  const std::int32_t best = align_reference(sequence, sequence, scoring, Detail::score).score;
  for (const std::int32_t lowest : {best + 1, 40'000, std::numeric_limits<std::int32_t>::max()}) {
    aligner.begin(sequence, sequence, scoring, lowest, StopFlag::never());
    EXPECT_FALSE(aligner.next());
  }
  aligner.begin(sequence, sequence, scoring, best, StopFlag::never());
  EXPECT_EQ(aligner.next()->score, best);
  EXPECT_FALSE(aligner.next());
  EXPECT_FALSE(aligner.next());
  aligner.begin({}, sequence, scoring, kAnyScore, StopFlag::never());
  EXPECT_FALSE(aligner.next());
}

TEST_P(Further, IsInterrupted) {
  cpu::StripedFurther aligner(kernels, kLarge);
  StopFlag stop_flag;
  const Residues sequence = random_sequence(random, 500);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  aligner.begin(sequence, sequence, scoring, kAnyScore, stop_flag);
  EXPECT_TRUE(aligner.next());
  stop_flag.request();
  EXPECT_THROW(aligner.next(), Interrupted);
  ASSERT_NO_FATAL_FAILURE(expect_alignments(aligner, sequence, sequence, scoring, 3));
}

TEST_P(Further, ScoresThatMayBeTooLargeAreAnError) {
  cpu::StripedFurther aligner(kernels, kLarge);
  const SubstitutionMatrix large = matrix_of([](int q, int s) { return q == s ? 30'000 : -30'000; });
  const Residues sequence = random_sequence(random, 80'000);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1}, large);
  EXPECT_THROW(aligner.begin(sequence, sequence, scoring, 1, StopFlag::never()), Error);
}

INSTANTIATE_TEST_SUITE_P(Isas, Further, testing::ValuesIn(cpu::supported_isas()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace alnus::test
