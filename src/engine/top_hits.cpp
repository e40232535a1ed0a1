#include "engine/top_hits.h"

#include <algorithm>
#include <utility>

namespace alnus::engine {

TopHits::TopHits(const Resident& columns, std::vector<std::int32_t> lowest_scores, std::uint32_t limit)
    : columns_(columns),
      limit_(limit),
      floors_(lowest_scores.size()),
      rows_(lowest_scores.size()),
      locks_(256) {
  for (std::size_t row = 0; row < lowest_scores.size(); ++row) floors_[row] = lowest_scores[row];
}

void TopHits::accept(const Tile& /*tile*/, std::span<const PairResult> results) {
  for (const PairResult& result : results) {
    if (result.score < floor(result.row)) continue;
    const SequenceSet::Index file_order = columns_.sequences().file_order(columns_.index(result.column));
    insert(result.row, {result.score, file_order, result.column});
  }
}

void TopHits::insert(std::uint32_t row, const TopHit& hit) {
  const std::lock_guard lock(locks_[row % locks_.size()]);
  auto& [hits, best_left_out] = rows_[row];
  if (hits.size() < limit_) {
    hits.push_back(hit);
    if (hits.size() < limit_) return;
    std::make_heap(hits.begin(), hits.end());
  } else if (hit < hits.front()) {
    std::pop_heap(hits.begin(), hits.end());
    best_left_out = std::max<std::int64_t>(best_left_out, hits.back().score);
    hits.back() = hit;
    std::push_heap(hits.begin(), hits.end());
  } else {
    best_left_out = std::max<std::int64_t>(best_left_out, hit.score);
  }
  floors_[row].store(hits.front().score, std::memory_order_relaxed);
}

TopHitsOfRow TopHits::take(std::uint32_t row) {
  TopHitsOfRow result{std::exchange(rows_[row].hits, {}), false};
  std::sort(result.hits.begin(), result.hits.end());
  result.cut_tie = !result.hits.empty() && rows_[row].best_left_out == result.hits.back().score;
  return result;
}

}  // namespace alnus::engine
