#include "core/device.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace alnus {

Resident::Resident(SequenceSet sequences) : sequences_(std::move(sequences)) {
  const auto before = [this](SequenceSet::Index a, SequenceSet::Index b) {
    const std::size_t length_a = sequences_.length(a), length_b = sequences_.length(b);
    return length_a != length_b ? length_a > length_b : sequences_.file_order(a) < sequences_.file_order(b);
  };
  order_.resize(sequences_.size());
  std::iota(order_.begin(), order_.end(), SequenceSet::Index{0});
  if (std::is_sorted(order_.begin(), order_.end(), before)) {
    order_ = {};
  } else {
    std::sort(order_.begin(), order_.end(), before);
  }
  residues_before_.resize(size() + std::size_t{1});
  for (std::uint32_t position = 0; position < size(); ++position)
    residues_before_[position + 1] = residues_before_[position] + length(position);
}

bool same_sequences(const SequenceSet& a, const SequenceSet& b) {
  return a.size() == b.size() && a.arrays().offsets.data() == b.arrays().offsets.data() &&
         a.arrays().residues.data() == b.arrays().residues.data() &&
         a.arrays().file_order.data() == b.arrays().file_order.data();
}

void Sink::accept_scores(const Tile& tile, const TileScores& scores) {
  std::vector<PairResult> results;
  std::size_t pairs = 0;
  for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row)
    pairs += scores.of_row(tile, row).size();
  results.reserve(pairs);
  for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    std::uint32_t column = tile.columns_of(row).begin;
    for (const std::int32_t score : scores.of_row(tile, row)) {
      PairResult& result = results.emplace_back();
      result.row = row;
      result.column = column++;
      result.score = score;
    }
  }
  accept(tile, results);
}

std::vector<std::uint32_t> triangle_steps(std::uint32_t size) {
  std::vector<std::uint32_t> first_columns(size);
  std::iota(first_columns.begin(), first_columns.end(), 1U);
  return first_columns;
}

}  // namespace alnus
