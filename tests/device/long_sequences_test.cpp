// Pairs of long sequences, pairs of very different lengths, and tracebacks in little memory.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/implementations.h"

namespace alnus::test {
namespace {

class LongSequences : public testing::TestWithParam<ModeAndEnds> {
 protected:
  void check(const Workload& workload, Gaps gaps = {11, 1}, std::string_view matrix = "BLOSUM62") {
    EXPECT_TRUE(equals_reference(workload, scoring_of(GetParam(), gaps, matrix)));
  }
};

constexpr std::size_t kTitin = 35213;  // residues of the longest human protein

TEST_P(LongSequences, OneAmidShortOnes) {
  Random random(51);
  Workload work{.queries = {random_sequence(random, 1), random_sequence(random, 20)}};
  for (int k = 0; k < 70; ++k) work.subjects.push_back(random_sequence(random, below(random, 40)));
  work.subjects[33] = random_sequence(random, kTitin);
  work.queries.push_back({});
  check(work);
}

TEST_P(LongSequences, LongQueryShortSubjects) {
  Random random(52);
  Workload work{.queries = {random_sequence(random, kTitin), random_sequence(random, 3)}};
  for (const std::size_t length : {0, 1, 2, 15, 20, 33})
    work.subjects.push_back(random_sequence(random, length));
  check(work);
  check({.queries = work.queries, .subjects = work.subjects, .memory_bytes = 1 << 20}, {0, 4});
}

TEST_P(LongSequences, LongSubjectsOfManyLengths) {
  Random random(53);
  Workload work{.queries = {random_sequence(random, 12)}};
  for (std::size_t length = 16000; length > 0; length = length * 4 / 5)
    work.subjects.push_back(random_sequence(random, length));
  check(work);
}

// Parts of short queries lie far apart in long subjects, so alignments go through long gaps with low scores.
TEST_P(LongSequences, ShortQueriesInManyLongSubjects) {
  Random random(58);
  Workload work{.queries = {random_sequence(random, 42), random_sequence(random, 97)}};
  for (int k = 0; k < 80; ++k) {
    const Residues part = relative(random, work.queries[k % 2], 12, 5);
    const auto cut = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
    work.subjects.push_back(
        concatenate({random_sequence(random, below(random, 500)), Residues(part.begin(), cut),
                     repeat("P", below(random, 400)), Residues(cut, part.end()),
                     random_sequence(random, below(random, 300))}));
  }
  for (const Gaps gaps : {Gaps{11, 1}, {14, 0}, {0, 3}}) check(work, gaps);
  work.memory_bytes = 1 << 16;
  check(work);
}

// The alignments end at the last residues, whose positions may not fit 16 bits.
TEST_P(LongSequences, EndsAroundTheLimitsOf16Bits) {
  Random random(57);
  const Residues match = random_sequence(random, 9);
  Workload work{.queries = {match}};
  for (const std::size_t length : {32767, 32768, 65535, 65536, 65537})
    work.subjects.push_back(concatenate({repeat("P", length - match.size()), match}));
  check(work);
  std::swap(work.queries, work.subjects);
  check(work);
}

// A pair of 3,000 by 2,000 residues, with a gap of 1,000 in the middle. The pair is traced in pieces, and the
// gap is longer than any of them.
Workload far_relatives(std::uint64_t memory_bytes) {
  Random random(54);
  const Residues head = random_sequence(random, 1000), tail = random_sequence(random, 1000);
  const Residues middle = random_sequence(random, 1000);
  Workload work{.shape = TileShape::list, .pairs = {{0, 0}, {0, 1}, {1, 2}, {1, 1}}};
  work.details = {Detail::alignment};
  work.memory_bytes = memory_bytes;
  work.queries = {concatenate({head, middle, tail}), concatenate({relative(random, head, 15, 40), tail})};
  work.subjects = {relative(random, concatenate({head, tail}), 20, 10), random_sequence(random, 2000),
                   concatenate({head, middle, relative(random, tail, 10, 20)})};
  return work;
}

TEST_P(LongSequences, TracedInPieces) {
  for (const std::uint64_t memory : {std::uint64_t{1} << 20, std::uint64_t{1} << 17})
    check(far_relatives(memory));
}

TEST_P(LongSequences, TracedInPiecesWithLinearGaps) { check(far_relatives(1 << 20), {0, 4}); }

TEST_P(LongSequences, ManyTiesTracedInPieces) {
  Workload work{.queries = {repeat("AC", 900), repeat("W", 700)},
                .subjects = {repeat("AC", 731), repeat("CAA", 1100), repeat("W", 900)}};
  work.details = {Detail::alignment};
  work.memory_bytes = 1 << 18;
  check(work);
  check(work, {0, 0});
  check(work, {0, 1});
}

// One score is just below 32,767, one just above: each residue scores 11.
TEST_P(LongSequences, ScoresAround32767) {
  Workload work{.shape = TileShape::list, .details = {Detail::score, Detail::ends}};
  for (const std::size_t length : {2978, 2979}) {
    const auto number = static_cast<std::uint32_t>(work.queries.size());
    work.queries.push_back(repeat("W", length));
    work.pairs.emplace_back(number, number);
  }
  work.subjects = work.queries;
  check(work);
}

TEST_P(LongSequences, LocalScoreOver32767WithAlignment) {
  Random random(55);
  const Residues ancestor = random_sequence(random, 300);
  Workload work{.queries = {concatenate({repeat("W", 2990), ancestor})},
                .subjects = {concatenate({repeat("W", 3000), relative(random, ancestor, 30, 8)}),
                             random_sequence(random, 300)}};
  work.details = {Detail::alignment};
  work.memory_bytes = 1 << 24;
  check(work);
}

TEST_P(LongSequences, FiveThousandSquared) {
  Random random(56);
  const Residues ancestor = random_sequence(random, 5000);
  Workload work{.queries = {ancestor}, .subjects = {relative(random, ancestor, 10, 30)}};
  work.details = {Detail::ends};
  check(work);
}

INSTANTIATE_TEST_SUITE_P(Device, LongSequences, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
