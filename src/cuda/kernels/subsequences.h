// Lengths of longest common subsequences of a tile's queries and subjects. One thread computes a pair, a bit
// for each cell (cpu/subsequence.h has the recurrence).
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/kernels/search.h"

namespace alnus::cuda {

inline constexpr std::uint32_t kMostSubsequenceRows = 6144;  // residues of a query

// All pointers are the device's.
struct Subsequences {
  TileSequences sequences;
  std::uint32_t first_row, rows;       // the rows of the tile that a launch does
  std::uint32_t columns;               // subjects; the width of `scores`
  const std::uint32_t* common;         // by query's letter: a bit for each subject's letter that is common
  const std::uint32_t* first_columns;  // by row: its first column with a pair
  std::int32_t unit;                   // score of two common letters
  std::int32_t* scores;                // out: [row * columns + column]; null: pairs are listed
  const std::int32_t* floors;  // lowest score of a listed pair: [row * kFloorRanges + range of columns]
  Candidate* listed;           // out: room for `room` pairs
  std::uint32_t* found;  // out: number of pairs to list, also of those beyond `room`; the caller sets it to 0
  std::uint32_t room;
  const std::uint32_t* stop;  // the stop word
};
// `longest`: residues of the longest of these rows, at most kMostSubsequenceRows.
cudaError_t launch_subsequences(const Subsequences& work, std::uint32_t longest, cudaStream_t stream);
// The most residues of a query that the kernel for queries of `length` residues takes without more time.
std::uint32_t rows_of_subsequences(std::uint32_t length);

// Loads the code of these kernels, so that none has to be loaded while another kernel runs.
cudaError_t load_subsequence_kernels();

}  // namespace alnus::cuda
