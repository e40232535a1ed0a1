// The best pairs of each row of all pairs (alnus::AllPairsOptions::top_k).
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/all_pairs.h"
#include "engine/listed_pair.h"

namespace alnus::engine {

// How near two sequences are by a value of their pair, the nearer the greater: a score or an identity, or
// what a distance is below 0. Of scores it is whole, in scaled units.
// The arguments are those of value_of().
double nearness(const MatrixValue& value, const Scoring& scoring, std::int32_t score, std::int32_t self_score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length);

// A pair that may be kept. Of a row the nearer ones are: by nearness, then by score, then in the order of the
// columns (docs/ties.md).
struct NearPair {
  double nearness = 0;
  ListedPair pair;
  bool operator<(const NearPair& other) const;  // nearer
};

// Keeps at most `count` pairs of each row. least() may be called from any thread at any time; take() needs a
// lock.
class NearestPairs {
 public:
  using Index = SequenceSet::Index;
  // About how many bytes it keeps of a row with so many columns.
  static std::uint64_t bytes_of_row(std::uint32_t count, std::uint64_t columns);

  NearestPairs(IndexRange rows, std::uint32_t count);

  // How near a pair of this row must be, so that it can be among those that are kept. It grows.
  double least(Index row) const { return least_[row - rows_.begin].load(std::memory_order_relaxed); }
  void take(std::span<const NearPair> pairs);
  // By row, the nearest first. Leaves nothing.
  std::vector<ListedPair> finish();

 private:
  void keep_best(std::vector<NearPair>& of_row) const;

  const IndexRange rows_;
  const std::uint32_t count_;
  std::vector<std::atomic<double>> least_;      // by row
  std::vector<std::vector<NearPair>> of_rows_;  // up to twice as many as are kept
};

}  // namespace alnus::engine
