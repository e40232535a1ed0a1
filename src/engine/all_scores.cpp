#include "engine/all_scores.h"

#include <algorithm>

namespace alnus::engine {
namespace {

std::uint32_t stride_of(std::uint32_t columns) {
  return std::max(1U, (columns + AllScores::kMostSampled - 1) / AllScores::kMostSampled);
}

}  // namespace

std::uint64_t AllScores::bytes_of_row(std::uint32_t columns) {
  return sizeof(std::int32_t) * std::min(columns, kMostSampled);
}

AllScores::AllScores(const SortedSequences& rows, const SortedSequences& columns, TopHits& hits)
    : columns_(columns),
      hits_(hits),
      stride_(stride_of(columns.size())),
      places_(columns.size(), kNotSampled) {
  for (Position column = columns.begin(); column < columns.end(); ++column) {
    const FileOrdinal ordinal = columns.set().file_ordinal(columns.index(column));
    if (static_cast<std::uint32_t>(ordinal) % stride_ != 0) continue;
    places_[column.value()] = static_cast<std::uint32_t>(sampled_.size());
    sampled_.push_back(column);
  }
  scores_ = std::make_unique<std::int32_t[]>(std::size_t{rows.size()} * sampled_.size());
}

void AllScores::accept(const Tile& tile, std::span<const PairResult> results) {
  for (const PairResult& result : results) keep(result.row, result.column, result.score);
  hits_.accept(tile, results);
}

void AllScores::accept_scores(const Tile& tile, const TileScores& scores) {
  std::vector<PairResult> high;
  PairResult result;
  for (result.row = tile.row_range.begin; result.row < tile.row_range.end; ++result.row) {
    const std::int32_t floor = hits_.floor(result.row);
    result.column = tile.columns_of(result.row).begin;
    high.clear();
    for (const std::int32_t score : scores.of_row(tile, result.row)) {
      keep(result.row, result.column, score);
      result.score = score;
      if (score >= floor) high.push_back(result);
      ++result.column;
    }
    hits_.accept(tile, high);
  }
}

std::vector<stats::ScoredLength> AllScores::of_row(Position row, double score_unit) const {
  std::vector<stats::ScoredLength> result;
  result.reserve(sampled_.size());
  const std::int32_t* score = &scores_[std::size_t{row.value()} * sampled_.size()];
  for (const Position column : sampled_)
    result.push_back({score_unit * *score++, static_cast<std::uint32_t>(columns_.length(column))});
  return result;
}

}  // namespace alnus::engine
