// Tracebacks from the checkpoints that the kernels of differences keep (LaneKernel in kernel_set.h).
// Rectangles of the dynamic programming matrices around the paths, the windows, are computed again with their
// trace, one window in each lane, from the ends of the alignments back to their beginnings.
#pragma once

#include <cstdint>
#include <span>

#include "core/index_spaces.h"
#include "core/stop_flag.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"
#include "cpu/traceback.h"

namespace alnus::cpu {

// The path of a subject in a batch. The subject is in `lane`, after the first `first_column` columns.
struct LanePath {
  Position position;       // of the subject
  std::int32_t query = 0;  // 0 or 1: the job's first or second query
  std::int32_t lane = 0, first_column = 0;
  Traceback traceback;
  std::int32_t window_begin = 0;  // columns of the subject before its current window
};

class LaneTraces {
 public:
  // checkpoint_bytes() returns the bytes that the checkpoints of a run take, with `rows` query residues and
  // `columns` columns of the batch. checkpoints() returns buffers for them, valid until its next call.
  static std::uint64_t checkpoint_bytes(const LaneKernel& kernel, std::int64_t rows, std::int64_t columns);
  Checkpoints checkpoints(const LaneKernel& kernel, std::int32_t rows, std::int32_t columns);

  // Walks all paths back to their beginnings; `job` must have run with the result of checkpoints(). Throws
  // Interrupted when the flag is requested. It looks at the flag before each set of windows, which takes some
  // microseconds.
  void walk(const LaneKernel& kernel, const InterseqJob& job, std::span<LanePath> paths,
            const StopFlag& stop_flag);

 private:
  AlignedBuffer checkpoints_, window_;
};

}  // namespace alnus::cpu
