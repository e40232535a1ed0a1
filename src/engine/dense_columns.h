// Tells where in a region of the pair matrix the pairs that are wanted stand densely.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/sorted_sequences.h"
#include "core/stop_flag.h"

namespace alnus::engine {

// Returns how many times longer a GPU takes for a pair of a list than for a pair of a tile, for pairs of
// these sequences on average. On an H200 a pair of a list takes half a microsecond, in which 2.25 million
// cells of a tile are computed, and each of its cells takes six times as long as one of a tile.
double slowness_of_lists(const SortedSequences& rows, const SortedSequences& columns);

// Some columns of some rows: how many pairs they have, and how many of these are wanted.
struct ColumnBlock {
  double pairs = 0, wanted = 0;
};

// Returns of how many blocks, from the first one on, all pairs should be scored in tiles, so that these and a
// list of the wanted pairs of the other blocks take the least time. `slowness`: slowness_of_lists().
std::size_t blocks_in_tiles(std::span<const ColumnBlock> blocks, double slowness);

// Returns those pairs of a sorted list that a sieve leaves, in the same order.
using Sieve = std::function<std::vector<PositionPair>(const std::vector<PositionPair>& pairs)>;

// Returns, by row, the end of the columns in which the sieve leaves so many pairs that it is quicker to score
// all of them in tiles than to sieve them. The ends never fall from one row to the next; an end that is not
// behind the row's step tells that there are no such columns. A sample of at most 32,768 pairs is sieved. A
// region of fewer than 524,288 pairs has no such columns. `steps`: by row, the first column that is paired
// with it; they do not fall.
std::vector<Position> dense_ends(const SortedSequences& rows, const SortedSequences& columns,
                                 std::span<const Position> steps, const Sieve& sieve, const StopFlag& stop);

}  // namespace alnus::engine
