// Adjusted scores of single pairs of proteins (engine/adjusted_scores.h) by the references alone: the matrix
// of ReferenceAdjuster, rounded, and matrix_score().
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "stats/adjusted_matrix.h"
#include "support/adjusted_matrix_reference.h"
#include "support/sequences.h"

namespace alnus::test {

// The subject without case, and with X in its regions of low complexity, as adjusted scores see it.
Residues with_masked_low_complexity(std::span<const Residue> subject);

// The same for a query whose pair with it scores so by the matrix: a nearly identical subject is not masked.
Residues with_masked_low_complexity(std::span<const Residue> subject, std::span<const Residue> query,
                                    std::int32_t score, const SubstitutionMatrix& matrix);

class AdjustedScoreReference {
 public:
  // The scoring's matrix can be adjusted.
  explicit AdjustedScoreReference(const Scoring& scoring);

  struct Sequence {
    Residues residues;  // without case
    CoreVector frequencies;
  };
  Sequence query(std::span<const Residue> residues) const;
  Sequence subject(std::span<const Residue> residues) const;  // masked
  // Of a pair that scores so by the stated matrix: the subject is not masked where the pair is nearly
  // identical.
  Sequence subject(std::span<const Residue> residues, std::span<const Residue> query,
                   std::int32_t score) const;

  // The pair's matrix in integers. A score that lies within kTie of the middle between two of them is the one
  // that MatrixAdjuster takes, by rounding errors; any other is the nearest.
  static constexpr double kTie = 1e-6;
  PairScores matrix(const Sequence& query, const Sequence& subject);
  double score(const Sequence& query, const Sequence& subject);
  std::int64_t ties() const { return ties_; }  // scores of letters that lay so, so far

  const ReferenceAdjuster& adjuster() const { return reference_; }
  std::int32_t open() const { return reference_.factor() * scoring_.open; }
  std::int32_t extend() const { return reference_.factor() * scoring_.extend; }

 private:
  const Scoring scoring_;
  const ReferenceAdjuster reference_;
  const stats::MatrixAdjuster adjuster_;  // decides ties
  std::int64_t ties_ = 0;
};

}  // namespace alnus::test
