// The sink of a search: the best subjects of each query.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/device.h"
#include "engine/lowest_scores.h"

namespace alnus::engine {

struct TopHit {
  std::int32_t score = 0;
  FileOrdinal ordinal{};     // of the subject
  Position row, column;      // of query and subject
  std::int32_t slack = 0;    // as in PairResult
  std::uint32_t number = 0;  // of its alignment

  std::int64_t at_most() const { return std::int64_t{score} + slack; }
  // Better hits first: by score, then by the database's order.
  bool operator<(const TopHit& other) const {
    return score != other.score ? score > other.score : ordinal < other.ordinal;
  }
};

// Keeps at most `limit` hits of each row, none that scores below the lowest score of its row and column.
// Where scores are told as bounds, it keeps all that may be among them.
class TopHits : public Sink {
 public:
  // About how many bytes it keeps of a row with `hits` hits at most.
  static std::uint64_t bytes_of_row(std::uint64_t hits);

  TopHits(const SortedSequences& columns, LowestScores lowest_scores, std::uint32_t limit);

  void accept(const Tile& tile, std::span<const PairResult> results) override;
  void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) override;
  std::int32_t floor(Position row) const override {
    return floors_[row.value()].load(std::memory_order_relaxed);
  }
  std::int32_t floor_in(Position row, PositionRange columns) const override {
    return std::max(floor(row), lowest_scores_.of(row, columns));
  }
  std::uint32_t limit() const override { return limit_; }
  // Not when it keeps many times `limit` of undecided pairs.
  bool takes_bounds(Position row) const override {
    return !crowded_[row.value()].load(std::memory_order_relaxed);
  }

  // After the run: how many candidates a row has at most, and those, once and in no order.
  std::size_t most_candidates(Position row) const {
    return rows_[row.value()].hits.size() + rows_[row.value()].undecided.size();
  }
  std::vector<TopHit> candidates(Position row);
  // The hits among the candidates, whose scores are known by now.
  std::vector<TopHit> choose(Position row, std::vector<TopHit> candidates) const;

 private:
  struct Row {
    // The best by `score` of those that are good enough: a heap with the worst on top, once there are
    // `limit`.
    std::vector<TopHit> hits;
    std::vector<TopHit> undecided;  // others that may still score better, or be good enough
    std::size_t next_sweep = 64;    // size of `undecided` at which it is looked through
  };
  void offer(Position row, Position column, std::int32_t score, std::int32_t slack);
  // With the row's lock.
  void insert(Position row, const TopHit& hit);
  void leave_out(Position row, const TopHit& hit);

  const SortedSequences& columns_;
  const LowestScores lowest_scores_;
  const std::uint32_t limit_;
  std::vector<std::atomic<std::int32_t>> floors_;  // apart from the rows: read for every result
  std::vector<std::atomic<bool>> crowded_;
  std::vector<Row> rows_;
  std::vector<std::mutex> locks_;  // row i's is i modulo their number
};

}  // namespace alnus::engine
