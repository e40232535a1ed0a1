// Exact 32-bit scores and end cells of a list of pairs: every mode, any lengths, any matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "alnus/scoring.h"

namespace alnus::cuda {

// A sequence in device memory: codes below 32, `stride` bytes from one to the next (4 where four subjects lie
// side by side).
struct DeviceSequence {
  const std::uint8_t* first;
  std::uint32_t stride, length;
};

struct DevicePair {
  DeviceSequence query, subject;
};

struct DeviceScoring {
  std::int32_t matrix[kMaxLetters][kMaxLetters];  // [query's code][subject's code]
  std::int32_t open, extend;
  Mode mode;
  FreeEnds free_ends;
};
DeviceScoring device_scoring(const Scoring& scoring);

// Score and end cell of a pair, as in Alignment: {0, 0, 0} for a local alignment of score 0.
struct PairEnds {
  std::int32_t score, query_end, subject_end;
};

// Rows (residues of the query) that a warp computes in a pass. A row costs less in a long pass. The last row
// of a pass goes to the next pass through device memory.
inline constexpr std::uint32_t kPassRows = 256, kLongPassRows = 512;
inline constexpr std::uint32_t kTeamWarps = 4;  // warps that may share a pair

// A warp takes a pair; a team of kTeamWarps warps takes a pair of several passes and at least `team_cells`
// cells. Pairs are taken in their order, so the longest should come first. No score of any part of an
// alignment may lie beyond +-2^30. All pointers are the device's.
struct EndsLaunch {
  const DevicePair* pairs;
  const std::uint32_t* count;  // number of pairs, at most `most`; null: `most` pairs
  std::uint32_t most;
  std::uint64_t team_cells;
  bool long_passes;  // passes of kLongPassRows; for work mostly with queries of more than kPassRows
  const DeviceScoring* scoring;
  std::uint32_t longest_subject;  // of the pairs whose query is longer than kPassRows
  PairEnds* ends;                 // out, [most]
  std::byte* workspace;           // workspace_bytes(longest_subject, warps)
  std::uint32_t* counter;         // one word, used by no other launch at the same time
  int warps;                      // warps that work at a time; warps_of(multiprocessors) fill the device
  const std::uint32_t* stop;      // the stop word
};
cudaError_t launch_ends(const EndsLaunch& work, cudaStream_t stream);

// EndsLaunch::team_cells for pairs of `all_cells` cells together: a pair that would keep one warp busy for a
// quarter of the whole time, or longer, is for a team, unless it has fewer than 2^18 cells.
std::uint64_t team_cells(std::uint64_t all_cells, int warps);

// The warps that fill a GPU. A launch with fewer warps needs a smaller workspace and more time.
int warps_of(int multiprocessors);
std::size_t workspace_bytes(std::uint32_t longest_subject, int warps);

// Loads the code of these kernels, so that none has to be loaded while another kernel runs.
cudaError_t load_pairs_kernels();

}  // namespace alnus::cuda
