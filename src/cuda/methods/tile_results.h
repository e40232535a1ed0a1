// What runners do alike with the results of a tile.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/device.h"

namespace alnus::cuda {

// Of each row of a tile that is no list, the pairs that the sink wants.
std::vector<PairResult> best_of_rows(const Tile& tile, const TileScores& scores, const Sink& sink);

// A pair that the method leaves to others, and where its result belongs.
struct LeftPair {
  PositionPair pair;
  std::uint64_t place;
};

// Calls take(place, result) for each, done by the usual device. The pairs are those of the tile's sets, in
// any order. `sink`: the tile's, whose stop flag counts.
void do_again(const Tile& tile, const Problem& problem, std::span<LeftPair> left, const Sink& sink,
              Device& usual, const std::function<void(std::uint64_t place, const PairResult& result)>& take);

}  // namespace alnus::cuda
