// Scores, or identities, of a tile's rows with its short columns, by the kernels of tiny.h and
// tiny_identities.h, for the pairs that these kernels do fastest.
#pragma once

#include <cstdint>
#include <vector>

#include "core/device.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"
#include "cpu/scoring_tables.h"

namespace alnus::cpu {

class TinyPairs {
 public:
  // Forgets the results of the last tile.
  void clear() { tile_ = nullptr; }
  // Scores the pairs of a tile that these kernels do faster than others, or with `forced` all that they can
  // do. The tile is not a list. To be called after clear(). Throws Interrupted when the flag is requested.
  void run(const KernelSet& kernels, const ScoringTables& tables, const Tile& tile, bool identities,
           bool forced, const StopFlag& stop_flag);

  // True if any pair is done.
  bool any() const { return tile_ != nullptr; }
  // Returns which of these columns of a row are done.
  PositionRange done(Position row, PositionRange columns) const;
  bool has_done(Position row, Position column) const {
    return any() && column < done_end_ && first_done(row) <= column;
  }

  std::int32_t score(Position row, Position column) const { return scores_[place(row, column)]; }
  // Returns the counts that Problem::identities names; the other counts are 0.
  AlignmentCounts counts(Position row, Position column) const;
  // Adds a score that another kernel found.
  void put(Position row, Position column, std::int32_t score) { scores_[place(row, column)] = score; }
  // Returns the scores of all pairs of the tile. put() must have added those of other kernels.
  TileScores scores() const { return {tile_->column_range, scores_.data()}; }

 private:
  struct TinyRow {
    TinyQuery query;
    std::uint32_t letters = 0;  // a bit for each code that occurs
    std::int64_t most = 0;      // the highest score with any subject
    PositionRange columns{};    // the columns that run_width() scores now
    Position first_done{};      // the row's columns from here to done_end_ are done
  };
  Position first_done(Position row) const { return rows_[row - tile_->row_range.begin].first_done; }
  std::size_t place(Position row, Position column) const {
    return std::size_t{row - tile_->row_range.begin} * tile_->column_range.size() +
           (column - tile_->column_range.begin);
  }
  void take_rows();
  // Scores pairs with this kernel. `cell`: time of a cell of one lane, relative to the kernel tiny16.
  void run_width(const TinyKernel& kernel, double cell);
  bool is_faster(const TinyRow& row, PositionRange batch, double vector_cell) const;
  void run_batch(const TinyKernel& kernel, PositionRange batch);

  const Tile* tile_ = nullptr;  // null: no pair is done
  const ScoringTables* tables_ = nullptr;
  const StopFlag* stop_flag_ = nullptr;
  bool identities_ = false, forced_ = false;
  IdentityCounts layout_;
  std::int32_t longest_ = 0;   // most residues of a subject; for identities also of a query
  Position first_, done_end_;  // [first_, done_end_): short columns, but not empty ones
  std::vector<TinyRow> rows_;  // the tile's rows
  std::vector<std::int32_t> scores_;
  std::vector<std::uint16_t> counts_;  // packed as layout_ says; only for identities
  std::vector<TinyQuery> queries_;     // the queries of a batch
  AlignedBuffer letters_, workspace_;
};

}  // namespace alnus::cpu
