// Tracebacks of subjects that lie in lanes, where `differences` kept checkpoints: windows of the matrix
// around the paths are done again, one a lane and all lanes at a time, from the alignments' ends back.
#pragma once

#include <cstdint>
#include <span>

#include "core/index_spaces.h"
#include "core/stop_flag.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"
#include "cpu/traceback.h"

namespace alnus::cpu {

// A path in a batch: of the subject that begins in this lane after so many columns.
struct LanePath {
  Position position;       // of the subject
  std::int32_t query = 0;  // the job's first or second
  std::int32_t lane = 0, first_column = 0;
  Traceback traceback;
  std::int32_t window_begin = 0;  // columns of the subject before the window that it is in
};

class LaneTraces {
 public:
  // Lays out the checkpoints of a problem of so many columns.
  static std::uint64_t checkpoint_bytes(const LaneKernel& kernel, std::int64_t rows, std::int64_t columns);
  Checkpoints checkpoints(const LaneKernel& kernel, std::int32_t rows, std::int32_t columns);

  // After a run of that job: walks all the paths to their ends. Throws Interrupted when the flag is
  // requested, which is looked at before each window: a window takes some microseconds.
  void walk(const LaneKernel& kernel, const InterseqJob& job, std::span<LanePath> paths,
            const StopFlag& stop_flag);

 private:
  AlignedBuffer checkpoints_, window_;
};

}  // namespace alnus::cpu
