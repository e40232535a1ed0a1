#include "engine/top_hits.h"

#include <algorithm>
#include <utility>

namespace alnus::engine {
namespace {

// A row takes bounds until it has more undecided pairs than kUndecided + kUndecidedOfLimit times the limit.
constexpr std::size_t kUndecided = 1000, kUndecidedOfLimit = 2;

}  // namespace

std::uint64_t TopHits::bytes_of_row(std::uint64_t hits) {
  return sizeof(HitsOfRow) + (2 * hits + kUndecided) * sizeof(TopHit);
}

TopHits::TopHits(const SortedSequences& columns, LowestScores lowest_scores, std::uint32_t limit)
    : columns_(columns),
      lowest_scores_(std::move(lowest_scores)),
      limit_(limit),
      floors_(lowest_scores_.rows()),
      crowded_(lowest_scores_.rows()),
      rows_(lowest_scores_.rows()),
      locks_(256) {
  for (std::uint32_t row = 0; row < lowest_scores_.rows(); ++row)
    floors_[row] = lowest_scores_.of(Position(row));
}

void TopHits::accept(const Tile& /*tile*/, std::span<const PairResult> results) {
  for (const PairResult& result : results) offer(result.row, result.column, result.score, result.slack);
}

void TopHits::accept_pairs(const Tile& /*tile*/, std::span<const ScoredPair> pairs) {
  for (const ScoredPair& pair : pairs) offer(pair.row, pair.column, pair.score, 0);
}

void TopHits::offer(Position row, Position column, std::int32_t score, std::int32_t slack) {
  const std::int64_t at_most = std::int64_t{score} + slack;
  const std::int32_t lowest = lowest_scores_.of(row, column);
  if (at_most < floor(row) || at_most < lowest) return;
  const TopHit hit{score, columns_.set().file_ordinal(columns_.index(column)), row, column, slack};
  const std::lock_guard lock(locks_[row.value() % locks_.size()]);
  // A pair that may turn out to be below its column's lowest score must not displace a pair that is good
  // enough.
  if (score < lowest)
    leave_out(row, hit);
  else
    insert(row, hit);
}

void TopHits::insert(Position row, const TopHit& hit) {
  std::vector<TopHit>& hits = rows_[row.value()].hits;
  if (hits.size() < limit_) {
    hits.push_back(hit);
    if (hits.size() < limit_) return;
    std::make_heap(hits.begin(), hits.end());
  } else if (hit < hits.front()) {
    std::pop_heap(hits.begin(), hits.end());
    leave_out(row, std::exchange(hits.back(), hit));
    std::push_heap(hits.begin(), hits.end());
  } else {
    leave_out(row, hit);
  }
  // The row's floor is a lower bound on the score of its last hit.
  std::atomic<std::int32_t>& floor_of_row = floors_[row.value()];
  floor_of_row.store(std::max(floor(row), hits.front().score), std::memory_order_relaxed);
}

void TopHits::leave_out(Position row, const TopHit& hit) {
  HitsOfRow& kept = rows_[row.value()];
  if (hit.slack == 0) return;
  kept.undecided.push_back(hit);
  if (kept.undecided.size() < kept.next_sweep) return;
  std::erase_if(kept.undecided, [&](const TopHit& other) { return other.at_most() < floor(row); });
  kept.next_sweep = 2 * kept.undecided.size() + 64;
  if (kept.undecided.size() > kUndecided + kUndecidedOfLimit * limit_) crowded_[row.value()] = true;
}

std::vector<TopHit> TopHits::candidates(Position row) {
  HitsOfRow& kept = rows_[row.value()];
  std::vector<TopHit> all = std::exchange(kept.hits, {});
  for (const TopHit& hit : std::exchange(kept.undecided, {}))
    if (hit.at_most() >= floor(row)) all.push_back(hit);
  return all;
}

std::vector<TopHit> TopHits::choose(Position row, std::vector<TopHit> candidates) const {
  std::erase_if(candidates,
                [&](const TopHit& hit) { return hit.score < lowest_scores_.of(row, hit.column); });
  std::sort(candidates.begin(), candidates.end());
  if (candidates.size() > limit_) candidates.resize(limit_);
  return candidates;
}

}  // namespace alnus::engine
