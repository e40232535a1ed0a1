// Alignments of the pairs of a rectangle, from what the traced versions of scores16 keep: the squares of the
// dynamic programming matrix that a path crosses are computed once more.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "core/device.h"
#include "cuda/kernels/packed_pair.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

// A row of the rectangle, and which of its pairs are wanted.
struct QueryPlace {
  std::uint64_t codes;  // index of its first residue in Traceback16::queries
  std::uint32_t length;
  std::uint32_t pads;          // rows of padding before its first row
  std::uint32_t first_block;   // number of its first lane block
  std::uint32_t first_lane;    // the lane of that block, counted through the lanes of all passes
  std::uint32_t half;          // of the registers that it is in: 0 is the low half
  std::uint32_t begin, end;    // its wanted columns
  std::uint64_t first_result;  // place of the result of column `begin` in Traceback16::results
  std::uint64_t first_move;    // place of its moves in Traceback16::moves
};

// A column of the rectangle.
struct SubjectPlace {
  std::uint64_t residues;  // index of its first residue in Scores16::packed
  std::uint32_t length;
  std::uint32_t strip;
  std::uint32_t in_strip;  // its number in the strip
};

// The path of a pair: the number of squares that it crosses (each has a word of moves), the number of runs of
// its CIGAR, and the residues of the gaps at the begin of the alignment, before these squares.
struct Walked {
  std::uint32_t squares, runs, leading_insertion, leading_deletion;
};
// The most squares that a path of m query and n subject residues crosses.
std::uint32_t most_squares(std::uint32_t m, std::uint32_t n);

// Sums over a launch.
struct TracebackTotals {
  std::uint64_t runs;       // places for all runs; a pair has a multiple of kRunsTogether
  std::uint64_t written;    // places taken so far
  std::uint64_t overflown;  // pairs for which 16 bits do not suffice
};

struct Traceback16 {
  Scores16 scores16;  // the input of the launch of scores16, with kNarrowLanes
  std::uint32_t rows, columns;
  const QueryPlace* query_places;
  const std::uint32_t* order;  // row numbers, ordered so that neighbors share lanes and what these kept
  const SubjectPlace* subject_places;
  const std::uint8_t* queries;  // letters of all queries; different residues have different letters
  const uint4* scores_of_rows;  // from launch_scores_of_rows()
  const std::int32_t* matrix;   // [query's letter][subject's letter], 32 x 32
  std::int32_t overflow;        // scores from here on may be too low
  std::int32_t open, extend;
  Position first_row, first_column;  // positions of row 0 and column 0
  bool ends_only, writes_runs;
  std::uint64_t* moves;      // moves16.cuh: a word for each square of a path, from its end to its begin
  Walked* walked;            // [result]
  TracebackTotals* totals;   // 0 before the launch
  PairResult* results;       // out, without CIGARs
  std::uint32_t* overflown;  // out: numbers of results whose score reaches `overflow`; only their row and
                             // column are valid
};
cudaError_t launch_traceback16(const Traceback16& work, Goal goal, cudaStream_t stream);

// To be called after launch_traceback16. Writes the CIGARs of all pairs to `runs`, one after the other in no
// certain order, and lets the results point to the copies that will be at `on_host`.
cudaError_t launch_write_runs(const Traceback16& work, CigarRun* runs, const CigarRun* on_host,
                              cudaStream_t stream);
// These write results and CIGARs in fewer bytes, for sequences of up to kLongestPacked residues.
// launch_pack_pairs comes first and packs the results; then, if there are CIGARs, launch_write_packed_runs
// writes their runs.
cudaError_t launch_pack_pairs(const PairResult* results, std::uint64_t pairs, PackedPair* packed,
                              cudaStream_t stream);
cudaError_t launch_write_packed_runs(const Traceback16& work, PackedRun* runs, PackedPair* packed,
                                     cudaStream_t stream);

// Loads the code of these kernels, so that none has to be loaded while another kernel runs.
cudaError_t load_traceback16_kernels();

}  // namespace alnus::cuda
