// Adjusted scores of single pairs of proteins (engine/adjusted_scores.h), computed by references alone: the
// rounded matrix of ReferenceAdjuster, and matrix_score().
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "stats/adjusted_matrix.h"
#include "support/adjusted_matrix_reference.h"
#include "support/sequences.h"

namespace alnus::test {

// Returns the subject as adjusted scores see it: without case, and with X in its regions of low complexity.
Residues with_masked_low_complexity(std::span<const Residue> subject);

// Does the same if `score` is that of the pair by the matrix: a subject that is nearly identical to the query
// is not masked.
Residues with_masked_low_complexity(std::span<const Residue> subject, std::span<const Residue> query,
                                    std::int32_t score, const SubstitutionMatrix& matrix);

class AdjustedScoreReference {
 public:
  // The scoring's matrix must be one that can be adjusted.
  explicit AdjustedScoreReference(const Scoring& scoring);

  struct Sequence {
    Residues residues;  // without case
    CoreVector frequencies;
  };
  Sequence query(std::span<const Residue> residues) const;
  Sequence subject(std::span<const Residue> residues) const;  // masked
  // If `score` is that of the pair by the stated matrix: a subject that is nearly identical to the query is
  // not masked.
  Sequence subject(std::span<const Residue> residues, std::span<const Residue> query,
                   std::int32_t score) const;

  // Returns the pair's matrix, rounded to the nearest integers. Where a score is within kTie of the middle
  // between two integers, rounding errors decide which one is nearer, so the integer that MatrixAdjuster
  // takes is returned.
  static constexpr double kTie = 1e-6;
  PairScores matrix(const Sequence& query, const Sequence& subject);
  double score(const Sequence& query, const Sequence& subject);
  std::int64_t ties() const { return ties_; }  // how many scores were within kTie, so far

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
