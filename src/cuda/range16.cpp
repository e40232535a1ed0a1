#include "cuda/range16.h"

#include <algorithm>
#include <ranges>

#include "core/best_scores.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {
namespace {

// The first position of a range that is true, and its end if none is. Those before are false.
template <class IsTrue>
std::uint32_t first_position(Range range, IsTrue is_true) {
  const auto positions = std::views::iota(range.begin, range.end);
  const auto found =
      std::ranges::partition_point(positions, [&](std::uint32_t position) { return !is_true(position); });
  return range.begin + static_cast<std::uint32_t>(found - positions.begin());
}

}  // namespace

Range16::Range16(const Tile& tile, const Scoring& scoring)
    : tile_(tile),
      open_(scoring.open),
      extend_(scoring.extend),
      match_(std::max(scoring.matrix.highest(), 0)) {
  const Range rows = tile.row_range, columns = tile.column_range;
  columns_end_ = first_position(columns, [&](std::uint32_t c) { return tile.columns->length(c) == 0; });
  // The long rows are looked at more closely where it matters.
  const BestScores best_scores(scoring.matrix);
  const auto range_is_wide = [&](std::uint32_t row) {
    const std::uint64_t m = tile.rows->length(row), n = tile.columns->length(columns.begin);
    return kFloor - lowest(m, n) + highest(row, n) > kHighestEnds;
  };
  for (std::uint32_t row = rows.begin; row < rows.end && columns.size() > 0 && range_is_wide(row); ++row)
    best_.push_back(best_scores.of(tile.rows->residues(row)));
  // What suits one row and the longest column that can be beside it is what may suit most: of a few rows.
  constexpr std::uint32_t kTrials = 8;
  const std::uint32_t step = std::max(1U, rows.size() / kTrials);
  for (std::uint32_t row = rows.begin; row < rows.end; row += step) {
    const std::uint64_t m = tile.rows->length(row);
    const std::uint32_t column = first_position({columns.begin, columns_end_}, [&](std::uint32_t c) {
      const std::uint64_t n = tile.columns->length(c);
      return kFloor - lowest(m, n) + highest(row, n) <= kHighestEnds;
    });
    if (m == 0 || column == columns_end_) continue;
    const std::int64_t zero = kFloor - lowest(m, tile.columns->length(column));
    const std::uint64_t cells = known_cells(zero);
    if (cells > known_cells_) {
      known_cells_ = cells;
      zero_ = static_cast<std::int32_t>(zero);
    }
    if (known_cells_ == tile.cells) return;
  }
}

bool Range16::fits(const Scoring& scoring) {
  return scoring.mode != Mode::local && scoring.open + 2 * scoring.extend <= kFloor &&
         scoring.matrix.lowest() >= -kFloor && scoring.matrix.highest() <= kHighest16;
}

std::int64_t Range16::lowest(std::uint64_t m, std::uint64_t n) const {
  return -(2 * open_ + static_cast<std::int64_t>(m + n) * extend_);
}

std::int64_t Range16::highest(std::uint32_t row, std::uint64_t n) const {
  const auto any = static_cast<std::int64_t>(std::min<std::uint64_t>(tile_.rows->length(row), n)) * match_;
  const std::size_t place = row - tile_.row_range.begin;
  return place < best_.size() ? std::min(any, best_[place]) : any;
}

Range Range16::known(std::uint32_t row, std::int64_t zero) const {
  const std::uint64_t m = tile_.rows->length(row);
  const std::uint32_t begin =
      first_position({tile_.column_range.begin, columns_end_}, [&](std::uint32_t column) {
        const std::uint64_t n = tile_.columns->length(column);
        return zero + lowest(m, n) >= kFloor && zero + highest(row, n) <= kHighestEnds;
      });
  return {m == 0 ? columns_end_ : begin, columns_end_};
}

std::uint64_t Range16::known_cells(std::int64_t zero) const {
  std::uint64_t cells = 0;
  for (std::uint32_t row = tile_.row_range.begin; row < tile_.row_range.end; ++row) {
    const Range columns = known(row, zero);
    cells += tile_.rows->length(row) *
             (tile_.columns->residues_before(columns.end) - tile_.columns->residues_before(columns.begin));
  }
  return cells;
}

}  // namespace alnus::cuda
