// The sink of a search: the best subjects of each query.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/device.h"

namespace alnus::engine {

struct TopHit {
  std::int32_t score = 0;
  SequenceSet::Index file_order = 0;  // of the subject
  std::uint32_t column = 0;           // its position
  std::int32_t slack = 0;             // as in PairResult
  std::uint32_t number = 0;           // of its alignment

  std::int64_t at_most() const { return std::int64_t{score} + slack; }
  // Better hits first: by score, then by the database's order.
  bool operator<(const TopHit& other) const {
    return score != other.score ? score > other.score : file_order < other.file_order;
  }
};

struct TopHitsOfRow {
  std::vector<TopHit> hits;  // the best first
  bool cut_tie = false;      // a subject that scores as the last hit does was left out
};

// Keeps at most `limit` hits of each row, none that scores below the row's lowest score. Where scores are
// told as bounds, it keeps all that may be among them.
class TopHits : public Sink {
 public:
  TopHits(const Resident& columns, std::vector<std::int32_t> lowest_scores, std::uint32_t limit);

  void accept(const Tile& tile, std::span<const PairResult> results) override;
  std::int32_t floor(std::uint32_t row) const override {
    return floors_[row].load(std::memory_order_relaxed);
  }
  std::uint32_t limit() const override { return limit_; }
  // Not when it keeps many times `limit` of undecided pairs.
  bool takes_bounds(std::uint32_t row) const override {
    return !crowded_[row].load(std::memory_order_relaxed);
  }

  // After the run; each row once. In no order.
  std::vector<TopHit> candidates(std::uint32_t row);
  // The hits among the candidates, whose scores are known by now.
  TopHitsOfRow choose(std::uint32_t row, std::vector<TopHit> candidates) const;

 private:
  struct Row {
    std::vector<TopHit> hits;  // the best by `score`: a heap with the worst on top, once there are `limit`
    std::vector<TopHit> undecided;  // others that may still score better
    std::size_t next_sweep = 64;    // size of `undecided` at which it is looked through
    std::int64_t best_left_out = INT64_MIN;
  };
  void insert(std::uint32_t row, const TopHit& hit);
  void leave_out(std::uint32_t row, const TopHit& hit);

  const Resident& columns_;
  const std::vector<std::int32_t> lowest_scores_;
  const std::uint32_t limit_;
  std::vector<std::atomic<std::int32_t>> floors_;  // apart from the rows: read for every result
  std::vector<std::atomic<bool>> crowded_;
  std::vector<Row> rows_;
  std::vector<std::mutex> locks_;  // row i's is i modulo their number
};

}  // namespace alnus::engine
