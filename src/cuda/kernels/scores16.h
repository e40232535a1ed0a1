// Scores of alignments, two in the halves of every register (docs/cuda-kernels.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "alnus/scoring.h"
#include "cuda/kernels/scores16_shapes.h"

namespace alnus::cuda {

// Stored scores are H + Scores16::zero, and never below kFloor: then the subtraction of a gap's cost from
// both halves of a register is one 32-bit add, without a borrow, as long as that cost is at most kFloor.
inline constexpr std::int32_t kFloor = 1024;
inline constexpr std::int32_t kHighest16 = 32767, kHighestEnds = 65535;  // stored; of Goal::ends the latter

inline constexpr std::uint32_t kNoRow = UINT32_MAX;  // nothing in this half
inline constexpr std::uint32_t kOneQuery =
    UINT32_MAX - 1;  // in the high half: the low one's query stands for both

// The query rows of one thread: `rows` of them or fewer, of one query in each half of the register.
// Goal::ends has those that are not there before the query's first row, so that its last one is the last row
// of a block, the others behind its last. With Packing::two_subjects the low half's stand for both: row[1] is
// kOneQuery.
struct LaneBlock {
  std::uint32_t residues[2];        // where the codes of its first row of the query lie
  std::int32_t before[2];           // rows of the query before the block; less than 0 where padding is
  std::uint16_t count[2];           // rows of the query
  std::uint8_t starts[2], ends[2];  // whether the query does, here: nothing enters from the block above
  std::uint32_t row[2];             // where scores go: the query's row of the tile, or kNoRow
};

// Consecutive lane blocks that depend on none outside, `lanes` of them a pass.
struct Bin {
  std::uint32_t first_block, blocks;
  std::uint32_t first_pass;   // of the passes of all bins
  std::uint32_t first_strip;  // those before it are not wanted
};

// Subjects lie in quads, residue beside residue; so many lanes each make a warp.
inline constexpr std::uint32_t kSubjects = 4;

// Subjects that one warp works on at a time, 32 / Shape::lanes of them, from the same quad.
struct Strip {
  std::uint64_t offset;    // of the first's first residue, in the packed residues
  std::uint32_t length;    // columns, of the longest
  std::uint32_t column;    // where scores go: the first subject's column of the tile
  std::uint32_t subjects;  // that there are
};

struct BorderCost {
  std::int32_t open, extend;
  std::uint32_t extended;  // halves_addend(extend)
};

// H(i,0) = -(open + i * extend) of `left`, H(0,j) likewise of `above`, 0 where that is free. H = 0 is stored
// as `zero`: kFloor for local alignments.
struct Borders {
  std::int32_t zero;
  BorderCost left, above;
};

// What the traced versions keep of the matrix, so that any part of it can be computed again (traceback16.h).
// The steps of a warp, in each of which a lane is a column further, are cut in windows of kWindow. All lies
// by passes of all bins, strips, and windows of the strip; the threads of a warp have theirs side by side.
inline constexpr std::uint32_t kWindow = 16;
struct Trace16 {
  uint4* windows;  // kWindowFours: H and E of all rows before its first step, of two rows each; then of each
                   // step H and F of the middle row and of the last one
  std::uint32_t*
      bests;            // the best before the window, and behind all windows of the strip that of all columns
  uint4* last_columns;  // Goal::ends; kColumnFours of each strip: H of all rows in the subject's last column
  const std::uint32_t* first_window;  // of each strip
  std::uint32_t windows_of_pass;      // of all strips
};
inline constexpr std::uint32_t kTraceRows = kTracedShape.rows, kWindowFours = kTraceRows / 2 + kWindow,
                               kColumnFours = kTraceRows / 4;

struct Scores16 {
  const uint4* profiles;  // by lane block, letter and four rows: two scores in a word, low half first
  const LaneBlock* blocks;
  const Bin* bins;
  // In order of decreasing length; null: all quads of the subjects [begin, end), with kNarrowLanes lanes
  // each.
  const Strip* strips;
  std::uint32_t begin, end, first_column;  // in `places` and `lengths`; the subject whose column is 0
  const std::uint64_t* places;             // of each quad's first column, in the packed residues
  const std::uint32_t* lengths;
  const std::uint8_t* packed;
  std::uint32_t bin_count, strip_count, letters;
  std::uint32_t batch;       // subjects that a block of threads takes at a time; only short16 reads it
  std::uint32_t* next_item;  // 0 before the launch
  std::int32_t* scores;      // [row * stride + column]; low before the launch, 0 for local alignments
  std::uint64_t stride;
  uint2* boundary;  // of launched blocks: blocks * boundary_entries; unused when bins have one pass
  std::uint64_t boundary_entries;
  std::uint32_t opened,
      extended;  // whole_addend() of a gap's first residue, halves_addend() of every further one
  Borders borders;
  FreeEnds free_ends;         // Goal::ends
  Trace16 trace;              // of traced versions
  const std::uint32_t* stop;  // the stop word
};

// A 32-bit add of it subtracts `cost` from both halves of a register, if neither is smaller.
constexpr std::uint32_t whole_addend(std::uint32_t cost) { return 0u - cost * 0x10001u; }
// The same for an addition half by half.
constexpr std::uint32_t halves_addend(std::uint32_t cost) { return ((0x10000u - cost) & 0xffffu) * 0x10001u; }

// One version of the kernel.
class Scores16Kernel {
 public:
  // For subjects of up to `longest` residues. Throws Error(device) for a version that there is not
  // (has_version).
  Scores16Kernel(Packing packing, Shape shape, Goal goal, std::uint32_t extend, std::uint32_t longest,
                 bool traced = false);

  static constexpr int kWarps = 8;
  // Of shared memory, for a profile of so many letters.
  static std::size_t shared_bytes(Shape shape, std::uint32_t letters);
  // Blocks that fit a multiprocessor. It takes some microseconds: see Occupancy.
  cudaError_t occupancy(std::uint32_t letters, int* blocks) const;
  // Entries of `boundary` that one block needs for subjects up to `longest`.
  std::uint64_t boundary_entries(std::uint32_t longest) const;
  // Strips that one block takes at a time.
  std::uint32_t strips_per_item() const { return packing_ == Packing::two_subjects ? 2 * kWarps : kWarps; }
  cudaError_t launch(const Scores16& work, int blocks, cudaStream_t stream) const;
  bool operator==(const Scores16Kernel&) const = default;

 private:
  cudaError_t allow_shared(std::uint32_t letters) const;

  Packing packing_;
  Shape shape_;
  void (*kernel_)(Scores16);
};

// A score reached in another row than those that are looked at comes down to one of them by a gap of three.
constexpr std::int32_t coarse_slack(std::int32_t open, std::int32_t extend) { return open + 3 * extend; }

}  // namespace alnus::cuda
