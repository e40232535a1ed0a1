#include "engine/strand_scores.h"

namespace alnus::engine {

StrandScores::StrandScores(const SortedSequences& rows, const SortedSequences& columns,
                           std::span<const Position> first_columns)
    : first_columns_(first_columns) {
  begins_.reserve(rows.size() + std::size_t{1});
  begins_.push_back(0);
  for (const Position first : first_columns) begins_.push_back(begins_.back() + (columns.end() - first));
  scores_.assign(begins_.back(), kKeptBack);
  strands_.assign(begins_.back(), Strand::plus);
}

void StrandScores::Pass::accept(const Tile& /*tile*/, std::span<const PairResult> results) {
  for (const PairResult& result : results) scores_.take(result.row, result.column, result.score, strand_);
}

void StrandScores::Pass::accept_scores(const Tile& tile, const TileScores& scores) {
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    Position column = tile.columns_of(row).begin;
    for (const std::int32_t score : scores.of_row(tile, row)) scores_.take(row, column++, score, strand_);
  }
}

}  // namespace alnus::engine
