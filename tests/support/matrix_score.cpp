#include "support/matrix_score.h"

#include <algorithm>
#include <vector>

#include "stats/adjusted_matrix.h"

namespace alnus::test {

std::int64_t matrix_score(std::span<const Residue> query, std::span<const Residue> subject,
                          std::span<const std::int32_t> scores, std::int64_t open, std::int64_t extend) {
  constexpr std::int64_t kNone = -(1LL << 50);
  std::vector<std::int64_t> above(subject.size() + 1), f(subject.size() + 1, kNone);
  std::int64_t best = 0;
  for (const Residue q : query) {
    std::int64_t e = kNone, left = 0, diagonal = 0;
    for (std::size_t j = 1; j <= subject.size(); ++j) {
      f[j] = std::max(f[j], above[j] - open) - extend;
      e = std::max(e, left - open) - extend;
      const std::int64_t score = scores[std::size_t{subject[j - 1]} * kMaxLetters + q];
      left = std::max({std::int64_t{0}, diagonal + score, e, f[j]});
      diagonal = above[j];
      above[j] = left;
      best = std::max(best, left);
    }
  }
  return best;
}

std::int32_t rounded_matrix_score(const MatrixPairsProblem& problem, MatrixPairs::Pair pair,
                                  const MatrixRounding& rounding, std::int32_t open, std::int32_t extend) {
  PairScores scores = problem.adjustment->others;
  if (problem.adjustment->adjusts) {
    const Frequencies* const subject = &problem.subject_frequencies[pair.subject];
    stats::make_matrices(*problem.adjustment, problem.query_frequencies[pair.query], {&subject, 1},
                         {&scores, 1});
  }
  const std::int32_t half = (1 << rounding.shift) / 2;
  for (std::int32_t& score : scores) {
    score = (score + half) >> rounding.shift;
    if (score < rounding.lowest || score > rounding.highest) return PairScorer::kUnknownScore;
  }
  return static_cast<std::int32_t>(
      matrix_score(problem.queries[pair.query], problem.subjects[pair.subject], scores, open, extend));
}

}  // namespace alnus::test
