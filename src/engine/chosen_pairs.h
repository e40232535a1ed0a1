// Collects the pairs of a region of the pair matrix that a test chooses by their scores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/device.h"
#include "engine/call_state.h"

namespace alnus::engine {

class ChosenPairs : public Sink {
 public:
  // Returns true if a pair with this score is chosen. Any thread may call it.
  using Test = std::function<bool(std::int32_t score, Position row, Position column)>;

  // `floors`: by row, a score below which no pair is chosen; the lowest int32 for none. `most_bytes`: what
  // the pairs may take, here and in a scheduler that runs them as a list.
  ChosenPairs(std::vector<std::int32_t> floors, Test test, std::uint64_t most_bytes, CallState& call)
      : ChosenPairs(std::move(floors), {}, std::move(test), most_bytes, call) {}
  // `of_columns`: the same by column; these floors never rise from one column to the next.
  ChosenPairs(std::vector<std::int32_t> floors, std::vector<std::int32_t> of_columns, Test test,
              std::uint64_t most_bytes, CallState& call);

  void accept(const Tile& tile, std::span<const PairResult> results) override;
  void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) override;
  void accept_scores(const Tile& tile, const TileScores& scores) override;
  std::int32_t floor(Position row) const override { return floors_[row.value()]; }
  std::int32_t floor_in(Position row, PositionRange columns) const override {
    if (of_columns_.empty() || columns.size() == 0) return floor(row);
    return std::max(floor(row), of_columns_[columns.end.value() - 1]);
  }

  std::uint64_t count() const { return count_; }
  // True if the pairs take too many bytes. They are not kept then.
  bool too_many() const { return too_many_; }
  // Both return the pairs, sorted by row and column, after the last tile; what the object kept of them is
  // gone then. They throw Interrupted.
  std::vector<ScoredPair> scored_pairs();
  std::vector<PositionPair> pairs();

 private:
  struct Chosen {
    Position column;
    std::int32_t score;
  };
  template <class Found>
  void take_found(std::span<const Found> found);
  void take(std::span<const ScoredPair> chosen);
  template <class Pair, class Make>
  std::vector<Pair> sorted(const Make& make);

  const std::vector<std::int32_t> floors_, of_columns_;
  const Test test_;
  CallState& call_;
  const std::uint64_t most_bytes_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::vector<Chosen>> by_row_;
  std::uint64_t count_ = 0;
  bool too_many_ = false;
};

// Returns the pairs without their scores.
std::vector<PositionPair> without_scores(std::span<const ScoredPair> pairs);

}  // namespace alnus::engine
