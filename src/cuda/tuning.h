// What was measured, and what follows from it. `bench/` has the tools; docs/results/h200.md the figures.
#pragma once

#include <cstdint>

#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

inline constexpr double kFullMultiprocessors = 132;  // of the card that was measured

// 1e12 cells a second of that card, an H200 at 1.98 GHz, exact versions of the kernels.
struct Measured {
  Packing packing;
  Shape shape;
  double tcups;
};
inline constexpr Measured kNarrow[] = {
    {Packing::two_queries, {8, 32}, 6.0},  {Packing::two_subjects, {8, 12}, 4.6},
    {Packing::two_subjects, {8, 18}, 5.0}, {Packing::two_subjects, {8, 24}, 5.2},
    {Packing::two_subjects, {8, 30}, 5.3}, {Packing::two_subjects, {8, 32}, 5.4},
};
inline constexpr Measured kWide[] = {
    {Packing::two_queries, {32, 32}, 6.1},
    {Packing::two_queries, {16, 32}, 6.2},  // where shared memory is short
    {Packing::two_queries, {8, 32}, 4.9},   // or very short
    {Packing::two_subjects, {16, 9}, 3.9},
    {Packing::two_subjects, {16, 16}, 4.6},
    {Packing::two_subjects, {32, 16}, 5.0},
};

// What is measured is compiled.
template <std::size_t count>
constexpr bool are_compiled(const Measured (&table)[count]) {
  for (const Measured& measured : table)
    if (!has_shape({measured.packing, measured.shape})) return false;
  return true;
}
static_assert(are_compiled(kNarrow) && are_compiled(kWide));

// Rows of a tile and residues of a subject with which the kernel for short queries is the faster one: it has
// 64 queries and one subject to a warp.
inline constexpr std::uint32_t kFewestShortRows = 32, kLongestShortSubject = 128;

// Of Goal::ends, all shapes. It pays if 16 bits suffice for such a part of the cells.
inline constexpr double kEndsTcups = 6, kKnownShare = 0.25;

// Alignments of rectangles, all modes: 2.0 of 154 residues, 2.4 of 257, 2.6 to 2.9 of 459, 3.2 of 1,103.
inline constexpr double kRectanglesTcups = 2.4;

// Long subjects have more lanes to themselves: their steps are shorter, but more lanes idle at their ends. A
// subject is long if it would take more than this part of all the time on few lanes, within bounds.
inline constexpr double kLongPart = 1.0 / 8;
inline constexpr std::uint32_t kWideAbove = 512, kNarrowBelow = 2048;

// Clocks of one step of a warp that has a scheduler to itself: of each row, and besides; and how many share
// one.
inline constexpr double kClocksOfRow = 14, kClocksOfStep = 60, kWarpsOfScheduler = 2;
inline constexpr double kClock = 1.98e9;

// The coarse versions are faster than the exact ones, by so much. They leave pairs to be scored once more
// by a slower kernel, and pay only if these are such a part of all at most.
inline constexpr double kCoarseFaster = 1.13;
inline constexpr double kMostCandidates = 0.03;
// Beneath so many cells a run is so short that the second scoring of the longest candidate would show, and so
// would one more launch.
inline constexpr double kLongRunCells = 1e11;

// Items of work for each block of a full card at most, so that all end at about the same time; and the part
// of the work (with the shortest subjects) that is kept for blocks that have nothing else to do.
inline constexpr std::uint32_t kItemsPerBlock = 32;
inline constexpr double kLastPart = 0.1;

// 32-bit kernels: scores and ends; alignments. And clocks of one step of a warp with 16 rows a lane (510 with
// 8), if each scheduler has no more than one.
inline constexpr double kPairsTcups = 1.42, kTraceTcups = 0.4;
inline constexpr double kClocksOfPairStep = 710;

}  // namespace alnus::cuda
