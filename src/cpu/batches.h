// Lays subjects side by side in the lanes of vectors. A batch here is the set of subjects that share the
// lanes of one run of a kernel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// A subject's place in a batch: `blocks` blocks of columns of `lane`, from block `first_block` on.
struct Segment {
  std::int32_t lane = 0, first_block = 0, blocks = 0;
  Position position;        // of the subject
  std::uint32_t entry = 0;  // index in `positions` of plan_batches()
};

// Where the lengths of subjects differ much, shorter subjects follow each other in a lane. The segments of a
// lane are in the order of their blocks.
struct Batch {
  std::int32_t blocks = 0;  // blocks of columns in the longest lane
  std::vector<Segment> segments;
};

struct BatchPlan {
  std::vector<Batch> batches;
  std::vector<Position> singles;  // subjects that take less time alone (BatchShape::alone)
};

// The shape of a kernel's batches, and the cost of aligning a subject without a batch.
struct BatchShape {
  std::int32_t lanes = 0;
  std::int32_t block_columns = 0;
  // Time to align a subject alone, divided by the time of a whole batch of its length. 0: every subject is
  // aligned alone; infinity: none is.
  double alone = 0;
};

// Plans batches for the subjects at `positions`, which are sorted by decreasing length. None of these
// subjects is empty.
BatchPlan plan_batches(const SortedSequences& subjects, std::span<const Position> positions,
                       const BatchShape& shape);

// Writes the codes of a batch's residues to `letters`, [blocks * block_columns][lanes] bytes. Bytes without a
// residue get kPadLetter. Throws Interrupted when the flag is requested.
void pack(const SortedSequences& subjects, const Batch& batch, const BatchShape& shape, std::uint8_t* letters,
          const StopFlag& stop_flag);

// The stops of a batch (Stop in kernel_set.h): one wherever a lane begins its next subject, and one at the
// end.
class BatchStops {
 public:
  BatchStops(const Batch& batch, std::int32_t lanes);
  const Stop* stops() const { return stops_.data(); }
  std::int32_t count() const { return static_cast<std::int32_t>(stops_.size()); }
  // Returns where the result of segment number `segment` of the batch is in the array [stop][lane] that the
  // kernel writes.
  std::size_t result_of(std::size_t segment) const { return result_of_[segment]; }

 private:
  std::vector<Stop> stops_;
  std::vector<std::size_t> result_of_;
  AlignedBuffer restarts_;
};

}  // namespace alnus::cpu
