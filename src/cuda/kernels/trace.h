// The alignments of a list of pairs whose scores and end cells are known: four bits of directions for every
// cell before the end cell, and the way back through them.
#pragma once

#include "cuda/kernels/pairs.h"

namespace alnus::cuda {

struct PairPath {
  std::uint64_t first_run;  // in the CIGARs of all pairs, which lie in no certain order
  std::uint32_t runs;
  std::int32_t query_begin, subject_begin;
};

// As EndsLaunch. The sequences' codes must tell letters apart: equal codes are a match in the CIGAR.
struct TraceLaunch {
  const DevicePair* pairs;
  const PairEnds* ends;
  const std::uint64_t* offsets;  // of each pair's trace_bytes() in `trace`, multiples of kTraceAlignment
  std::uint32_t count;
  std::uint64_t team_cells;
  const DeviceScoring* scoring;
  std::uint32_t longest_subject;  // as for launch_ends, or where only parts before end cells count
  PairPath* paths;                // out, [count]
  std::uint64_t* total_runs;      // out: of all paths
  std::byte* trace;
  std::byte* workspace;    // workspace_bytes(longest_subject, warps)
  std::uint32_t* counter;  // one for each launch that may run at a time
  int warps;
  const std::uint32_t* stop;  // the stop word
};
cudaError_t launch_trace(const TraceLaunch& work, cudaStream_t stream);

// After launch_trace, with what it left in `trace`: the runs (CigarRun::packed) of each path from its
// `first_run` on; `cigars` has room for `total_runs`.
cudaError_t launch_cigars(const TraceLaunch& work, std::uint32_t* cigars, cudaStream_t stream);

// Of a pair, by its end cell: a multiple of kTraceAlignment, about half a byte a cell.
inline constexpr std::uint64_t kTraceAlignment = 128;
std::uint64_t trace_bytes(std::int32_t query_end, std::int32_t subject_end);

// So that none has to be loaded while another one runs.
cudaError_t load_trace_kernels();

}  // namespace alnus::cuda
