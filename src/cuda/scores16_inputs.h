// The inputs of scores16 that do not depend on who launches it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/device.h"
#include "cuda/cuda_sequences.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

// The residues of a tile's rows as letters, one row after the other.
struct LettersOfRows {
  LettersOfRows(const SortedSequences& rows, PositionRange range, const Letters& letters);

  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> offsets;  // of each row in `codes`, and the end
  std::vector<std::uint32_t> lengths;
};

// Returns the floors of a sink for the columns at `positions`, [row * kFloorRanges + range] (floor_width()).
std::vector<std::int32_t> floors_of_ranges(const Sink& sink, PositionRange rows, PositionRange positions);

// An input of scores16 with all members set that follow from the scoring, where H = 0 is stored as `zero`.
Scores16 scores16_of(const Scoring& scoring, std::int32_t zero);
// The score of padding rows with any letter: -1 in mode local, so that they raise no score; otherwise the
// negative cost of a further residue along the upper border, so that H(0,j) comes down through them.
std::int32_t pad_score(const Scoring& scoring);

}  // namespace alnus::cuda
