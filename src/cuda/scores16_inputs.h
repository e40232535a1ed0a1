// What scores16 is given, whoever launches it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/device.h"
#include "cuda/cuda_sequences.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

// Rows of a tile, one after the other.
struct LettersOfRows {
  LettersOfRows(const SortedSequences& rows, PositionRange range, const Letters& letters);

  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> offsets;  // of each, and the end
  std::vector<std::uint32_t> lengths;
};

// All that follows from the scoring, where H = 0 is stored as `zero`.
Scores16 scores16_of(const Scoring& scoring, std::int32_t zero);
// Of rows that are not there.
std::int32_t pad_score(const Scoring& scoring);

}  // namespace alnus::cuda
