// Measured speeds of the kernels, and the thresholds that follow from them. `bench/` has the tools that
// measure; docs/results/h200.md has the figures.
#pragma once

#include <cstdint>

#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

inline constexpr double kFullMultiprocessors = 132;  // of the GPU that was measured

// The speed of a shape on that GPU, an H200 at 1.98 GHz, in the version of scores16 that computes exact
// scores. kCoarseFaster tells how much faster the coarse versions are, whose scores may be too low.
struct Measured {
  Packing packing;
  Shape shape;
  double tcups;  // 1e12 cells a second
};
inline constexpr Measured kNarrow[] = {
    {Packing::two_queries, {8, 32}, 6.0},  {Packing::two_subjects, {8, 12}, 4.6},
    {Packing::two_subjects, {8, 18}, 5.0}, {Packing::two_subjects, {8, 24}, 5.2},
    {Packing::two_subjects, {8, 30}, 5.3}, {Packing::two_subjects, {8, 32}, 5.4},
};
inline constexpr Measured kWide[] = {
    {Packing::two_queries, {32, 32}, 6.1},
    {Packing::two_queries, {16, 32}, 6.2},  // where shared memory does not suffice for 32 lanes
    {Packing::two_queries, {8, 32}, 4.9},   // where it does not suffice for 16 lanes, either
    {Packing::two_subjects, {16, 9}, 3.9},
    {Packing::two_subjects, {16, 16}, 4.6},
    {Packing::two_subjects, {32, 16}, 5.0},
};

// True if scores16_shapes.h compiles every shape of the table.
template <std::size_t count>
constexpr bool are_compiled(const Measured (&table)[count]) {
  for (const Measured& measured : table)
    if (!has_shape({measured.packing, measured.shape})) return false;
  return true;
}
static_assert(are_compiled(kNarrow) && are_compiled(kWide));

// short16 is faster than scores16 in tiles of this many rows or more, with subjects of this many residues or
// fewer. A warp of short16 has 64 queries and one subject.
inline constexpr std::uint32_t kFewestShortRows = 32, kLongestShortSubject = 128;

// kEndsTcups: speed with Goal::ends, in 1e12 cells a second, for all shapes. The 16-bit kernel is used if 16
// bits suffice for at least the fraction kKnownShare of a tile's cells.
inline constexpr double kEndsTcups = 6, kKnownShare = 0.25;

// Speed of the kernels of common subsequences, in 1e12 cells a second.
inline constexpr double kSubsequenceTcups = 100;

// Speed of alignments of rectangles in 16 bits, in 1e12 cells a second. Measured in all modes: 2.0 with
// sequences of 154 residues, 2.4 with 257, 2.6 to 2.9 with 459, 3.2 with 1,103.
inline constexpr double kRectanglesTcups = 2.4;

// Long subjects get more lanes each: their steps are shorter, but more lanes idle at their ends. A subject is
// long if with few lanes it would take more than the fraction kLongPart of the whole time. Subjects of up to
// kWideAbove residues are never long, subjects of more than kNarrowBelow always are.
inline constexpr double kLongPart = 1.0 / 8;
inline constexpr std::uint32_t kWideAbove = 640, kNarrowBelow = 2048;

// Clocks that a step of a warp takes if the warp has a scheduler to itself: kClocksOfRow for each row of a
// lane, and kClocksOfStep in addition. kWarpsOfScheduler warps share a scheduler.
inline constexpr double kClocksOfRow = 14, kClocksOfStep = 60, kWarpsOfScheduler = 2;
inline constexpr double kClock = 1.98e9;  // Hz
// kCrowded: the factor by which a step is slower if subjects of different lengths share a multiprocessor, as
// in a search with one long query.
inline constexpr double kCrowded = 1.2;

// kCoarseFaster: speed of the coarse versions divided by that of the exact ones. Coarse versions leave pairs
// to be scored once more by a slower kernel, and pay only if these are at most the fraction kMostCandidates
// of all pairs.
inline constexpr double kCoarseFaster = 1.13;
inline constexpr double kMostCandidates = 0.03;
// In tiles of fewer cells no coarse versions are used, and the shortest subjects are no part of their own.
// Such a tile takes so little time that scoring the longest candidate again, or one more launch, would be a
// noticeable part of it.
inline constexpr double kLongRunCells = 1e11;

// kItemsPerBlock: most items of work for each thread block that the GPU runs at a time, so that all blocks
// end at about the same time. kLastPart: the fraction of the narrow subjects' residues, in the shortest of
// them, that is kept for blocks that have nothing else to do.
inline constexpr std::uint32_t kItemsPerBlock = 32;
inline constexpr double kLastPart = 0.1;
// kFewItemsPerBlock: if the wide part has at most so many items for each thread block, the longest items are
// spread over the multiprocessors (Spread). Of two wide parts only the first spreads its items.
inline constexpr std::uint32_t kFewItemsPerBlock = 4;

// Speeds of the 32-bit kernels, in 1e12 cells a second: of scores and ends, and of alignments.
// kClocksOfPairStep: clocks of one step of a warp with 16 rows a lane (510 with 8 rows), if each scheduler
// has at most one warp.
inline constexpr double kPairsTcups = 1.42, kTraceTcups = 0.4;
inline constexpr double kClocksOfPairStep = 710;

}  // namespace alnus::cuda
