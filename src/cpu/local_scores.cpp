// Scores in mode local: all pairs in 8 bits first, then exactly those whose score 8 bits cannot tell.
#include <algorithm>

#include "cpu/tile_worker.h"

namespace alnus::cpu {
namespace {

// Cost of a vector of cells in an exact kernel, relative to one in the 8-bit kernel.
constexpr double kExactCell = 4.0;
// Bounds save time if they leave open at most one pair in kFewOpen (half of the pairs). A pair is open if its
// bounds do not show that its score is below the row's floor.
constexpr std::size_t kFewOpen = 2;

}  // namespace

// Scores the `row_count` rows from `first_row` on, all with the same `columns`, which are sorted by
// decreasing length.
void TileWorker::local_scores(Position first_row, std::uint32_t row_count,
                              std::span<const Position> columns) {
  const auto first_empty = std::partition_point(columns.begin(), columns.end(),
                                                [&](Position c) { return tile_->columns->length(c) > 0; });
  const BatchPlan plan = plan_batches(*tile_->columns, {columns.begin(), first_empty}, shape8(kExactCell));
  local_rows_.clear();
  for (Position row = first_row; row < first_row + row_count; ++row) {
    check_stop();
    LocalRow& local = local_rows_.emplace_back();
    local.query = prepare(tile_->rows->residues(row));
    local.coarse = problem_->bounds && sink_->takes_bounds(row);
    local.redo = plan.singles;
    local.redo.insert(local.redo.end(), first_empty, columns.end());
  }
  for (const Batch& batch : plan.batches) run_batch8(first_row, batch);
  for (std::uint32_t k = 0; k < row_count; ++k) {
    check_stop();
    LocalRow& local = local_rows_[k];
    std::erase_if(local.redo, [&](Position column) { return !wanted(first_row + k, column); });
    std::sort(local.redo.begin(), local.redo.end());
    exact(first_row + k, local.query, local.redo);
  }
}

const std::uint8_t* TileWorker::pack8(const Batch& batch) {
  std::uint8_t* letters = letters_.at_least(static_cast<std::uint64_t>(batch.blocks) *
                                            kernels_.local8.columns * kernels_.local8.lanes);
  pack(*tile_->columns, batch, shape8(), letters, *stop_flag_);
  return letters;
}

Local8Job TileWorker::job8(const Query& query, const std::uint8_t* letters, const BatchStops& stops) {
  Local8Job job;
  job.query = query.indices.data();
  job.rows = static_cast<std::int32_t>(query.indices.size());
  job.used = query.used.data();
  job.used_count = static_cast<std::int32_t>(query.used.size());
  job.scores = tables_.scores8();
  job.first = problem_->scoring.open + problem_->scoring.extend;
  job.extend = problem_->scoring.extend;
  job.zero = tables_.range8().zero;
  job.letters = letters;
  job.stops = stops.stops();
  job.stop_count = stops.count();
  best8_.resize(static_cast<std::size_t>(stops.count() * kernels_.local8.lanes));
  job.best = best8_.data();
  job.workspace = buffers_.workspace.at_least(kernels_.local8.workspace(job.rows));
  job.stop_flag = stop_flag_->raw();
  return job;
}

void TileWorker::run_batch8(Position first_row, const Batch& batch) {
  const std::uint8_t* letters = pack8(batch);
  const BatchStops stops(batch, kernels_.local8.lanes);
  for (std::size_t k = 0; k < local_rows_.size(); ++k) {
    LocalRow& local = local_rows_[k];
    const auto row = first_row + static_cast<std::uint32_t>(k);
    Local8Job job = job8(local.query, letters, stops);
    // Bounds are used only if they can show that a score is below the row's floor.
    job.coarse = local.coarse && sink_->floor(row) >= tables_.range8().lowest_known + coarse_slack();
    kernels_.local8.run(job);
    check_stop();

    const std::int32_t floor = sink_->floor(row), slack = job.coarse ? coarse_slack() : 0;
    std::size_t open = 0;
    for (std::size_t s = 0; s < batch.segments.size(); ++s) {
      const Position column = batch.segments[s].position;
      PairResult result;
      result.row = row;
      result.column = column;
      result.score = best8_[stops.result_of(s)];
      result.slack = slack;
      const bool beyond = result.score > tables_.range8().highest_known - slack;  // score is a lower bound
      const bool low = result.score < tables_.range8().lowest_known;              // score is an upper bound
      const std::int32_t at_most = std::max(result.score, tables_.range8().lowest_known - 1) + slack;
      if ((!beyond && at_most < floor) || !wanted(row, column)) continue;
      if (beyond || low) {
        local.redo.push_back(column);
      } else {
        open += slack > 0;
        results_.push_back(result);
      }
    }
    // Bounds that leave so many pairs open are likely to do so again: the row gets exact scores from now on.
    if (open * kFewOpen > batch.segments.size()) local.coarse = false;
  }
}

}  // namespace alnus::cpu
