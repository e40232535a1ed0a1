#include "engine/possible_pairs.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace alnus::engine {
namespace {

// Bytes of a pair: a column here, the pair in a list, and both in the tiles that a scheduler cuts.
constexpr std::uint64_t kBytesOfPair = 24;

// Rows, or pairs, that a thread takes at a time.
constexpr std::size_t kRows = 64, kPairs = 1 << 16;

}  // namespace

PossiblePairs::PossiblePairs(const IdentityBound& bound, const SortedSequences& rows,
                             std::uint64_t most_bytes, CallState& call)
    : bound_(bound), call_(call), most_bytes_(most_bytes), floors_(rows.size()), columns_(rows.size()) {
  call.for_each(rows.size(), kRows, [&](std::size_t number) {
    const std::int32_t least =
        bound.least_common(rows.length(rows.begin() + static_cast<std::uint32_t>(number)));
    // A floor that nearly all pairs reach would make GPUs list them all.
    floors_[number] = least > 1 ? least : std::numeric_limits<std::int32_t>::min();
  });
}

template <class Found>
void PossiblePairs::take_possible(const Tile& tile, std::span<const Found> found) {
  call_.threads.for_each((found.size() + kPairs - 1) / kPairs, [&](std::size_t number) {
    std::vector<PositionPair> possible;
    const std::size_t begin = number * kPairs, count = std::min(kPairs, found.size() - begin);
    for (const Found& one : found.subspan(begin, count))
      if (bound_.may_pass(one.score, tile.rows->length(one.row), tile.columns->length(one.column)))
        possible.push_back({one.row, one.column});
    take(possible);
  });
}

void PossiblePairs::accept(const Tile& tile, std::span<const PairResult> results) {
  take_possible(tile, results);
}

void PossiblePairs::accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) {
  take_possible(tile, pairs);
}

void PossiblePairs::accept_scores(const Tile& tile, const TileScores& scores) {
  call_.threads.for_each((tile.row_range.size() + kRows - 1) / kRows, [&](std::size_t number) {
    std::vector<PositionPair> possible;
    const Position begin = tile.row_range.begin + static_cast<std::uint32_t>(number * kRows),
                   end = begin + std::min<std::uint32_t>(kRows, tile.row_range.end - begin);
    for (Position row = begin; row < end; ++row) {
      Position column = tile.columns_of(row).begin;
      for (const std::int32_t common : scores.of_row(tile, row)) {
        if (common >= floor(row) &&
            bound_.may_pass(common, tile.rows->length(row), tile.columns->length(column)))
          possible.push_back({row, column});
        ++column;
      }
    }
    take(possible);
  });
}

void PossiblePairs::take(std::span<const PositionPair> possible) {
  const std::lock_guard lock(mutex_);
  count_ += possible.size();
  if (too_many_) return;
  for (const PositionPair& pair : possible) columns_[pair.row.value()].push_back(pair.column);
  too_many_ = count_ * kBytesOfPair > most_bytes_;
  if (too_many_) columns_ = {};
}

std::vector<PositionPair> PossiblePairs::pairs() {
  std::vector<std::size_t> begins;  // of each row
  std::size_t end = 0;
  for (const std::vector<Position>& columns : columns_) {
    begins.push_back(end);
    end += columns.size();
  }
  std::vector<PositionPair> all(end);
  call_.for_each(columns_.size(), kRows, [&](std::size_t row) {
    std::vector<Position> columns = std::exchange(columns_[row], {});
    std::ranges::sort(columns);
    for (std::size_t k = 0; k < columns.size(); ++k)
      all[begins[row] + k] = {Position(static_cast<std::uint32_t>(row)), columns[k]};
  });
  return all;
}

}  // namespace alnus::engine
