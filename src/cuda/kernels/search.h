// The small kernels around the scores of a search: sequences and profiles as scores16 wants them, and the
// choice of what is worth handing over.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/kernels/pairs.h"
#include "cuda/kernels/scores16.h"
#include "cuda/limits.h"

namespace alnus::cuda {

// Residues in device memory: of four subjects side by side, the longest first, padded to its length, with
// kPadColumns of the pad letter before and after it.
inline constexpr std::uint32_t kPadColumns = 40;

// A sequence as it lies in a file.
struct RawSequence {
  std::uint64_t offset;
  std::uint32_t length;
};

// `sequences` holds four for each of `quads`, absent ones of length 0; `places` where each quad's first
// column goes, into `packed`. `letters` maps what is in the file to letters, letters[255] the pad.
struct Packing4 {
  const std::uint8_t* raw;
  const RawSequence* sequences;
  const std::uint64_t* places;
  std::uint32_t quads;
  const std::uint8_t* letters;
  std::uint8_t* packed;
};
cudaError_t launch_pack(const Packing4& work, cudaStream_t stream);

// Fills Scores16::profiles. `scores[letter of the query][letter of the subject]`, 32 x 32.
struct Profiles {
  const LaneBlock* blocks;
  std::uint32_t block_count, rows, letters;  // rows of a block; letters with the pad, which is the last
  const std::uint8_t* queries;               // letters
  const std::int32_t* scores;
  std::int32_t pad_score;  // of rows that are not there
  uint4* profiles;
};
cudaError_t launch_profiles(const Profiles& work, cudaStream_t stream);

// The same scores, which fit bytes, of single queries: kRowsOfFour rows a uint4, by lane block, half, upper
// and lower rows, and letter. (The profiles may be null.)
inline constexpr std::uint32_t kRowsOfFour = 16;
cudaError_t launch_scores_of_rows(const Profiles& work, uint4* scores_of_rows, cudaStream_t stream);

// A pair worth handing over.
struct Candidate {
  std::uint32_t row, column;  // of the tile
  std::int32_t score;
};

// The columns of a row whose scores are known, if those are below Selection::overflow.
struct KnownColumns {
  std::uint32_t begin, end;
};

// The columns of a row have floors by range: this many columns each.
inline constexpr std::uint32_t kFloorRanges = 32;
constexpr std::uint32_t floor_width(std::uint32_t columns) {
  return columns < kFloorRanges ? 1 : (columns + kFloorRanges - 1) / kFloorRanges;
}

// Finds in each row all pairs that score at least their floor, and as high as the `most`-th best of those or
// higher, or up to `slack` less in the coarse columns; and those whose scores are not known: `overflow` or
// higher, or in no known column. Some others may come with them. `found` counts all of them; those beyond
// `room` are not kept.
struct Selection {
  const std::int32_t* scores;
  std::uint32_t rows, columns;
  std::uint64_t stride;
  const std::int32_t* floors;  // [row * kFloorRanges + range]
  const KnownColumns* known;   // by row
  std::uint32_t most;          // 0: all that reach the floor
  std::uint32_t coarse_from;   // columns before it have no slack
  std::int32_t slack, overflow;
  Candidate* candidates;
  std::uint32_t* found;  // 0 before the launch
  std::uint32_t room;
};
cudaError_t launch_selection(const Selection& work, cudaStream_t stream);

// The candidates whose exact scores are not known, as pairs, and their scores put into the candidates.
struct Rescoring {
  const std::uint32_t* found;  // candidates; those beyond `room` were not kept
  std::uint32_t room;
  std::uint32_t coarse_from;  // the candidates of known columns before it are exact already, if they score
  std::int32_t overflow;      // less than this
  const KnownColumns* known;  // by row
  Candidate* candidates;
  const std::uint64_t* query_offsets;  // rows + 1, into queries
  const std::uint8_t* queries;
  const std::uint64_t* places;  // as Slab's
  const std::uint32_t* lengths;
  const std::uint8_t* packed;
  std::uint32_t first_column;  // the slab's sequence that is column 0
  std::uint32_t* count;        // of pairs; 0 before the launch
  DevicePair* pairs;
  std::uint32_t* numbers;  // their candidates'
  const PairEnds* ends;
};
cudaError_t launch_pairs_of_candidates(const Rescoring& work, cudaStream_t stream);
cudaError_t launch_scores_of_candidates(const Rescoring& work, cudaStream_t stream);

// So that none has to be loaded while another one runs.
cudaError_t load_search_kernels();

}  // namespace alnus::cuda
