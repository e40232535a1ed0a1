#include "engine/list_scorer.h"

#include <algorithm>
#include <limits>

#include "engine/dense_columns.h"
#include "engine/scheduler.h"

namespace alnus::engine {
namespace {

// So many rows share an end, and ends are multiples of so many columns, or the number of all columns.
constexpr std::uint32_t kRowsOfEnd = 64, kColumnsOfEnd = 64;

// Writes the score of each pair of a sorted list to its place, and drops other pairs. No two pairs share a
// place, so that no lock is needed.
class PlacedScores : public Sink {
 public:
  PlacedScores(std::span<const PositionPair> pairs, std::span<const std::size_t> begins,
               std::span<std::int32_t> scores, CallState& call)
      : pairs_(pairs), begins_(begins), scores_(scores), call_(call) {}

  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override { place(results); }
  void accept_pairs(const Tile& /*tile*/, std::span<const ScoredPair> pairs) override { place(pairs); }
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    call_.threads.for_each(tile.row_range.size(), [&](std::size_t number) {
      const Position row = tile.row_range.begin + static_cast<std::uint32_t>(number);
      const PositionRange columns = tile.columns_of(row);
      const auto of_row = scores.of_row(tile, row);
      for (std::size_t k = place_of(row, columns.begin);
           k < begins_[row.value() + 1] && pairs_[k].column < columns.end; ++k)
        scores_[k] = of_row[pairs_[k].column - columns.begin];
    });
  }

 private:
  // Returns the place of the first pair of the row that is not before the column.
  std::size_t place_of(Position row, Position column) const {
    const auto begin = pairs_.begin() + static_cast<std::ptrdiff_t>(begins_[row.value()]),
               end = pairs_.begin() + static_cast<std::ptrdiff_t>(begins_[row.value() + 1]);
    return static_cast<std::size_t>(std::ranges::lower_bound(begin, end, column, {}, &PositionPair::column) -
                                    pairs_.begin());
  }
  template <class Found>
  void place(std::span<const Found> found) {
    constexpr std::size_t kPiece = 1 << 12;  // pairs that a thread takes at a time
    call_.threads.for_each((found.size() + kPiece - 1) / kPiece, [&](std::size_t number) {
      const std::size_t begin = number * kPiece;
      for (const Found& one : found.subspan(begin, std::min(kPiece, found.size() - begin))) {
        const std::size_t k = place_of(one.row, one.column);
        if (k < begins_[one.row.value() + 1] && pairs_[k].column == one.column) scores_[k] = one.score;
      }
    });
  }

  const std::span<const PositionPair> pairs_;
  const std::span<const std::size_t> begins_;
  const std::span<std::int32_t> scores_;
  CallState& call_;
};

// Returns the end of the tiles of some rows, a multiple of kColumnsOfEnd; 0 for no tiles. `pairs`: those of
// the rows; `first`: their first column.
Position best_end(std::span<const PositionPair> pairs, std::uint32_t rows, Position first,
                  std::uint32_t columns, double slowness) {
  const std::uint32_t skipped = first.value() / kColumnsOfEnd;  // blocks of columns before the first one
  std::vector<ColumnBlock> blocks(columns / kColumnsOfEnd + 1 - skipped);
  for (const PositionPair& pair : pairs) blocks[pair.column.value() / kColumnsOfEnd - skipped].wanted += 1;
  for (std::uint32_t k = 0; k < blocks.size(); ++k) {
    const std::uint32_t begin = std::max((skipped + k) * kColumnsOfEnd, first.value()),
                        end = std::min((skipped + k + 1) * kColumnsOfEnd, columns);
    blocks[k].pairs = static_cast<double>(rows) * (std::max(begin, end) - begin);
  }
  const auto tiled = static_cast<std::uint32_t>(blocks_in_tiles(blocks, slowness));
  return Position(tiled == 0 ? 0 : std::min((skipped + tiled) * kColumnsOfEnd, columns));
}

}  // namespace

ListScorer::ListScorer(CallState& call, const SortedPtr& rows, const SortedPtr& columns,
                       std::span<const Position> steps, std::span<const PositionPair> pairs)
    : call_(call), rows_(rows), columns_(columns), steps_(steps), pairs_(pairs), begins_(rows->size() + 1) {
  for (const PositionPair& pair : pairs) ++begins_[pair.row.value() + 1];
  for (std::size_t row = 0; row < rows->size(); ++row) begins_[row + 1] += begins_[row];
  if (call.on_host()) return;
  ends_.resize(rows->size());
  const double slowness = slowness_of_lists(*rows, *columns);
  call.for_each_piece(rows->size(), kRowsOfEnd, [&](std::size_t begin, std::size_t end) {
    const Position best =
        best_end(pairs.subspan(begins_[begin], begins_[end] - begins_[begin]),
                 static_cast<std::uint32_t>(end - begin), steps[begin], columns->size(), slowness);
    std::fill(ends_.begin() + static_cast<std::ptrdiff_t>(begin),
              ends_.begin() + static_cast<std::ptrdiff_t>(end), best);
  });
  for (const PositionPair& pair : pairs)
    if (pair.column >= ends_[pair.row.value()]) behind_.push_back(pair);
}

std::vector<std::int32_t> ListScorer::scores(const Scoring& scoring) const {
  std::vector<std::int32_t> scores(pairs_.size());
  if (pairs_.empty()) return scores;
  const Problem problem{scoring, Detail::score};
  PlacedScores sink(pairs_, begins_, scores, call_);
  Scheduler scheduler(call_, rows_, columns_, problem);
  if (!ends_.empty())
    scheduler.run({.shape = TileShape::staircase, .first_columns = steps_, .end_columns = ends_}, problem,
                  sink);
  const std::span<const PositionPair> list = ends_.empty() ? pairs_ : std::span(behind_);
  if (!list.empty()) scheduler.run({.shape = TileShape::list, .pairs = list}, problem, sink);
  return scores;
}

}  // namespace alnus::engine
