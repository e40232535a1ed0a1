#include "cuda/range16.h"

#include <algorithm>
#include <vector>

#include "core/first_position.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {
Range16::Range16(const Tile& tile, const Scoring& scoring)
    : tile_(tile),
      best_scores_(scoring.matrix),
      open_(scoring.open),
      extend_(scoring.extend),
      match_(std::max(scoring.matrix.highest(), 0)) {
  const PositionRange rows = tile.row_range, columns = tile.column_range;
  columns_end_ = first_position(columns, [&](Position c) { return tile.columns->length(c) == 0; });
  constexpr std::uint32_t kSample = 32;  // rows of the sample; fewer than twice as many are taken
  std::vector<Query> sample;
  const std::uint32_t step = std::max(1U, rows.size() / kSample);
  for (Position row = rows.begin; row < rows.end; row += step) sample.push_back(query(row));

  const auto share_of_cells = [&](std::int64_t zero) {
    double known = 0, all = 0;
    const auto residues = [&](PositionRange range) {
      return static_cast<double>(tile.columns->residues(range));
    };
    for (const Query& query : sample) {
      known += static_cast<double>(query.length) * residues(known_columns(query, zero));
      all += static_cast<double>(query.length) * residues(columns);
    }
    return all > 0 ? known / all : 0;
  };
  // Each row of the sample, with the longest column for which 16 bits can suffice, gives a possible stored
  // zero (H = 0). The stored zero with which 16 bits suffice for most cells is chosen.
  for (const Query& query : sample) {
    const Position column = first_position(PositionRange{columns.begin, columns_end_}, [&](Position c) {
      const std::uint64_t n = tile.columns->length(c);
      return kFloor - lowest(query, n) + highest(query, n) <= kHighestEnds;
    });
    if (query.length == 0 || column == columns_end_) continue;
    const std::int64_t zero = kFloor - lowest(query, tile.columns->length(column));
    const double share = share_of_cells(zero);
    if (share > known_share_) {
      known_share_ = share;
      zero_ = static_cast<std::int32_t>(zero);
    }
    if (known_share_ == 1) return;
  }
}

bool Range16::fits(const Scoring& scoring) {
  return scoring.mode != Mode::local && scoring.open + 2 * scoring.extend <= kFloor &&
         scoring.matrix.lowest() >= -kFloor && scoring.matrix.highest() <= kHighest16;
}

Range16::Query Range16::query(Position row) const {
  const std::uint64_t m = tile_.rows->length(row);
  Query query{m, static_cast<std::int64_t>(m) * match_};
  // The query's residues are looked at only if the bound by its length is too high.
  const std::uint64_t longest =
      tile_.column_range.size() > 0 ? tile_.columns->length(tile_.column_range.begin) : 0;
  if (kFloor - lowest(query, longest) + highest(query, longest) > kHighestEnds)
    query.best = std::min(query.best, best_scores_.of(tile_.rows->residues(row)));
  return query;
}

std::int64_t Range16::lowest(const Query& query, std::uint64_t columns) const {
  return -(2 * open_ + static_cast<std::int64_t>(query.length + columns) * extend_);
}

std::int64_t Range16::highest(const Query& query, std::uint64_t columns) const {
  return std::min(static_cast<std::int64_t>(columns) * match_, query.best);
}

PositionRange Range16::known_columns(const Query& query, std::int64_t zero) const {
  if (query.length == 0) return {columns_end_, columns_end_};
  const Position begin =
      first_position(PositionRange{tile_.column_range.begin, columns_end_}, [&](Position column) {
        const std::uint64_t n = tile_.columns->length(column);
        return zero + lowest(query, n) >= kFloor && zero + highest(query, n) <= kHighestEnds;
      });
  return {begin, columns_end_};
}

}  // namespace alnus::cuda
