// Scores of pairs by matrices of their own, with every instruction set.
#include "cpu/matrix_scorer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "cpu/isa_choice.h"
#include "support/matrix_score.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using Scores = std::vector<std::int32_t>;

Scores random_scores(Random& random, std::int32_t lowest, std::int32_t highest) {
  Scores scores(kMaxLetters * kMaxLetters, lowest);
  for (std::size_t q = 0; q < 24; ++q)
    for (std::size_t s = 0; s < 24; ++s)
      scores[q * kMaxLetters + s] =
          lowest + static_cast<std::int32_t>(below(random, static_cast<std::size_t>(highest - lowest) + 1));
  return scores;
}

class MatrixScorers : public testing::TestWithParam<std::string> {
 protected:
  std::int64_t found(const Residues& query, const Residues& subject, const Scores& scores, std::int32_t open,
                     std::int32_t extend) {
    const ScoredSubject one{subject, std::span<const std::int32_t, kMaxLetters * kMaxLetters>(scores)};
    std::int32_t best = 0;
    scorer_.local_scores(query, {&one, 1}, open, extend, {&best, 1}, StopFlag::never());
    return best;
  }

  Random random_{3};
  cpu::MatrixScorer scorer_{*cpu::candidate_kernels(GetParam(), cpu::supported_kernels()).front()};
};

TEST_P(MatrixScorers, RandomMatrices) {
  for (int k = 0; k < 150; ++k) {
    const Scores scores = random_scores(random_, -200, k % 3 == 0 ? 30 : 420);
    const Residues query = random_sequence(random_, below(random_, 200)),
                   subject = random_sequence(random_, below(random_, 200));
    const auto open = static_cast<std::int32_t>(below(random_, 400)),
               extend = static_cast<std::int32_t>(below(random_, 40));
    ASSERT_EQ(found(query, subject, scores, open, extend), matrix_score(query, subject, scores, open, extend))
        << query.size() << " and " << subject.size() << " residues, gaps " << open << '/' << extend;
  }
}

// Scores around the highest that 16-bit lanes hold: 65,536 less the room that the lanes keep for gaps.
TEST_P(MatrixScorers, ScoresBeyond16Bits) {
  for (const std::int32_t match : {200, 311, 320, 330, 400, 2000, 32'767})
    for (const std::size_t length : {150, 190, 196, 197, 198, 199, 200, 210, 500}) {
      Scores scores(kMaxLetters * kMaxLetters, -130);
      for (std::size_t q = 0; q < 24; ++q) scores[q * (kMaxLetters + 1)] = match;
      const Residues query = random_sequence(random_, length);
      EXPECT_EQ(found(query, query, scores, 352, 32),
                std::int64_t{match} * static_cast<std::int64_t>(length));
    }
}

TEST_P(MatrixScorers, LongPairsAndGaps) {
  const Residues query = random_sequence(random_, 3000);
  Residues subject = query;
  subject.erase(subject.begin() + 1200, subject.begin() + 1700);
  Scores scores = random_scores(random_, -150, -100);
  for (std::size_t q = 0; q < 24; ++q) scores[q * (kMaxLetters + 1)] = 190;
  EXPECT_EQ(found(query, subject, scores, 352, 32), 190 * 2500 - 352 - 32 * 500);
  EXPECT_EQ(found(subject, query, scores, 0, 0), matrix_score(subject, query, scores, 0, 0));
}

// A subject with a matrix of its own.
struct Side {
  Residues residues;
  Scores scores;
};

std::vector<Side> random_sides(Random& random, const Residues& query, std::size_t count, std::int32_t lowest,
                               std::int32_t highest) {
  std::vector<Side> sides;
  for (std::size_t k = 0; k < count; ++k) {
    Residues residues = k % 3 == 0 ? query : random_sequence(random, below(random, 150));
    if (k % 3 == 0 && residues.size() > 20) residues.erase(residues.begin() + 5, residues.begin() + 12);
    sides.push_back({residues, random_scores(random, lowest, highest)});
  }
  return sides;
}

std::vector<ScoredSubject> scored(const std::vector<Side>& sides) {
  std::vector<ScoredSubject> subjects;
  for (const Side& side : sides)
    subjects.push_back(
        {side.residues, std::span<const std::int32_t, kMaxLetters * kMaxLetters>(side.scores)});
  return subjects;
}

TEST_P(MatrixScorers, ManySubjectsSideBySide) {
  for (const std::size_t count : {1, 7, 40, 131})
    for (const std::int32_t highest : {40, 300, 2500, 40'000}) {
      const Residues query = random_sequence(random_, 3 + below(random_, 140));
      const std::vector<Side> sides = random_sides(random_, query, count, -160, highest);
      std::vector<std::int32_t> best(count, -1);
      scorer_.local_scores(query, scored(sides), 352, 32, best, StopFlag::never());
      for (std::size_t k = 0; k < count; ++k)
        ASSERT_EQ(best[k], matrix_score(query, sides[k].residues, sides[k].scores, 352, 32))
            << k << " of " << count << ", up to " << highest;
    }
}

TEST_P(MatrixScorers, CoarseScoresAreNear) {
  for (const std::int32_t unit : {1, 3, 32, 1000})
    for (int round = 0; round < 4; ++round) {
      const Residues query = random_sequence(random_, 1 + below(random_, 130));
      const std::int32_t open = 11 * unit, extend = unit;
      std::vector<Side> sides = random_sides(random_, query, 150, -9 * unit, 9 * unit);
      for (Side& side : sides)  // makes most scores of letters negative
        for (int draw = 0; draw < 3; ++draw) {
          const Scores other = random_scores(random_, -9 * unit, 9 * unit);
          for (std::size_t k = 0; k < other.size(); ++k) side.scores[k] = std::min(side.scores[k], other[k]);
        }
      std::vector<std::int32_t> best(sides.size());
      scorer_.coarse_scores(query, scored(sides), open, extend, best, StopFlag::never());
      int known = 0;
      for (std::size_t k = 0; k < sides.size(); ++k) {
        const std::int64_t exact = matrix_score(query, sides[k].residues, sides[k].scores, open, extend);
        if (best[k] == PairScorer::kUnknownScore) {
          EXPECT_GT(exact, 30 * unit);
          continue;
        }
        ++known;
        // Rounding changes the score of an aligned letter by up to half a coarse unit, and the cost of a
        // residue of a gap by up to one. A score below the cost of a gap's first residue may be told as that
        // cost.
        const auto off = static_cast<std::int64_t>(unit * query.size() / 8);
        EXPECT_LE(best[k], std::max<std::int64_t>(exact + off, open + extend))
            << k << " in units of " << unit;
        EXPECT_GE(best[k], exact - off) << k << " in units of " << unit;
      }
      EXPECT_GT(known, 20) << unit;
    }
}

// Subjects of more than 65,536 residues, such as chromosomes, are scored alone and have no coarse scores.
TEST_P(MatrixScorers, LongSubjectsAreAlone) {
  const Residues query = random_sequence(random_, 60);
  Scores scores(kMaxLetters * kMaxLetters, -96);
  for (std::size_t q = 0; q < 24; ++q) scores[q * (kMaxLetters + 1)] = 160;
  std::vector<Side> sides;
  for (const std::size_t length : {100, 65'536, 65'537, 70'000}) {
    Residues residues = random_sequence(random_, length - query.size());
    residues.insert(residues.end(), query.begin(), query.end());
    sides.push_back({residues, scores});
  }
  std::vector<std::int32_t> best(sides.size()), coarse(sides.size());
  scorer_.local_scores(query, scored(sides), 352, 0, best, StopFlag::never());
  scorer_.coarse_scores(query, scored(sides), 352, 0, coarse, StopFlag::never());
  for (std::size_t k = 0; k < sides.size(); ++k) EXPECT_EQ(best[k], 160 * 60) << k;
  EXPECT_EQ(coarse[2], PairScorer::kUnknownScore);
  EXPECT_EQ(coarse[3], PairScorer::kUnknownScore);
}

// Neither the score of a pair, nor whether it is known, depends on the pairs that are scored together with
// it.
TEST_P(MatrixScorers, CoarseScoresAreThoseOfOneAtATime) {
  const Residues query = random_sequence(random_, 90);
  std::vector<Side> sides = random_sides(random_, query, 70, -200, 100);
  for (std::size_t k = 0; k < sides.size(); k += 5) sides[k].scores[k] = 100 * static_cast<std::int32_t>(k);
  std::vector<std::int32_t> best(sides.size());
  const std::vector<ScoredSubject> subjects = scored(sides);
  scorer_.coarse_scores(query, subjects, 352, 32, best, StopFlag::never());
  EXPECT_TRUE(std::ranges::count(best, PairScorer::kUnknownScore) > 3);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    std::int32_t one = -1;
    scorer_.coarse_scores(query, {&subjects[k], 1}, 352, 32, {&one, 1}, StopFlag::never());
    EXPECT_EQ(one, best[k]) << k;
  }
}

TEST_P(MatrixScorers, NothingAligns) {
  const Scores scores(kMaxLetters * kMaxLetters, -1);
  EXPECT_EQ(found(encode("AAAA"), encode("AAAA"), scores, 11, 1), 0);
  EXPECT_EQ(found({}, encode("AAAA"), scores, 11, 1), 0);
  EXPECT_EQ(found(encode("AAAA"), {}, scores, 11, 1), 0);
}

TEST_P(MatrixScorers, ScoresThatMayNotFitAreAnError) {
  Scores scores(kMaxLetters * kMaxLetters, 1 << 29);
  EXPECT_THROW(found(encode("AAAA"), encode("AAAA"), scores, 11, 1), Error);
}

std::vector<std::string> isas() {
  std::vector<std::string> names;
  for (const cpu::KernelSet* kernels : cpu::supported_kernels()) names.emplace_back(kernels->isa);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cpu, MatrixScorers, testing::ValuesIn(isas()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace alnus::test
