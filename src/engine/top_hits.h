// The sink of a search, which keeps the best subjects of each query.
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
  Position row, column;      // positions of query and subject
  std::int32_t slack = 0;    // as in PairResult
  std::uint32_t number = 0;  // place in the list that HitAligner::align() returns

  std::int64_t at_most() const { return std::int64_t{score} + slack; }
  // Better hits first: by score, then by the database's order.
  bool operator<(const TopHit& other) const {
    return score != other.score ? score > other.score : ordinal < other.ordinal;
  }
};

// Keeps the `limit` best pairs of each row, of those that reach the lowest score of their row and column. If
// scores are bounds, keeps all pairs that may be among these.
class TopHits : public Sink {
 public:
  // Approximate bytes of a row with `hits` hits at most.
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
  // False once a row has too many pairs that bounds leave undecided (kUndecided in top_hits.cpp).
  bool takes_bounds(Position row) const override {
    return !crowded_[row.value()].load(std::memory_order_relaxed);
  }

  // After the run: most_candidates() is an upper bound on the number of a row's candidates; candidates()
  // returns them, once, in no order.
  std::size_t most_candidates(Position row) const {
    return rows_[row.value()].hits.size() + rows_[row.value()].undecided.size();
  }
  std::vector<TopHit> candidates(Position row);
  // Returns the hits among a row's candidates, the best first. The candidates' scores must be exact by now.
  std::vector<TopHit> choose(Position row, std::vector<TopHit> candidates) const;

 private:
  struct HitsOfRow {
    // The best pairs by `score`, of those that reach their lowest score: a heap with the worst on top, once
    // there are `limit`.
    std::vector<TopHit> hits;
    std::vector<TopHit> undecided;  // other pairs, whose bounds may still make them hits
    std::size_t next_sweep = 64;    // size of `undecided` at which pairs below the floor are removed
  };
  void offer(Position row, Position column, std::int32_t score, std::int32_t slack);
  // Both must be called with the row's lock held. leave_out() keeps a pair as undecided if its score is a
  // bound.
  void insert(Position row, const TopHit& hit);
  void leave_out(Position row, const TopHit& hit);

  const SortedSequences& columns_;
  const LowestScores lowest_scores_;
  const std::uint32_t limit_;
  std::vector<std::atomic<std::int32_t>> floors_;  // by row; not in rows_: every result reads its floor
  std::vector<std::atomic<bool>> crowded_;
  std::vector<HitsOfRow> rows_;
  std::vector<std::mutex> locks_;  // row r uses lock r modulo their number
};

}  // namespace alnus::engine
