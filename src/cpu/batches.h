// Subjects laid side by side in the lanes of a vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"

namespace alnus::cpu {

// A subject's place in a batch: from `first_block` on, `blocks` blocks of columns in `lane`.
struct Segment {
  std::int32_t lane = 0, first_block = 0, blocks = 0;
  std::uint32_t position = 0;  // in the Resident
};

// Lanes side by side; where subjects differ much in length, shorter ones follow each other in a lane.
struct Batch {
  std::int32_t blocks = 0;
  std::vector<Segment> segments;
};

struct BatchPlan {
  std::vector<Batch> batches;
  std::vector<std::uint32_t> singles;  // positions of subjects too long for the others to fill the lanes
};

// All subjects of `columns` but the empty ones.
BatchPlan plan_batches(const Resident& subjects, Range columns, std::int32_t lanes,
                       std::int32_t block_columns);

// Writes the letters of a batch, [blocks * block_columns][lanes], padded by kPadLetter.
void pack(const Resident& subjects, const Batch& batch, std::int32_t lanes, std::int32_t block_columns,
          std::uint8_t* letters);

}  // namespace alnus::cpu
