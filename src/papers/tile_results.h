// What all runners do with the results of a tile.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/device.h"

namespace alnus::cuda::papers {

// Returns the pairs of each row that the sink wants, by its floor and by limit(), which must not be 0. The
// tile must not be a list.
std::vector<PairResult> best_of_rows(const Tile& tile, const TileScores& scores, const Sink& sink);

// A pair that the method leaves to the usual device, and the place of its result.
struct LeftPair {
  PositionPair pair;
  std::uint64_t place;
};

// Has the usual device compute the pairs, and calls take(place, result) for each. The pairs are of the tile's
// sets and may be in any order; do_again() sorts `left`. Of `sink`, which is the tile's, only the stop flag
// is used.
void do_again(const Tile& tile, const Problem& problem, std::span<LeftPair> left, const Sink& sink,
              Device& usual, const std::function<void(std::uint64_t place, const PairResult& result)>& take);

}  // namespace alnus::cuda::papers
