#include "cpu/single_pair.h"

#include <algorithm>

#include "cpu/striped_runs.h"
#include "cpu/traceback.h"

namespace alnus::cpu {
bool fits_when_empty(const Scoring& scoring, std::size_t residues, const WideKernels& widest) {
  const std::int64_t border = std::int64_t{scoring.extend} * static_cast<std::int64_t>(residues);
  return scoring.mode == Mode::local || scoring.open + border <= widest.highest;
}

std::optional<Alignment> align_striped(const SinglePair& pair, const WideKernels& kernels,
                                       const MemoryLimits& limits, KernelBuffers& buffers,
                                       const StopFlag& stop_flag) {
  buffers.subject.resize(pair.subject.size());
  std::ranges::transform(pair.subject, buffers.subject.begin(), code_of);

  StripedJob job;
  job.rules = pair.rules;
  job.query = pair.query_codes.data();
  job.rows = static_cast<std::int32_t>(pair.query_codes.size());
  job.subject = buffers.subject.data();
  job.columns = static_cast<std::int32_t>(buffers.subject.size());
  job.scores = pair.tables->scores32();
  job.score = job.rules.local ? 0 : std::numeric_limits<std::int32_t>::min();
  job.workspace = buffers.workspace.at_least(kernels.striped_workspace(job.rows));
  job.state = buffers.state.at_least(kernels.striped_state(job.rows));

  const std::uint64_t column_bytes =
      static_cast<std::uint64_t>(kernels.striped_segment(job.rows)) * kernels.trace_bytes;
  const Cuts cuts(job.columns, static_cast<double>(column_bytes),
                  static_cast<double>(kernels.striped_state(job.rows)), limits);
  const bool trace = pair.want == Want::trace;
  if (trace) job.trace = buffers.trace.at_least(column_bytes * static_cast<std::uint64_t>(cuts.piece));
  StripedRuns runs(kernels, job, cuts, stop_flag);
  const bool at_once = !trace || cuts.piece == job.columns;
  if (at_once) {
    runs.run(0, job.columns, pair.want);
  } else {
    runs.find_end();
  }
  if (job.score < pair.floor) return std::nullopt;
  Alignment alignment;
  alignment.score = job.score;
  if (pair.want != Want::score) {
    alignment.query_end = job.query_end;
    alignment.subject_end = job.subject_end;
  }
  if (!trace) return alignment;
  Traceback traceback(pair.query, pair.subject, pair.tables->scoring(), alignment);
  if (at_once) {
    runs.walk(0, traceback);
  } else {
    runs.trace(traceback);
  }
  return traceback.finish();
}

}  // namespace alnus::cpu
