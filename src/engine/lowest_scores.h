// The lowest score that a hit may have (its min_score), by row and by range of columns: long subjects need
// higher scores for the same E-value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/index_spaces.h"

namespace alnus::engine {

class LowestScores {
 public:
  static constexpr std::uint32_t kMostRanges = 32;
  static constexpr std::uint64_t kBytesOfRow = kMostRanges * sizeof(std::int32_t);

  // `of_rows`: one score for each row, the same in all columns.
  explicit LowestScores(std::vector<std::int32_t> of_rows) : scores_(std::move(of_rows)) {}
  // All scores are `lowest`. All ranges but the last have equally many columns.
  LowestScores(std::uint32_t rows, std::uint32_t columns, std::int32_t lowest)
      : width_(std::max((columns + kMostRanges - 1) / kMostRanges, 1U)),
        columns_(columns),
        ranges_(std::max((columns + width_ - 1) / width_, 1U)),
        scores_(std::size_t{rows} * ranges_, lowest) {}

  // All scores are `lowest`. Range r begins at begins[r]; begins[0] is 0, and ranges may be empty.
  LowestScores(std::uint32_t rows, std::uint32_t columns, std::int32_t lowest, std::vector<Position> begins)
      : columns_(columns),
        ranges_(static_cast<std::uint32_t>(begins.size())),
        begins_(std::move(begins)),
        scores_(std::size_t{rows} * ranges_, lowest) {}

  std::uint32_t ranges() const { return ranges_; }
  // The columns of a range; only for ranges of equally many columns.
  PositionRange range(std::uint32_t number) const {
    return {Position(number * width_), Position(std::min((number + 1) * width_, columns_))};
  }
  std::int32_t& at(Position row, std::uint32_t range) {
    return scores_[std::size_t{row.value()} * ranges_ + range];
  }
  std::int32_t at(Position row, std::uint32_t range) const {
    return scores_[std::size_t{row.value()} * ranges_ + range];
  }

  std::int32_t of(Position row, Position column) const { return at(row, range_of(column)); }
  // The lowest score in these columns, of which there must be one at least.
  std::int32_t of(Position row, PositionRange columns) const {
    std::int32_t lowest = of(row, columns.begin);
    for (std::uint32_t range = range_of(columns.begin); range <= range_of(columns.end - 1); ++range)
      lowest = std::min(lowest, at(row, range));
    return lowest;
  }
  // The lowest of the row's scores in all columns.
  std::int32_t of(Position row) const {
    const auto first = scores_.begin() + static_cast<std::ptrdiff_t>(std::size_t{row.value()} * ranges_);
    return *std::min_element(first, first + ranges_);
  }
  std::uint32_t rows() const { return static_cast<std::uint32_t>(scores_.size() / ranges_); }

 private:
  std::uint32_t range_of(Position column) const {
    if (ranges_ == 1) return 0;
    if (begins_.empty()) return column.value() / width_;
    return static_cast<std::uint32_t>(std::ranges::upper_bound(begins_, column) - begins_.begin()) - 1;
  }

  std::uint32_t width_ = 0, columns_ = 0, ranges_ = 1;
  std::vector<Position> begins_;      // empty: all ranges are of `width_` columns
  std::vector<std::int32_t> scores_;  // [row][range]
};

}  // namespace alnus::engine
