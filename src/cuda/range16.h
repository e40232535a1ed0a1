// Tells for which pairs 16 bits suffice in modes global and semiglobal (docs/cuda-kernels.md). Makes no calls
// of CUDA.
#pragma once

#include <cstdint>

#include "core/best_scores.h"
#include "core/device.h"

namespace alnus::cuda {

// Scores that the pairs of a rectangle can have, and the stored value of H = 0: the 16-bit kernels store H +
// zero(). All scores in the dynamic programming matrix of m x n residues lie from -(2 * open + (m + n) *
// extend) to min(m, n) times the highest score of the substitution matrix (or to the most that the query can
// score at all, if that is less). The stored value of H = 0 is chosen so that 16 bits suffice for as many
// cells as possible. The tile must outlive this object.
class Range16 {
 public:
  Range16(const Tile& tile, const Scoring& scoring);

  // True if the 16-bit kernels have a version for the scoring; false in mode local.
  static bool fits(const Scoring& scoring);
  // The fraction of the rectangle's cells for which 16 bits suffice, estimated from some of the rows.
  double known_share() const { return known_share_; }
  // The stored value of H = 0.
  std::int32_t zero() const { return zero_; }
  // The positions of the tile's columns with which 16 bits suffice for this row.
  PositionRange known_columns(Position row) const { return known_columns(query(row), zero_); }

 private:
  struct Query {
    std::uint64_t length;
    std::int64_t best;  // the most that it can score with any subject, or more
  };
  Query query(Position row) const;
  // No H of the query with a subject of `columns` residues is below lowest() or above highest().
  std::int64_t lowest(const Query& query, std::uint64_t columns) const;
  std::int64_t highest(const Query& query, std::uint64_t columns) const;
  PositionRange known_columns(const Query& query, std::int64_t zero) const;

  const Tile& tile_;
  const BestScores best_scores_;
  const std::int64_t open_, extend_, match_;
  Position columns_end_;  // end of the columns that have residues
  std::int32_t zero_ = 0;
  double known_share_ = 0;
};

}  // namespace alnus::cuda
