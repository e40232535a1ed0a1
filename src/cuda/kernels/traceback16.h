// Alignments of the pairs of a rectangle, from what the traced versions of scores16 keep: squares of the
// matrix are computed once more where a path crosses them.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "core/device.h"
#include "cuda/kernels/packed_pair.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

// A row of the rectangle, and which of its pairs are wanted.
struct QueryPlace {
  std::uint64_t codes;  // of its first residue, in Traceback16::queries
  std::uint32_t length;
  std::uint32_t pads;         // rows of padding before its first one
  std::uint32_t first_block;  // of its lane blocks
  std::uint32_t first_lane;   // that has it, counted through the lanes of all passes
  std::uint32_t half;
  std::uint32_t begin, end;    // columns
  std::uint64_t first_result;  // where that of `begin` goes, in Traceback16::results
  std::uint64_t first_move;    // where its moves go, in Traceback16::moves
};

// A column.
struct SubjectPlace {
  std::uint64_t residues;  // its first, in Traceback16::packed
  std::uint32_t length;
  std::uint32_t strip;
  std::uint32_t in_strip;
};

// The way back of a pair: so many words of moves, and before these a gap.
struct Walked {
  std::uint32_t squares, runs, leading_insertion, leading_deletion;
};
// Most words.
std::uint32_t most_squares(std::uint32_t m, std::uint32_t n);

// Of a launch.
struct TracebackTotals {
  std::uint64_t runs;       // places for them
  std::uint64_t written;    // of these, so far
  std::uint64_t overflown;  // pairs for which 16 bits do not suffice
};

struct Traceback16 {
  Scores16 scores16;  // what was launched, with kNarrowLanes
  std::uint32_t rows, columns;
  const QueryPlace* query_places;
  const std::uint32_t* order;  // of the rows: neighbors share what was kept of their matrices
  const SubjectPlace* subject_places;
  const std::uint8_t* queries;  // letters, which tell all residues apart that are not the same
  const uint4* scores_of_rows;  // of launch_scores_of_rows()
  const std::int32_t* matrix;   // as Profiles::scores
  std::int32_t overflow;        // scores that may be too low
  std::int32_t open, extend;
  Position first_row, first_column;  // in the results
  bool ends_only, writes_runs;
  std::uint64_t* moves;      // moves16.cuh: a word for each square of a path, from its end to its begin
  Walked* walked;            // of each pair
  TracebackTotals* totals;   // 0 before the launch
  PairResult* results;       // but for their CIGARs
  std::uint32_t* overflown;  // numbers of the results of those pairs, which have a row and a column only
};
cudaError_t launch_traceback16(const Traceback16& work, Goal goal, cudaStream_t stream);

// After launch_traceback16: the runs of all pairs, one CIGAR after the other in no certain order. The results
// are given those that will be at `on_host`.
cudaError_t launch_write_runs(const Traceback16& work, CigarRun* runs, const CigarRun* on_host,
                              cudaStream_t stream);
// The same in fewer bytes, of sequences of up to kLongestPacked residues: first the results, then, if there
// are CIGARs, their runs.
cudaError_t launch_pack_pairs(const PairResult* results, std::uint64_t pairs, PackedPair* packed,
                              cudaStream_t stream);
cudaError_t launch_write_packed_runs(const Traceback16& work, PackedRun* runs, PackedPair* packed,
                                     cudaStream_t stream);

// So that none has to be loaded while another one runs.
cudaError_t load_traceback16_kernels();

}  // namespace alnus::cuda
