// scores16: scores of alignments, two in the halves of every register (docs/cuda-kernels.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "alnus/scoring.h"
#include "cuda/kernels/scores16_shapes.h"

namespace alnus::cuda {

// Stored scores are H + Borders::zero, and never below kFloor. So one 32-bit addition subtracts a gap's cost
// of up to kFloor from both halves of a register, without a borrow between them.
inline constexpr std::int32_t kFloor = 1024;
// The highest stored scores; kHighestEnds is for Goal::ends.
inline constexpr std::int32_t kHighest16 = 32767, kHighestEnds = 65535;

inline constexpr std::uint32_t kNoRow = UINT32_MAX;  // no query in this half of a lane block
inline constexpr std::uint32_t kOneQuery =
    UINT32_MAX - 1;  // in the high half: both halves have the low half's query

// The query rows of one thread: Shape::rows of them or fewer, of one query in each half of the registers.
// Missing rows are padding. With Goal::ends padding comes before the query's first row, so that the query's
// last row is the last row of a block; otherwise it comes behind the last row. With Packing::two_subjects
// both halves have the low half's rows: row[1] is kOneQuery.
struct LaneBlock {
  std::uint32_t residues[2];        // index of the block's first query row in the codes of all queries
  std::int32_t before[2];           // rows of the query before the block; < 0: it begins with padding
  std::uint16_t count[2];           // rows of the query in the block
  std::uint8_t starts[2], ends[2];  // 1 if the query starts (ends) here; a start takes nothing from above
  std::uint32_t row[2];             // the query's row of the tile, where scores go; or kNoRow, kOneQuery
};

// Consecutive lane blocks that depend on no others. A pass computes Shape::lanes of a bin's lane blocks.
struct Bin {
  std::uint32_t first_block, blocks;
  std::uint32_t first_pass;   // number of the bin's first pass among the passes of all bins
  std::uint32_t first_strip;  // strips before this one are not wanted
};

// Subjects of a quad, which lie residue beside residue. With kNarrowLanes lanes each they fill a warp.
inline constexpr std::uint32_t kSubjects = 4;

// The subjects that one warp works on at a time: up to 32 / Shape::lanes of them, from the same quad.
struct Strip {
  std::uint64_t offset;    // of the first subject's first residue, in the packed residues
  std::uint32_t length;    // columns of the longest subject
  std::uint32_t column;    // the first subject's column of the tile, where scores go
  std::uint32_t subjects;  // how many subjects
};

// The cost of a gap along a border of the dynamic programming matrix; all members are 0 if the gap is free.
struct BorderCost {
  std::int32_t open, extend;
  std::uint32_t extended;  // halves_addend(extend)
};

// The borders of the dynamic programming matrix, for i and j above 0:
//   H(i,0) = -(left.open + i * left.extend)
//   H(0,j) = -(above.open + j * above.extend)
// `zero` is the stored value of H = 0: kFloor for local alignments.
struct Borders {
  std::int32_t zero;
  BorderCost left, above;
};

// What the traced versions keep of the dynamic programming matrix in device memory, so that any part of it
// can be computed again (traceback16.h). In each step of a warp, a lane goes one column further. The steps
// are cut in trace windows of kWindow steps. Arrays are ordered by pass (of all bins), strip, and window of
// the strip; the values of a warp's threads lie side by side.
inline constexpr std::uint32_t kWindow = 16;
struct Trace16 {
  // kWindowFours uint4 for each window and thread: H and E of all rows before the window's first step, two
  // rows in each uint4; then for each step H and F of the middle row and of the last row.
  uint4* windows;
  // A thread's best stored score before each window and, behind the last window of a strip, the best of all
  // columns.
  std::uint32_t* bests;
  uint4* last_columns;  // Goal::ends: kColumnFours a strip and thread, H of all rows in the last column
  const std::uint32_t* first_window;  // [strip]: number of its first window
  std::uint32_t windows_of_pass;      // number of trace windows of all strips in a pass
};
inline constexpr std::uint32_t kTraceRows = kTracedShape.rows, kWindowFours = kTraceRows / 2 + kWindow,
                               kColumnFours = kTraceRows / 4;

// Spreads the first items of a launch, which are the longest, over the multiprocessors: those thread blocks
// that are the first to begin on their multiprocessor take them, and the other blocks begin with the items
// behind them. Thread blocks of either kind take the items of the other kind when their own are taken,
// because some multiprocessors may get no thread block. (Without it, blocks on the same multiprocessor often
// take several of the longest items, because they come to the counter one after the other.)
struct Spread {
  // In device memory, words() of them, 0 before the launch: the number of first items that are taken, and
  // then, for each multiprocessor, the number of thread blocks that have begun on it.
  std::uint32_t* counters;
  std::uint32_t items, multiprocessors;  // items: the number of first items; 0: none are spread

  static constexpr std::size_t words(int multiprocessors) {
    return 1 + static_cast<std::size_t>(multiprocessors);
  }
};

struct Scores16 {
  const uint4* profiles;  // [lane block][letter][four rows]: a word for each row, a score in each half
  const LaneBlock* blocks;
  const Bin* bins;
  // Strips in order of decreasing length. Null: the strips are all quads of the subjects [begin, end), with
  // kNarrowLanes lanes for each subject.
  const Strip* strips;
  std::uint32_t begin, end, first_column;  // offsets in the slab: the subjects, and the one whose column is 0
  const std::uint64_t* places;             // [quad]: index of its first column in `packed`
  const std::uint32_t* lengths;
  const std::uint8_t* packed;
  std::uint32_t bin_count, strip_count, letters;
  std::uint32_t batch;       // subjects that a thread block takes at a time; only short16 reads it
  std::uint32_t* next_item;  // counter of the items taken behind the first ones; 0 before the launch
  std::int32_t* scores;      // [row * stride + column]; before the launch a low value, 0 for local alignments
  std::uint64_t stride;
  uint2* boundary;  // rows between passes: [launched blocks][boundary_entries]; unused if bins have one pass
  std::uint64_t boundary_entries;  // entries for each thread block
  // whole_addend() of the cost of a gap's first residue, halves_addend() of the cost of each further one.
  std::uint32_t opened, extended;
  Borders borders;
  FreeEnds free_ends;         // Goal::ends
  Trace16 trace;              // traced versions only
  const std::uint32_t* stop;  // the stop word
  Spread spread;              // of Packing::two_subjects only
};

// The addend of one 32-bit addition that subtracts `cost` from both halves of a register. Both halves must be
// at least `cost`.
constexpr std::uint32_t whole_addend(std::uint32_t cost) { return 0u - cost * 0x10001u; }
// The addend that subtracts `cost` from both halves in an addition half by half (add_max in halves.cuh).
constexpr std::uint32_t halves_addend(std::uint32_t cost) { return ((0x10000u - cost) & 0xffffu) * 0x10001u; }

// One version of the kernel scores16.
class Scores16Kernel {
 public:
  // `longest`: residues of the longest subject. Throws Error(device) if there is no such version
  // (has_version).
  Scores16Kernel(Packing packing, Shape shape, Goal goal, std::uint32_t extend, std::uint32_t longest,
                 bool traced = false);

  static constexpr int kWarps = 8;  // of a thread block
  // Bytes of shared memory for a profile of `letters` letters.
  static std::size_t shared_bytes(Shape shape, std::uint32_t letters);
  // Tells how many thread blocks fit a multiprocessor. The call takes some microseconds: see Occupancy.
  cudaError_t occupancy(std::uint32_t letters, int* blocks) const;
  // Entries of `boundary` that one thread block needs for subjects of up to `longest` residues.
  std::uint64_t boundary_entries(std::uint32_t longest) const;
  // Strips that one thread block takes at a time.
  std::uint32_t strips_per_item() const { return packing_ == Packing::two_subjects ? 2 * kWarps : kWarps; }
  cudaError_t launch(const Scores16& work, int blocks, cudaStream_t stream) const;
  bool operator==(const Scores16Kernel&) const = default;

 private:
  cudaError_t allow_shared(std::uint32_t letters) const;

  Packing packing_;
  Shape shape_;
  void (*kernel_)(Scores16);
};

// By how much a score of Goal::coarse may be too low. A score in a row that is not looked at comes down to
// the next row that is looked at by a gap of three residues at most.
constexpr std::int32_t coarse_slack(std::int32_t open, std::int32_t extend) { return open + 3 * extend; }

}  // namespace alnus::cuda
