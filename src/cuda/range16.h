// For which pairs 16 bits suffice in modes global and semiglobal (docs/cuda-kernels.md). No CUDA in here.
#pragma once

#include <cstdint>
#include <vector>

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
  // Whether the kernel pays: 16 bits suffice for half of all cells or more.
  bool suffices() const { return known_cells_ * 2 >= tile_.cells && known_cells_ > 0; }
  // What H = 0 is stored as.
  std::int32_t zero() const { return zero_; }
  // The positions of the tile's columns for which they suffice, with this row.
  Range known(std::uint32_t row) const { return known(row, zero_); }

 private:
  std::int64_t lowest(std::uint64_t m, std::uint64_t n) const;
  std::int64_t highest(std::uint32_t row, std::uint64_t n) const;
  Range known(std::uint32_t row, std::int64_t zero) const;
  std::uint64_t known_cells(std::int64_t zero) const;

  const Tile& tile_;
  const std::int64_t open_, extend_, match_;
  std::vector<std::int64_t> best_;  // of the first rows: what they can score with anything
  std::uint32_t columns_end_ = 0;   // of those that have residues
  std::int32_t zero_ = 0;
  std::uint64_t known_cells_ = 0;
};

}  // namespace alnus::cuda
