// Collects the pairs that an IdentityBound does not rule out.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "core/device.h"
#include "engine/call_state.h"
#include "engine/identity_bound.h"

namespace alnus::engine {

// The scores that it takes are lengths of longest common subsequences. No row is shorter than a column that
// it is paired with.
class PossiblePairs : public Sink {
 public:
  // `most_bytes`: what the pairs may take, here and in a scheduler that runs them as a list.
  PossiblePairs(const IdentityBound& bound, const SortedSequences& rows, std::uint64_t most_bytes,
                CallState& call);

  void accept(const Tile& tile, std::span<const PairResult> results) override;
  void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) override;
  void accept_scores(const Tile& tile, const TileScores& scores) override;
  std::int32_t floor(Position row) const override { return floors_[row.value()]; }

  std::uint64_t count() const { return count_; }
  // True if the pairs take too many bytes. They are not kept then.
  bool too_many() const { return too_many_; }
  // Returns the pairs, sorted by row and column, after the last tile. Throws Interrupted.
  std::vector<PositionPair> pairs();

 private:
  template <class Found>
  void take_possible(const Tile& tile, std::span<const Found> found);
  void take(std::span<const PositionPair> possible);

  const IdentityBound& bound_;
  CallState& call_;
  const std::uint64_t most_bytes_;
  std::vector<std::int32_t> floors_;            // by row
  std::mutex mutex_;                            // guards what follows
  std::vector<std::vector<Position>> columns_;  // by row
  std::uint64_t count_ = 0;
  bool too_many_ = false;
};

}  // namespace alnus::engine
