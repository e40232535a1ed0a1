// Exact 32-bit scores and end cells of a list of pairs: every mode, any lengths, any matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "alnus/scoring.h"

namespace alnus::cuda {

// Residues in device memory as codes below 32, `stride` bytes apart (searches keep four subjects side by
// side).
struct DeviceSequence {
  const std::uint8_t* first;
  std::uint32_t stride, length;
};

struct DevicePair {
  DeviceSequence query, subject;
};

struct DeviceScoring {
  std::int32_t matrix[kMaxLetters][kMaxLetters];  // rows the query's
  std::int32_t open, extend;
  Mode mode;
  FreeEnds free_ends;
};
DeviceScoring device_scoring(const Scoring& scoring);

// As in Alignment. {0, 0, 0} for a local alignment of score 0.
struct PairEnds {
  std::int32_t score, query_end, subject_end;
};

// Rows (residues of the query) that a warp computes at a time: the more, the less each costs. What goes from
// there to the next takes memory.
inline constexpr std::uint32_t kPassRows = 256, kLongPassRows = 512;
inline constexpr std::uint32_t kTeamWarps = 4;  // that may share a pair

// A warp works on a pair, or kTeamWarps on one of `team_cells` and more. Pairs are taken in their order, so
// that the longest should come first. No score of any part of an alignment may lie beyond +-2^30. All
// pointers are the device's.
struct EndsLaunch {
  const DevicePair* pairs;
  const std::uint32_t* count;  // of pairs, `most` or fewer; null: `most`
  std::uint32_t most;
  std::uint64_t team_cells;
  bool long_passes;  // of kLongPassRows, where most of the work is with queries that are as long
  const DeviceScoring* scoring;
  std::uint32_t longest_subject;  // of the pairs whose query is longer than kPassRows
  PairEnds* ends;                 // out, [most]
  std::byte* workspace;           // workspace_bytes(longest_subject, warps)
  std::uint32_t* counter;         // one for each launch that may run at a time
  int warps;                      // at work at a time; warps_of(multiprocessors) fill the device
  const std::uint32_t* stop;      // the stop word
};
cudaError_t launch_ends(const EndsLaunch& work, cudaStream_t stream);

// For pairs of so many cells together: those that would keep one warp busy for a quarter of all the time and
// more are for teams.
std::uint64_t team_cells(std::uint64_t all_cells, int warps);

// Fewer warps need a smaller workspace and more time.
int warps_of(int multiprocessors);
std::size_t workspace_bytes(std::uint32_t longest_subject, int warps);

// So that none has to be loaded while another one runs.
cudaError_t load_pairs_kernels();

}  // namespace alnus::cuda
