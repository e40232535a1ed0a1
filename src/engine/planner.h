// Cuts the matrix of all pairs into tiles, each of which one device does in one go.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/device.h"

namespace alnus::engine {

struct PairMatrix {
  const SortedSequences* rows = nullptr;
  const SortedSequences* columns = nullptr;
  TileShape shape = TileShape::rectangle;
  std::span<const PositionPair> pairs{};      // list only: sorted by row, then column
  std::span<const Position> first_columns{};  // staircase only, as in Tile
};

struct PlanLimits {
  int slots = 1;                  // tiles that run at the same time
  double cells_per_second = 1e9;  // of one slot
  double share = 1.0 / 3;  // of what is left for a slot, that its next tile takes: the last ones are small
  double shortest_seconds = 0.001, longest_seconds = 0.5;  // of a tile; as in DeviceInfo
  std::uint64_t most_pairs = 1 << 18;                      // of a tile: bounds what it hands over at once
  // Estimated, of a tile on one slot. Only how tiles compare matters; without it, they do by cells.
  std::function<double(const Tile&)> seconds{};
  // True if a tile fits the memory of every device.
  std::function<bool(const Tile&)> fits{};
};

// Every pair of the matrix is in exactly one tile, and no tile is without pairs. Tiles that do not fit
// are cut, down to single pairs, which are planned whatever they take. Long sequences come first, and
// tiles become smaller towards the end of the plan, so that all slots finish together.
std::vector<Tile> plan(const PairMatrix& matrix, const PlanLimits& limits);

// About this share of a tile's cells (of a part of a staircase possibly half of it), of the columns at its
// end, which are the shortest, and the rest; empty when no column or pair of a list can be cut off.
std::vector<Tile> cut_off(const Tile& tile, double share);

// The halves of a tile, without those that have no pair; empty when the tile is 1 x 1 or one pair.
std::vector<Tile> cut_in_two(const Tile& tile);

std::uint64_t count_pairs(const Tile& tile);

}  // namespace alnus::engine
