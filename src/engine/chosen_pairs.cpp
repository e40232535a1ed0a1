#include "engine/chosen_pairs.h"

#include <algorithm>
#include <utility>

namespace alnus::engine {
namespace {

// Bytes of a pair: here, in a list, and in the tiles that a scheduler cuts.
constexpr std::uint64_t kBytesOfChosenPair = 24;

constexpr std::size_t kRowsOfPiece = 64;  // rows that a thread takes at a time

}  // namespace

ChosenPairs::ChosenPairs(std::vector<std::int32_t> floors, std::vector<std::int32_t> of_columns, Test test,
                         std::uint64_t most_bytes, CallState& call)
    : floors_(std::move(floors)),
      of_columns_(std::move(of_columns)),
      test_(std::move(test)),
      call_(call),
      most_bytes_(most_bytes),
      by_row_(floors_.size()) {}

template <class Found>
void ChosenPairs::take_found(std::span<const Found> found) {
  constexpr std::size_t kPiece = 1 << 16;  // pairs that a thread takes at a time
  call_.threads.for_each((found.size() + kPiece - 1) / kPiece, [&](std::size_t number) {
    std::vector<ScoredPair> chosen;
    const std::size_t begin = number * kPiece, count = std::min(kPiece, found.size() - begin);
    for (const Found& one : found.subspan(begin, count))
      if (one.score >= floor(one.row) && test_(one.score, one.row, one.column))
        chosen.push_back({one.row, one.column, one.score});
    take(chosen);
  });
}

void ChosenPairs::accept(const Tile& /*tile*/, std::span<const PairResult> results) { take_found(results); }

void ChosenPairs::accept_pairs(const Tile& /*tile*/, std::span<const ScoredPair> pairs) { take_found(pairs); }

void ChosenPairs::accept_scores(const Tile& tile, const TileScores& scores) {
  call_.threads.for_each((tile.row_range.size() + kRowsOfPiece - 1) / kRowsOfPiece, [&](std::size_t number) {
    std::vector<ScoredPair> chosen;
    const Position begin = tile.row_range.begin + static_cast<std::uint32_t>(number * kRowsOfPiece),
                   end = begin + std::min<std::uint32_t>(kRowsOfPiece, tile.row_range.end - begin);
    for (Position row = begin; row < end; ++row) {
      Position column = tile.columns_of(row).begin;
      for (const std::int32_t score : scores.of_row(tile, row)) {
        if (score >= floor(row) && test_(score, row, column)) chosen.push_back({row, column, score});
        ++column;
      }
    }
    take(chosen);
  });
}

void ChosenPairs::take(std::span<const ScoredPair> chosen) {
  const std::lock_guard lock(mutex_);
  count_ += chosen.size();
  if (too_many_) return;
  for (const ScoredPair& pair : chosen) by_row_[pair.row.value()].push_back({pair.column, pair.score});
  too_many_ = count_ * kBytesOfChosenPair > most_bytes_;
  if (too_many_) by_row_ = {};
}

template <class Pair, class Make>
std::vector<Pair> ChosenPairs::sorted(const Make& make) {
  std::vector<std::size_t> begins;  // of each row
  std::size_t end = 0;
  for (const std::vector<Chosen>& chosen : by_row_) {
    begins.push_back(end);
    end += chosen.size();
  }
  std::vector<Pair> all(end);
  call_.for_each(by_row_.size(), kRowsOfPiece, [&](std::size_t row) {
    std::vector<Chosen> chosen = std::exchange(by_row_[row], {});
    std::ranges::sort(chosen, {}, &Chosen::column);
    for (std::size_t k = 0; k < chosen.size(); ++k)
      all[begins[row] + k] = make(Position(static_cast<std::uint32_t>(row)), chosen[k]);
  });
  return all;
}

std::vector<ScoredPair> ChosenPairs::scored_pairs() {
  return sorted<ScoredPair>([](Position row, const Chosen& chosen) {
    return ScoredPair{row, chosen.column, chosen.score};
  });
}

std::vector<PositionPair> ChosenPairs::pairs() {
  return sorted<PositionPair>([](Position row, const Chosen& chosen) {
    return PositionPair{row, chosen.column};
  });
}

std::vector<PositionPair> without_scores(std::span<const ScoredPair> pairs) {
  std::vector<PositionPair> list;
  list.reserve(pairs.size());
  for (const ScoredPair& pair : pairs) list.push_back({pair.row, pair.column});
  return list;
}

}  // namespace alnus::engine
