// The alignments of a list of pairs whose scores and end cells are known. Four bits of directions are kept
// for every cell up to the end cell, and the traceback follows them.
#pragma once

#include "cuda/kernels/pairs.h"

namespace alnus::cuda {

struct PairPath {
  std::uint64_t first_run;  // place of the first run in the CIGARs of all pairs (in no certain order)
  std::uint32_t runs;
  std::int32_t query_begin, subject_begin;
};

// Members that EndsLaunch (pairs.h) also has mean the same as there. The sequences' codes must tell letters
// apart: equal codes are equal residues in the CIGAR.
struct TraceLaunch {
  const DevicePair* pairs;
  const PairEnds* ends;
  const std::uint64_t* offsets;  // [pair]: its first byte in `trace`, a multiple of kTraceAlignment
  std::uint32_t count;
  std::uint64_t team_cells;
  const DeviceScoring* scoring;
  std::uint32_t longest_subject;  // as in EndsLaunch, but residues behind end cells need not count
  PairPath* paths;                // out, [count]
  std::uint64_t* total_runs;      // out: runs of all paths
  std::byte* trace;
  std::byte* workspace;    // workspace_bytes(longest_subject, warps)
  std::uint32_t* counter;  // one word, used by no other launch at the same time
  int warps;
  const std::uint32_t* stop;  // the stop word
};
cudaError_t launch_trace(const TraceLaunch& work, cudaStream_t stream);

// Writes to `cigars` the runs (CigarRun::packed) of each path from its `first_run` on. To be called after
// launch_trace, with what launch_trace left in `trace`; `cigars` must have room for `total_runs` runs.
cudaError_t launch_cigars(const TraceLaunch& work, std::uint32_t* cigars, cudaStream_t stream);

// Bytes of `trace` for a pair with this end cell: about half a byte for each cell, and a multiple of
// kTraceAlignment.
inline constexpr std::uint64_t kTraceAlignment = 128;
std::uint64_t trace_bytes(std::int32_t query_end, std::int32_t subject_end);

// Loads the code of these kernels, so that none has to be loaded while another kernel runs.
cudaError_t load_trace_kernels();

}  // namespace alnus::cuda
