// Scores of a tile by the kernel of subsequence.h, for scorings whose best score is a multiple of the length
// of a longest common subsequence (core/common_subsequence.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

class SubsequencePairs {
 public:
  // True if the kernel scores the pairs of such a tile, with this scoring. Not if sequences are so long that
  // their profiles would fill the memory.
  static bool takes(const Tile& tile, const Problem& problem);
  // Bytes of the profile and the workspace for a tile that is taken, beside the scores.
  static std::uint64_t bytes(const KernelSet& kernels, const Tile& tile);
  // Scores all pairs of the tile, which is not a list. takes() must be true. Throws Interrupted when the flag
  // is requested.
  void run(const KernelSet& kernels, const Tile& tile, const Scoring& scoring, const StopFlag& stop_flag);
  // The scores of the last tile.
  TileScores scores() const { return {tile_->column_range, scores_.data()}; }

 private:
  // What lies in the lanes: rows or columns of the tile.
  enum class InLanes : std::uint8_t { rows, columns };
  InLanes faster() const;
  std::span<const Residue> residues(InLanes side, std::uint32_t number) const;
  // Makes the profile of the sequences numbered [first, end) on a side of the tile, one in each lane.
  void prepare(InLanes side, std::uint32_t first, std::uint32_t end);
  // Scores the sequences that prepare() was given with sequence `number` of the other side.
  void score(InLanes side, std::uint32_t first, std::uint32_t end, std::uint32_t number);

  const KernelSet* kernels_ = nullptr;
  const Tile* tile_ = nullptr;
  const Scoring* scoring_ = nullptr;
  std::int32_t unit_ = 0;
  std::vector<std::int32_t> scores_;  // of the tile's columns, row after row
  SubsequenceJob job_;
  AlignedBuffer profile_, workspace_;
};

}  // namespace alnus::cpu
