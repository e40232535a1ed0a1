#include "core/second_objective.h"

#include <gtest/gtest.h>

#include "support/device_check.h"

namespace alnus {
namespace {

using namespace test;

BothObjectives best(std::string_view query, std::string_view subject, const ModeAndEnds& mode,
                    const SecondObjective& second) {
  const SubstitutionMatrix matrix = matrix_of([](int q, int s) { return q == s ? 1 : -2; });
  return best_of_both(encode(query), encode(subject), scoring_of(mode, {0, 1}, matrix), second);
}

TEST(SecondObjective, ChoosesAmongAlignmentsOfTheBestScore) {
  // AG over CG and A-G over -CG have the best score, -1.
  const auto of = [](const SecondObjective& second) { return best("AG", "CG", {Mode::global}, second); };
  EXPECT_EQ(of({0, 1, 0}), (BothObjectives{-1, 1}));
  EXPECT_EQ(of({0, 0, 1}), (BothObjectives{-1, 2}));
  EXPECT_EQ(of({-5, 0, 0}), (BothObjectives{-1, -5}));
}

TEST(SecondObjective, UnalignedEndsAddNothing) {
  const SecondObjective gaps{0, 0, 1};
  EXPECT_EQ(best("AAG", "G", {Mode::global}, gaps), (BothObjectives{-1, 2}));
  EXPECT_EQ(best("AAG", "G", {Mode::semiglobal, FreeEnds::all()}, gaps), (BothObjectives{1, 0}));
  EXPECT_EQ(best("AAG", "G", {Mode::local}, gaps), (BothObjectives{1, 0}));
}

// If gaps cost nothing, residues before and after the aligned ones may be in gaps, and count in the second
// objective.
TEST(SecondObjective, GapsThatCostNothingMayStandAtFreeEnds) {
  const SubstitutionMatrix matrix = matrix_of([](int q, int s) { return q == s ? 1 : -2; });
  for (const ModeAndEnds& mode : main_modes())
    for (const std::string_view longer : {"AAG", "GAA", "AGA"})
      for (const bool swapped : {false, true}) {
        const auto of = [&](const SecondObjective& second) {
          const Residues one = encode(longer), other = encode("G");
          return best_of_both(swapped ? other : one, swapped ? one : other, scoring_of(mode, {0, 0}, matrix),
                              second);
        };
        EXPECT_EQ(of({0, 0, 1}), (BothObjectives{1, 2})) << longer << name_of(mode);
        EXPECT_EQ(of({0, 0, -1}), (BothObjectives{1, mode.mode == Mode::global ? -2 : 0})) << longer;
      }
}

TEST(SecondObjective, LocalAlignmentsOfScore0MayBeEmpty) {
  EXPECT_EQ(best("A", "C", {Mode::local}, {1, 1, 1}), BothObjectives{});
}

TEST(SecondObjective, LeavesTheScoreAsItIs) {
  Random random(1);
  for (const ModeAndEnds& mode : all_modes())
    for (int i = 0; i < 20; ++i) {
      const Residues query = with_random_case(random, random_sequence(random, below(random, 30), 4)),
                     subject = random_sequence(random, below(random, 30), 4);
      const Scoring scoring = scoring_of(mode, {3, 1});
      EXPECT_EQ(best_of_both(query, subject, scoring, {100, -7, 1000}).score,
                align_reference(query, subject, scoring, Detail::score).score);
    }
}

TEST(SecondObjective, IsInterrupted) {
  StopFlag stop_flag;
  const Residues sequence = encode("ACDEFG");
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  EXPECT_EQ(best_of_both(sequence, sequence, scoring, {1, 0, 0}, stop_flag).second, 6);
  stop_flag.request();
  EXPECT_THROW(best_of_both(sequence, sequence, scoring, {1, 0, 0}, stop_flag), Interrupted);
}

}  // namespace
}  // namespace alnus
