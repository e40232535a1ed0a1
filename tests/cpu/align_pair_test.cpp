// Device::align_pair(), the short path for one pair, gives the results of align_reference.
#include <gtest/gtest.h>
#include <string>

#include "alnus/error.h"
#include "cpu/cpu_device.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

std::optional<Alignment> align(Device& device, const Residues& query, const Residues& subject,
                               const Scoring& scoring, Detail detail) {
  return device.align_pair(query, subject, scoring, detail, StopFlag::never());
}

void expect_reference(Device& device, const Residues& query, const Residues& subject,
                      const Scoring& scoring) {
  const Alignment expected = align_reference(query, subject, scoring, Detail::alignment);
  for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment})
    ASSERT_EQ(align(device, query, subject, scoring, detail), at_detail(expected, detail))
        << describe(scoring, detail) << ", " << query.size() << " and " << subject.size() << " residues";
}

class AlignPair : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Device> device = cpu::make_cpu_device({.isa = GetParam()});
  Random random{11};
};

TEST_P(AlignPair, ShortPairsInAllModes) {
  constexpr Gaps kGaps[] = {{11, 1}, {0, 2}, {5, 0}, {200, 30}};
  for (const ModeAndEnds& mode : all_modes()) {
    for (const Gaps gaps : kGaps) {
      const Scoring scoring = scoring_of(mode, gaps);
      for (int k = 0; k < 6; ++k) {
        const Residues query = with_random_case(random, random_sequence(random, below(random, 130)));
        const Residues subject =
            k % 2 ? relative(random, query, 8, 12) : random_sequence(random, below(random, 130));
        ASSERT_NO_FATAL_FAILURE(expect_reference(*device, query, subject, scoring));
      }
    }
  }
}

TEST_P(AlignPair, LengthsUpTo2000) {
  for (const ModeAndEnds& mode : main_modes()) {
    const Scoring scoring = scoring_of(mode, {11, 1});
    for (int k = 0; k < 4; ++k) {
      const Residues query = random_sequence(random, below(random, 2001));
      const Residues subject =
          k % 2 ? relative(random, query, 10, 30) : random_sequence(random, below(random, 2001));
      ASSERT_NO_FATAL_FAILURE(expect_reference(*device, query, subject, scoring));
    }
  }
}

// A worker keeps the tables of the previous scoring, and must not use them for another one.
TEST_P(AlignPair, ScoringsThatAlternate) {
  const Residues query = random_sequence(random, 80), subject = relative(random, query, 6, 8);
  const SubstitutionMatrix steep = matrix_of([](int q, int s) { return q == s ? 3000 : -2000; });
  for (int round = 0; round < 2; ++round) {
    for (const ModeAndEnds& mode : main_modes()) {
      expect_reference(*device, query, subject, scoring_of(mode, {11, 1}));
      expect_reference(*device, query, subject, scoring_of(mode, {11, 2}));
      expect_reference(*device, query, subject, scoring_of(mode, {11, 1}, "PAM30"));
      expect_reference(*device, query, subject, scoring_of(mode, {4000, 500}, steep));  // needs 32-bit lanes
    }
  }
}

TEST_P(AlignPair, InLittleMemory) {
  const auto small = cpu::make_cpu_device({.isa = GetParam(), .memory_bytes = 1 << 17});
  const Residues query = random_sequence(random, 3000), subject = relative(random, query, 10, 30);
  for (const ModeAndEnds& mode : main_modes()) {
    const Scoring scoring = scoring_of(mode, {11, 1});
    EXPECT_EQ(align(*small, query, subject, scoring, Detail::alignment),
              align(*device, query, subject, scoring, Detail::alignment));
  }
}

TEST_P(AlignPair, IsInterrupted) {
  StopFlag stop_flag;
  stop_flag.request();
  const Residues sequence = random_sequence(random, 500);
  for (const ModeAndEnds& mode : main_modes()) {
    const Scoring scoring = scoring_of(mode, {11, 1});
    EXPECT_THROW(device->align_pair(sequence, sequence, scoring, Detail::alignment, stop_flag), Interrupted);
    expect_reference(*device, sequence, sequence, scoring);
  }
}

TEST_P(AlignPair, ScoresThatMayBeTooLargeAreAnError) {
  const SubstitutionMatrix large = matrix_of([](int q, int s) { return q == s ? 30'000 : -30'000; });
  const Residues sequence = random_sequence(random, 80'000);
  EXPECT_THROW(align(*device, sequence, sequence, scoring_of({Mode::local}, {11, 1}, large), Detail::score),
               Error);
  EXPECT_THROW(align(*device, sequence, {}, scoring_of({Mode::global}, {11, 30'000}), Detail::score), Error);
}

INSTANTIATE_TEST_SUITE_P(Isas, AlignPair, testing::ValuesIn(cpu::supported_isas()),
                         [](const auto& info) { return info.param; });

TEST(AlignPairMethods, AllHaveTheShortPath) {
  const Residues sequence = encode("ACDEFGHIKL");
  for (const std::string& method : cpu::methods()) {
    SCOPED_TRACE(method);
    const auto device = cpu::make_cpu_device({.method = method});
    expect_reference(*device, sequence, sequence, make_scoring({}));
  }
}

}  // namespace
}  // namespace alnus::test
