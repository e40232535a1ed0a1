// Limits and capacities of the code for GPUs. What was measured is in tuning.h; the versions of the 16-bit
// kernel are in kernels/scores16_shapes.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace alnus::cuda {

// Threads of a warp.
inline constexpr int kWarpThreads = 32;

// Fractions of the device memory that may be used: the first for sequences, the second for the work of a
// tile.
inline constexpr double kDatabaseShare = 0.55, kWorkShare = 0.4;
// MatrixScorer gets device memory in addition, for the rows that passes hand to each other:
// 1/kMatrixScorerPart of the memory for the work of a tile.
inline constexpr std::uint64_t kMatrixScorerPart = 16;
// Most bytes of the sequences and frequencies of one MatrixPairsProblem: the host copies the sequences to
// upload them. Larger problems are declined.
inline constexpr std::uint64_t kMostMatrixPairsBytes = 1 << 30;
// How many sets of sequences that no call uses stay on the device. Those used longest ago leave first.
inline constexpr std::size_t kKeptSets = 4;
// Bytes of each of the two pinned pieces through which uploads go (more if the four sequences of a quad have
// more residues).
inline constexpr std::uint64_t kPieceBytes = 16 << 20;

// Most pairs of a tile whose sink wants only the best of each row.
inline constexpr std::uint64_t kMostPairsOfTile = 1 << 30;
// Most pairs of a tile whose results the host holds all at once: the first for a rectangle that is aligned in
// 16 bits, the second for any other tile. Longer lists are done in parts of kMostListedPairs pairs.
inline constexpr std::uint64_t kMostRectanglePairs = 1 << 22, kMostListedPairs = 1 << 20;
// Most pairs of a tile for the methods of papers: of any tile, of a tile whose scores alone are wanted, and
// of a tile whose ends or alignments are wanted.
inline constexpr std::uint64_t kMostMethodPairs = 1 << 26, kMostMethodScores = 1 << 24,
                               kMostMethodResults = 1 << 21;

// Highest score, and highest sum on the way to a score, that the 32-bit kernels hold.
inline constexpr std::int64_t kHighest32 = 1 << 30;

// Largest Sink::limit() for which the kernel `select` chooses the best pairs of a row. With a larger limit,
// floors alone decide which pairs are handed over.
inline constexpr std::uint32_t kMostSelected = 4096;
// How many candidates (pairs that the sink may want) of a slab there is room for. If there are more, the
// kernel `select` runs once more with room for all of them.
inline constexpr std::uint32_t kCandidateRoom = 1 << 20;
// Most pairs of a tile that are listed when all pairs that reach their floors are wanted: the host has
// several copies of the list.
inline constexpr std::uint32_t kMostFound = 1 << 24;
// How many candidates are copied to the host together with their number, so that a search waits for one copy:
// about kLeastFirstFound more than are expected, and at most kMostFirstFound.
inline constexpr std::uint32_t kLeastFirstFound = 1 << 9, kMostFirstFound = 1 << 14;

// Columns by which the windows of a long subject (the pieces in which make_strips() cuts it) overlap, at
// least: with a shorter overlap there would be too many windows.
inline constexpr std::uint64_t kShortestSpan = 512;

// Rows of a rectangle that are aligned at a time. The more rows, the more share the work that is done once
// for each part; the fewer, the less of the rectangle lies outside a staircase. Where kMostAlignedRows take
// too much memory the number is halved, as long as it is above kFewestAlignedRows.
inline constexpr std::uint32_t kMostAlignedRows = 512, kFewestAlignedRows = 32;

}  // namespace alnus::cuda
