// Scores of single pairs under matrices of their own, with every instruction set.
#include "cpu/matrix_scorer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "cpu/isa_choice.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using Scores = std::vector<std::int32_t>;

// Local alignment with affine gaps, as the formula has it (Gotoh 1982).
std::int64_t reference(const Residues& query, const Residues& subject, const Scores& scores,
                       std::int64_t open, std::int64_t extend) {
  constexpr std::int64_t kNone = -(1LL << 50);
  std::vector<std::int64_t> above(subject.size() + 1), f(subject.size() + 1, kNone);
  std::int64_t best = 0;
  for (const Residue q : query) {
    std::int64_t e = kNone, left = 0, diagonal = 0;
    for (std::size_t j = 1; j <= subject.size(); ++j) {
      f[j] = std::max(f[j], above[j] - open) - extend;
      e = std::max(e, left - open) - extend;
      const std::int64_t score = scores[std::size_t{q} * kMaxLetters + subject[j - 1]];
      left = std::max({std::int64_t{0}, diagonal + score, e, f[j]});
      diagonal = above[j];
      above[j] = left;
      best = std::max(best, left);
    }
  }
  return best;
}

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
    const PairScoring scoring{std::span<const std::int32_t, kMaxLetters * kMaxLetters>(scores), open, extend};
    return scorer_.local_score(query, subject, scoring, StopFlag::never());
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
    ASSERT_EQ(found(query, subject, scores, open, extend), reference(query, subject, scores, open, extend))
        << query.size() << " and " << subject.size() << " residues, gaps " << open << '/' << extend;
  }
}

// Scores around 65,536 less what the lanes keep for gaps: below it they fit 16 bits, above it they do not.
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
  EXPECT_EQ(found(subject, query, scores, 0, 0), reference(subject, query, scores, 0, 0));
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
