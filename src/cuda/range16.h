// For which pairs 16 bits suffice in modes global and semiglobal (docs/cuda-kernels.md). No CUDA in here.
#pragma once

#include <cstdint>

#include "core/best_scores.h"
#include "core/device.h"

namespace alnus::cuda {

// Of a rectangle. All scores in the matrix of m x n residues lie from -(2 * open + (m + n) * extend) to
// min(m, n) times the highest of the substitution matrix (or what the query can score at all, if that is
// less); what H = 0 is stored as is chosen so that this range suits as many cells as possible.
class Range16 {
 public:
  Range16(const Tile& tile, const Scoring& scoring);

  // Whether there is a kernel for the scoring at all.
  static bool fits(const Scoring& scoring);
  // For which part of the cells 16 bits suffice; estimated from some of the rows.
  double known_share() const { return known_share_; }
  // What H = 0 is stored as.
  std::int32_t zero() const { return zero_; }
  // The positions of the tile's columns for which they suffice, with this row.
  PositionRange known_columns(Position row) const { return known_columns(query(row), zero_); }

 private:
  struct Query {
    std::uint64_t length;
    std::int64_t best;  // that it can score with anything, or more
  };
  Query query(Position row) const;
  std::int64_t lowest(const Query& query, std::uint64_t columns) const;
  std::int64_t highest(const Query& query, std::uint64_t columns) const;
  PositionRange known_columns(const Query& query, std::int64_t zero) const;

  const Tile& tile_;
  const BestScores best_scores_;
  const std::int64_t open_, extend_, match_;
  Position columns_end_;  // of those that have residues
  std::int32_t zero_ = 0;
  double known_share_ = 0;
};

}  // namespace alnus::cuda
