#include "support/adjusted_score_reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/seg.h"
#include "support/matrix_score.h"

namespace alnus::test {

Residues with_masked_low_complexity(std::span<const Residue> subject) {
  Residues masked = without_case(subject);
  Seg seg({.window = 10, .trigger = 1.8, .extension = 2.1});
  for (const Region& region : seg.find(subject))
    std::fill_n(masked.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(),
                Alphabet::protein().encode('X'));
  return masked;
}

Residues with_masked_low_complexity(std::span<const Residue> subject, std::span<const Residue> query,
                                    std::int32_t score, const SubstitutionMatrix& matrix) {
  const auto with_itself = [&](std::span<const Residue> sequence) {
    std::int64_t sum = 0;
    for (const Residue residue : without_case(sequence)) sum += matrix.value(residue, residue);
    return sum;
  };
  const std::int64_t own = std::min(with_itself(query), with_itself(subject));
  const bool nearly_identical = own > 0 && 10 * std::int64_t{score} >= 9 * own;
  return nearly_identical ? without_case(subject) : with_masked_low_complexity(subject);
}

AdjustedScoreReference::AdjustedScoreReference(const Scoring& scoring)
    : scoring_(scoring), reference_(scoring), adjuster_(stats::MatrixAdjuster::of(scoring).value()) {}

AdjustedScoreReference::Sequence AdjustedScoreReference::query(std::span<const Residue> residues) const {
  return {without_case(residues), reference_.frequencies(residues)};
}

AdjustedScoreReference::Sequence AdjustedScoreReference::subject(std::span<const Residue> residues) const {
  const Residues masked = with_masked_low_complexity(residues);
  return {masked, reference_.frequencies(masked)};
}

AdjustedScoreReference::Sequence AdjustedScoreReference::subject(std::span<const Residue> residues,
                                                                 std::span<const Residue> query,
                                                                 std::int32_t score) const {
  const Residues seen = with_masked_low_complexity(residues, query, score, scoring_.matrix);
  return {seen, reference_.frequencies(seen)};
}

PairScores AdjustedScoreReference::matrix(const Sequence& query, const Sequence& subject) {
  const ReferenceAdjuster::Matrix exact = reference_.matrix(query.frequencies, subject.frequencies);
  PairScores scores;
  std::vector<std::size_t> tied;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    scores[k] = static_cast<std::int32_t>(std::lround(exact.scores[k]));
    if (std::abs(exact.scores[k] - scores[k]) > 0.5 - kTie) tied.push_back(k);
  }
  if (tied.empty()) return scores;
  ties_ += static_cast<std::int64_t>(tied.size());
  const Frequencies of_subject = adjuster_.frequencies(subject.residues);
  const Frequencies* const subjects[] = {&of_subject};
  PairScores found;
  stats::make_matrices(adjuster_.adjustment(), adjuster_.frequencies(query.residues), subjects, {&found, 1});
  for (const std::size_t k : tied)
    if (std::abs(found[k] - exact.scores[k]) < 0.5 + kTie) scores[k] = found[k];
  return scores;
}

double AdjustedScoreReference::score(const Sequence& query, const Sequence& subject) {
  if (query.residues.empty() || subject.residues.empty()) return 0;
  const std::int64_t best =
      matrix_score(query.residues, subject.residues, matrix(query, subject), open(), extend());
  return static_cast<double>(best) / reference_.factor();
}

}  // namespace alnus::test
