#include "core/device.h"

#include <numeric>

namespace alnus {

void Sink::accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) {
  std::vector<PairResult> results;
  results.reserve(pairs.size());
  for (const auto& [row, column, score] : pairs) results.push_back({row, column, score});
  accept(tile, results);
}

void Sink::accept_packed(const Tile& tile, const PackedResults& packed) {
  std::vector<PairResult> results;
  std::vector<CigarRun> runs;
  packed.unpack(0, packed.size(), results, runs);
  accept(tile, results);
}

void Sink::accept_scores(const Tile& tile, const TileScores& scores) {
  std::vector<PairResult> results;
  std::size_t pairs = 0;
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
    pairs += scores.of_row(tile, row).size();
  results.reserve(pairs);
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    Position column = tile.columns_of(row).begin;
    for (const std::int32_t score : scores.of_row(tile, row)) results.push_back({row, column++, score});
  }
  accept(tile, results);
}

bool has_floors(const Sink& sink, PositionRange rows) {
  for (Position row = rows.begin; row < rows.end; ++row)
    if (sink.floor(row) > std::numeric_limits<std::int32_t>::min()) return true;
  return false;
}

std::vector<Position> triangle_steps(std::uint32_t size) {
  std::vector<Position> first_columns(size);
  std::iota(first_columns.begin(), first_columns.end(), Position(1));
  return first_columns;
}

}  // namespace alnus
