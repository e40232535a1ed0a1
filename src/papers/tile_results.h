// What all runners do with the results of a tile.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/device.h"

namespace alnus::cuda::papers {

// The pairs of each row that the sink wants, by its floor and limit(). The tile is not a list.
std::vector<PairResult> best_of_rows(const Tile& tile, const TileScores& scores, const Sink& sink);

// A pair that the method leaves to the usual device, and the place of its result.
struct LeftPair {
  PositionPair pair;
  std::uint64_t place;
};

// Has the usual device compute the pairs, and calls take(place, result) for each. The pairs are those of the
// tile's sets, in any order; this sorts them. Of `sink`, the tile's, only the stop flag is used.
void do_again(const Tile& tile, const Problem& problem, std::span<LeftPair> left, const Sink& sink,
              Device& usual, const std::function<void(std::uint64_t place, const PairResult& result)>& take);

}  // namespace alnus::cuda::papers
