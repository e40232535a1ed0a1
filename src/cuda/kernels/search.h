// The small kernels before and after scores16 in a search. They lay out sequences and profiles for scores16,
// and choose the pairs that are worth handing over.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/kernels/pairs.h"
#include "cuda/kernels/scores16.h"
#include "cuda/limits.h"

namespace alnus::cuda {

// Packed residues are those of four subjects side by side (a quad), the longest first. The others are padded
// to its length, and kPadColumns columns of the pad letter come before and after, because the lanes of a warp
// are up to 31 columns apart and read beyond the subject.
inline constexpr std::uint32_t kPadColumns = 40;

// A sequence in Packing4::raw.
struct RawSequence {
  std::uint64_t offset;
  std::uint32_t length;
};

// The input of `pack`, which packs quads of subjects. All pointers are the device's.
// `sequences` has four for each of `quads` quads, with length 0 where there is none. `places` tells where
// each quad's first column goes in `packed`. `letters` maps the residues of `raw` to letters; letters[255] is
// the pad.
struct Packing4 {
  const std::uint8_t* raw;
  const RawSequence* sequences;
  const std::uint64_t* places;
  std::uint32_t quads;
  const std::uint8_t* letters;
  std::uint8_t* packed;
};
cudaError_t launch_pack(const Packing4& work, cudaStream_t stream);

// The input of fill_profiles, which fills Scores16::profiles. `scores` is [query's letter][subject's letter],
// 32 x 32.
struct Profiles {
  const LaneBlock* blocks;
  std::uint32_t block_count, rows, letters;  // rows of a lane block; letters, the last of which is the pad
  const std::uint8_t* queries;               // letters of all queries
  const std::int32_t* scores;
  std::int32_t pad_score;  // score of padding rows with any letter
  uint4* profiles;
};
cudaError_t launch_profiles(const Profiles& work, cudaStream_t stream);

// Writes the scores that fill_profiles writes, but for single queries and as signed bytes, which the scores
// must fit. A uint4 has kRowsOfFour rows of one query; the order is [lane block][half][kRowsOfFour
// rows][letter]. Profiles::profiles may be null.
inline constexpr std::uint32_t kRowsOfFour = 16;
cudaError_t launch_scores_of_rows(const Profiles& work, uint4* scores_of_rows, cudaStream_t stream);

// A pair that the sink may want.
struct Candidate {
  std::uint32_t row, column;  // row of the tile, and column of the slab's scores
  std::int32_t score;
};

// The columns [begin, end) of a row whose scores are known, as far as these scores are below
// Selection::overflow. Pairs in other columns are scored again in 32 bits.
struct KnownColumns {
  std::uint32_t begin, end;
};

// The columns of a row are cut in ranges, each with a floor of its own, because long subjects need higher
// scores for the same E-value. floor_width(): columns of a range.
inline constexpr std::uint32_t kFloorRanges = 32;
constexpr std::uint32_t floor_width(std::uint32_t columns) {
  return columns < kFloorRanges ? 1 : (columns + kFloorRanges - 1) / kFloorRanges;
}

// The input of `select`, which finds in each row the pairs that score at least their floor and at least the
// `most`-th best score of such pairs; in coarse columns they may score up to `slack` less. `select` also
// finds all pairs whose score is unknown: `overflow` or higher, or outside the known columns. Some other
// pairs may be found with them. `found` counts all of them; those beyond `room` are not kept.
struct Selection {
  const std::int32_t* scores;
  std::uint32_t rows, columns;
  std::uint64_t stride;
  const std::int32_t* floors;  // [row * kFloorRanges + range]
  const KnownColumns* known;   // by row
  std::uint32_t most;          // 0: all pairs that reach their floor
  std::uint32_t coarse_from;   // columns before this one have no slack
  std::int32_t slack, overflow;
  Candidate* candidates;
  std::uint32_t* found;  // 0 before the launch
  std::uint32_t room;
};
cudaError_t launch_selection(const Selection& work, cudaStream_t stream);

// The sequences of a tile in device memory: its queries, by row, and its subjects, by column of the scores.
struct TileSequences {
  const std::uint64_t* query_offsets;  // rows + 1, into queries
  const std::uint8_t* queries;
  const std::uint64_t* places;  // [quad]: index of its first column in `packed`
  const std::uint32_t* lengths;
  const std::uint8_t* packed;
  std::uint32_t first_column;  // offset in the slab of the sequence that is column 0
};

// The input of make_pairs, which makes pairs of the candidates whose exact scores are unknown, and of
// take_scores, which puts the exact scores of these pairs into the candidates.
struct Rescoring {
  const std::uint32_t* found;  // number of candidates; those beyond `room` were not kept
  std::uint32_t room;
  // Scores below `overflow` in known columns before `coarse_from` are exact.
  std::uint32_t coarse_from;
  std::int32_t overflow;
  const KnownColumns* known;  // by row
  Candidate* candidates;
  TileSequences sequences;
  std::uint32_t* count;  // number of pairs; 0 before the launch
  DevicePair* pairs;
  std::uint32_t* numbers;  // [pair]: the number of its candidate
  const PairEnds* ends;    // [pair]: its exact score
};
cudaError_t launch_pairs_of_candidates(const Rescoring& work, cudaStream_t stream);
cudaError_t launch_scores_of_candidates(const Rescoring& work, cudaStream_t stream);

// Loads the code of these kernels, so that none has to be loaded while another kernel runs.
cudaError_t load_search_kernels();

}  // namespace alnus::cuda
