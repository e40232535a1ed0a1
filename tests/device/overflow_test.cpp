// Scores around the limits of 8, 16 and 32 bits: results never show that a device computes in few bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "device/implementations.h"

namespace alnus::test {
namespace {

// W scores 100 with W, C 10 with C, A 1 with A, and all other pairs -100. So for each score there is a
// sequence that has it with itself.
SubstitutionMatrix decimal_digits() {
  const Alphabet& alphabet = Alphabet::protein();
  const int w = alphabet.encode('W'), c = alphabet.encode('C'), a = alphabet.encode('A');
  return matrix_of([=](int query, int subject) {
    if (query != subject) return -100;
    return query == w ? 100 : query == c ? 10 : query == a ? 1 : -100;
  });
}

// Returns a sequence that scores `score` with itself by decimal_digits().
Residues sequence_of_score(std::size_t score) {
  return concatenate({repeat("W", score / 100), repeat("C", score / 10 % 10), repeat("A", score % 10)});
}

class Overflow : public testing::TestWithParam<ModeAndEnds> {};

// Runs of W score 11 a residue, and equal tails 4 to 11 more: local scores from 88 to 297, many of them near
// 127 and 255, though not all.
TEST_P(Overflow, EveryScoreAroundTheLimitsOf8Bits) {
  Workload work;
  for (const char* tail : {"", "A", "R", "N", "H", "C", "P", "AA", "AR", "RR", "RN"})
    for (std::size_t length = 8; length <= 27; length += tail[0] ? 4 : 1)
      work.queries.push_back(concatenate({repeat("W", length), encode(tail)}));
  work.subjects = work.queries;
  for (const Gaps gaps : {Gaps{11, 1}, {10, 2}, {0, 4}, {26, 1}, {5, 12}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps)));
}

TEST_P(Overflow, EveryScoreFrom60To330) {
  Workload work{.shape = TileShape::list};
  for (std::uint32_t score = 60; score <= 330; ++score) {
    work.queries.push_back(sequence_of_score(score));
    work.pairs.emplace_back(score - 60, score - 60);
    if (score > 60) work.pairs.emplace_back(score - 60, score - 61);
  }
  work.subjects = work.queries;
  const SubstitutionMatrix matrix = decimal_digits();
  for (const Gaps gaps : {Gaps{11, 1}, {40, 3}, {0, 1}, {0, 0}, {100, 27}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps, matrix)));
}

// Some lanes overflow, their neighbours do not.
TEST_P(Overflow, AmidOrdinaryLanes) {
  Random random(21);
  Workload work;
  work.queries = {repeat("W", 30), random_sequence(random, 60), repeat("WWC", 40)};
  for (std::uint32_t k = 0; k < 150; ++k) work.subjects.push_back(random_sequence(random, below(random, 60)));
  for (const std::size_t lane : {0, 17, 63, 64, 101, 149}) work.subjects[lane] = repeat("W", 20 + lane / 10);
  for (const Gaps gaps : {Gaps{11, 1}, {0, 4}, {2, 0}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps)));
}

TEST_P(Overflow, ScoresAroundTheLimitsOf16Bits) {
  const SubstitutionMatrix matrix = decimal_digits();
  for (const std::size_t limit : {32767, 65535}) {
    Workload work{.shape = TileShape::list};
    for (std::size_t score = limit - 3; score <= limit + 3; ++score) {
      const auto number = static_cast<std::uint32_t>(work.queries.size());
      work.queries.push_back(sequence_of_score(score));
      work.pairs.emplace_back(number, number);
    }
    work.subjects = work.queries;
    work.subjects.push_back(repeat("WC", 300));
    work.pairs.emplace_back(0, static_cast<std::uint32_t>(work.subjects.size() - 1));
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {40, 3}, matrix)));
  }
}

// The score rises above a limit inside the pair and is below it again at the end, or it falls below a limit
// first.
TEST_P(Overflow, InsideButNotAtTheEnd) {
  const auto up_and_down = [](std::size_t up, std::size_t down, const char* letters) {
    return concatenate({repeat("W", up), repeat(letters, down)});
  };
  Workload work;
  for (const std::size_t up : {11, 12, 22, 23, 24, 60}) {
    work.queries.push_back(up_and_down(up, 3 * up, "P"));
    work.subjects.push_back(up_and_down(up, 3 * up, "F"));
    work.queries.push_back(concatenate({repeat("P", 3 * up), repeat("W", up)}));
    work.subjects.push_back(concatenate({repeat("F", 3 * up), repeat("W", up)}));
  }
  for (const Gaps gaps : {Gaps{11, 1}, {60, 20}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps)));
  const SubstitutionMatrix steep =
      matrix_of([](int query, int subject) { return query == subject ? 3000 : -2900; });
  EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), {5000, 2000}, steep)));
}

// Global scores far below 0, because matches are few and gaps are expensive.
TEST_P(Overflow, NegativeScores) {
  Workload work;
  for (const std::size_t length : {0, 1, 2, 30, 60, 116, 117, 118, 119, 243, 244, 245, 246, 330, 660})
    work.queries.push_back(repeat("P", length));
  work.subjects = {{}, repeat("W", 1), repeat("W", 29), repeat("W", 70), repeat("W", 330)};
  for (const Gaps gaps : {Gaps{11, 1}, {0, 4}, {11, 100}, {128, 99}, {32767, 1}, {32767, 32767}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps)));
}

// Scores of many thousands a residue: weighted() makes them when a second objective is added to scores.
TEST_P(Overflow, ManyThousandsAResidue) {
  Random random(22);
  Workload work{.shape = TileShape::list};
  for (std::uint32_t k = 0; k < 12; ++k) {
    work.queries.push_back(random_sequence(random, 1 + 25 * k));
    work.subjects.push_back(relative(random, work.queries.back(), 3, 6));
    work.pairs.emplace_back(k, k);
    if (k > 0) work.pairs.emplace_back(k, k - 1);
  }
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("BLOSUM62").weighted(100000, 9, -7);
  for (const Gaps gaps : {Gaps{1100000, 100007}, {0, 300001}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps, matrix)));
}

TEST_P(Overflow, LargestScores) {
  const SubstitutionMatrix matrix =
      matrix_of([](int query, int subject) { return query == subject ? 32766 : -32766; });
  Random random(22);
  Workload work;
  for (const std::size_t length : {1, 2, 3, 64, 200, 400}) {
    work.queries.push_back(random_sequence(random, length));
    work.subjects.push_back(relative(random, work.queries.back(), 20, 4));
    work.subjects.push_back(work.queries.back());
  }
  for (const Gaps gaps : {Gaps{11, 1}, {32767, 32767}, {0, 32767}})
    EXPECT_TRUE(equals_reference(work, scoring_of(GetParam(), gaps, matrix)));
}

// 70,000 matches of 32,766 each are more than 2^31. The device says so before it computes, and hands over
// nothing.
TEST_P(Overflow, TooLargeForAnyLaneIsAnError) {
  const SubstitutionMatrix matrix =
      matrix_of([](int query, int subject) { return query == subject ? 32766 : -1; });
  const Workload work{.queries = {repeat("W", 70000)}, .subjects = {repeat("W", 70000)}};
  const Problem problem{scoring_of(GetParam(), {11, 1}, matrix), Detail::score};
  for_each_device(implementations(), problem, [&](Device& device) {
    const LoadedWorkload loaded(device, work);
    Collect sink;
    try {
      device.run(loaded.tile(), problem, sink);
      FAIL() << "score " << sink.found.begin()->second.score;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), testing::HasSubstr("use smaller scores"));
      EXPECT_EQ(sink.calls, 0);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Device, Overflow, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
