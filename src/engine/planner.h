// Cuts a pair matrix into tiles, each of which one device computes in one go.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/device.h"

namespace alnus::engine {

// The pairs of one Scheduler::run.
struct PairMatrix {
  const SortedSequences* rows = nullptr;
  const SortedSequences* columns = nullptr;
  TileShape shape = TileShape::rectangle;
  std::span<const PositionPair> pairs{};      // list only: sorted by row, then column
  std::span<const Position> first_columns{};  // staircase only, as in Tile
  // Staircase only, by row: pairs in this column and behind it are not wanted. Some of them may be in tiles
  // all the same. Empty: all columns are wanted.
  std::span<const Position> end_columns{};
  // The most seconds that a tile is planned for, if that is less than what the devices prefer
  // (DeviceInfo::longest_tile_seconds).
  double longest_seconds = std::numeric_limits<double>::infinity();
};

struct PlanLimits {
  int slots = 1;                  // tiles that run at the same time
  double cells_per_second = 1e9;  // of one slot
  double share = 1.0 / 3;  // fraction of a slot's remaining work that its next tile takes: tiles shrink
  double shortest_seconds = 0.001, longest_seconds = 0.5;  // limits of a tile, as in DeviceInfo
  std::uint64_t most_pairs = 1 << 18;                      // of a tile: bounds what a device hands over
  // Estimates the seconds of a tile on one slot. Only the ratios of estimates matter. Empty: cells take equal
  // times.
  std::function<double(const Tile&)> seconds{};
  // True if a tile fits the memory of every device. Empty: all tiles fit.
  std::function<bool(const Tile&)> fits{};
};

// Cuts the pair matrix into tiles. Every wanted pair is in exactly one tile, and every tile has a pair. Tiles
// that do not fit are cut, down to single pairs, which are planned whether or not they fit. Long sequences
// come first, and tiles become smaller towards the end of the plan, so that all slots finish together.
std::vector<Tile> plan(const PairMatrix& matrix, const PlanLimits& limits);

// Cuts a tile in two. The first of the returned tiles has about `share` of the cells: the last columns, which
// are the shortest, or the last pairs of a list. The second has the rest. In a part of a staircase the first
// may have only half of `share`. The result is empty if no column, or pair of a list, can be cut off, or
// if a part would have no pair.
std::vector<Tile> cut_off(const Tile& tile, double share);

// Halves a tile by rows or columns, whichever are more, or a list by its pairs. Halves without a pair are
// left out. The result is empty if the tile is 1 x 1 or a single pair.
std::vector<Tile> cut_in_two(const Tile& tile);

std::uint64_t count_pairs(const Tile& tile);

}  // namespace alnus::engine
