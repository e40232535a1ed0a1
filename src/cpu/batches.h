// Subjects laid side by side in the lanes of a vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// A subject's place in a batch: from `first_block` on, `blocks` blocks of columns in `lane`.
struct Segment {
  std::int32_t lane = 0, first_block = 0, blocks = 0;
  Position position;        // of the subject
  std::uint32_t entry = 0;  // in the list that was planned
};

// Lanes side by side; where subjects differ much in length, shorter ones follow each other in a lane.
// A lane's segments come in order.
struct Batch {
  std::int32_t blocks = 0;
  std::vector<Segment> segments;
};

struct BatchPlan {
  std::vector<Batch> batches;
  std::vector<Position> singles;  // subjects that are better aligned alone
};

// The shape of a kernel's batches, and what it has to compete with.
struct BatchShape {
  std::int32_t lanes = 0;
  std::int32_t block_columns = 0;
  // Time to align a subject alone, as a part of the time of a whole batch of its length.
  double alone = 0;
};

// `positions` by decreasing length, none of them empty.
BatchPlan plan_batches(const SortedSequences& subjects, std::span<const Position> positions,
                       const BatchShape& shape);

// Writes the letters of a batch, [blocks * block_columns][lanes], padded by kPadLetter. Throws Interrupted
// when the flag is requested.
void pack(const SortedSequences& subjects, const Batch& batch, const BatchShape& shape, std::uint8_t* letters,
          const StopFlag& stop_flag);

// Where the kernel stops in a batch: wherever a lane takes up its next subject, and at the end.
class BatchStops {
 public:
  BatchStops(const Batch& batch, std::int32_t lanes);
  const Stop* stops() const { return stops_.data(); }
  std::int32_t count() const { return static_cast<std::int32_t>(stops_.size()); }
  // Of the results that the kernel writes, [stop][lane], the one of a segment.
  std::size_t result_of(std::size_t segment) const { return result_of_[segment]; }

 private:
  std::vector<Stop> stops_;
  std::vector<std::size_t> result_of_;
  AlignedBuffer restarts_;
};

}  // namespace alnus::cpu
