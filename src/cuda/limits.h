// Limits and capacities of the GPU's code, each in one place. What was measured is in tuning.h, and which
// versions of the 16-bit kernel there are in kernels/scores16_shapes.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace alnus::cuda {

// Threads of a warp.
inline constexpr int kWarpThreads = 32;

// Fractions of the device memory that may be used: for sequences, and for the work of a tile.
inline constexpr double kDatabaseShare = 0.55, kWorkShare = 0.4;
// The part of a tile's memory that scores by matrices of pairs' own get beside it, for what their passes hand
// to each other.
inline constexpr std::uint64_t kMatrixScorerPart = 16;
// Sequences and their frequencies, in bytes, whose pairs are scored so together: the host has a copy
// meanwhile.
inline constexpr std::uint64_t kMostMatrixPairsBytes = 1 << 30;
// Sets of sequences that no call uses and that stay on the device; those used longest ago leave.
inline constexpr std::size_t kKeptSets = 4;
// Uploads go through two pinned pieces of so many bytes (or of four sequences, if these are longer).
inline constexpr std::uint64_t kPieceBytes = 16 << 20;

// Pairs of a tile of which the sink wants only the best of each row.
inline constexpr std::uint64_t kMostPairsOfTile = 1 << 30;
// Pairs of a tile whose results the host holds all at once: of a rectangle that is aligned in 16 bits, and of
// any other tile. Longer lists are done in parts of so many pairs.
inline constexpr std::uint64_t kMostRectanglePairs = 1 << 22, kMostListedPairs = 1 << 20;
// The same for the methods of papers: pairs of a tile in all, whose scores are wanted, or whose alignments
// are.
inline constexpr std::uint64_t kMostMethodPairs = 1 << 26, kMostMethodScores = 1 << 24,
                               kMostMethodResults = 1 << 21;

// The kernels of 32 bits hold scores, and sums on the way to them, up to this.
inline constexpr std::int64_t kHighest32 = 1 << 30;

// Largest Sink::limit() by which `select` chooses the best pairs of a row. With a larger limit the floor
// alone counts.
inline constexpr std::uint32_t kMostSelected = 4096;
// Candidates of a slab that there is room for; where there are more, all are selected once more.
inline constexpr std::uint32_t kCandidateRoom = 1 << 20;
// Pairs that are listed of a tile at most, where all are wanted that reach their floors: the host has several
// copies of them.
inline constexpr std::uint32_t kMostFound = 1 << 24;
// Candidates that come back to the host together with their number, so that a search waits for one copy.
inline constexpr std::uint32_t kLeastFirstFound = 1 << 9, kMostFirstFound = 1 << 14;

// Windows into which long subjects are cut overlap by so many columns at least: shorter ones would be too
// many.
inline constexpr std::uint64_t kShortestSpan = 512;

// Rows of a rectangle that are aligned at a time: many share what is to be done for each part, and of a
// staircase few extend beyond it. Where that takes too much memory they are halved, down to the fewest.
inline constexpr std::uint32_t kMostAlignedRows = 512, kFewestAlignedRows = 32;

}  // namespace alnus::cuda
