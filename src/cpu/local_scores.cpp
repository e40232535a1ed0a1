// Scores of a rectangle in mode local: everything in 8 bits first; what that could not tell, exactly.
#include <algorithm>
#include <numeric>

#include "cpu/tile_worker.h"

namespace alnus::cpu {
namespace {

// Cost of a cell in an exact kernel against one in the 8-bit kernel, both per vector.
constexpr double kExactCell = 4.0;

}  // namespace

void TileWorker::local_scores(const Tile& tile) {
  std::vector<Query> queries;
  for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    queries.push_back(prepare(tile.rows->residues(row)));
  }
  redo_.assign(queries.size(), {});
  std::vector<std::uint32_t> columns(tile.column_range.size());
  std::iota(columns.begin(), columns.end(), tile.column_range.begin);
  const auto first_empty = std::partition_point(
      columns.begin(), columns.end(), [&](std::uint32_t c) { return tile.columns->length(c) > 0; });
  const BatchPlan plan = plan_batches(*tile.columns, {columns.begin(), first_empty}, shape8(kExactCell));
  for (auto& redo : redo_) {
    redo = plan.singles;
    redo.insert(redo.end(), first_empty, columns.end());
  }
  for (const Batch& batch : plan.batches) run_batch8(batch, queries);
  for (std::size_t k = 0; k < queries.size(); ++k) {
    const auto row = tile.row_range.begin + static_cast<std::uint32_t>(k);
    std::erase_if(redo_[k], [&](std::uint32_t column) { return !wanted(row, column); });
    std::sort(redo_[k].begin(), redo_[k].end());
    exact(row, queries[k], redo_[k]);
  }
}

const std::uint8_t* TileWorker::pack8(const Batch& batch) {
  std::uint8_t* letters =
      letters_.at_least(static_cast<std::uint64_t>(batch.blocks) * kernels_.columns8 * kernels_.lanes8);
  pack(*tile_->columns, batch, shape8(), letters);
  return letters;
}

Local8Job TileWorker::job8(const Query& query, const std::uint8_t* letters, const BatchStops& stops) {
  Local8Job job;
  job.query = query.indices.data();
  job.rows = static_cast<std::int32_t>(query.indices.size());
  job.used = query.used.data();
  job.used_count = static_cast<std::int32_t>(query.used.size());
  job.scores = scores8_;
  job.first = problem_->scoring.open + problem_->scoring.extend;
  job.extend = problem_->scoring.extend;
  job.zero = range8_.zero;
  job.letters = letters;
  job.stops = stops.stops();
  job.stop_count = stops.count();
  best8_.resize(static_cast<std::size_t>(stops.count() * kernels_.lanes8));
  job.best = best8_.data();
  job.workspace = workspace_.at_least(kernels_.local8_workspace(job.rows));
  return job;
}

void TileWorker::run_batch8(const Batch& batch, const std::vector<Query>& queries) {
  const std::uint8_t* letters = pack8(batch);
  const BatchStops stops(batch, kernels_.lanes8);

  for (std::size_t k = 0; k < queries.size(); ++k) {
    const auto row = tile_->row_range.begin + static_cast<std::uint32_t>(k);
    const Local8Job job = job8(queries[k], letters, stops);
    kernels_.local8(job);

    const std::int32_t floor = sink_->floor(row);
    for (std::size_t s = 0; s < batch.segments.size(); ++s) {
      const std::uint32_t column = batch.segments[s].position;
      const std::int32_t score = best8_[stops.result_of(s)];
      const bool beyond = score > range8_.highest_known;  // `score` is only a lower bound then
      const std::int32_t at_most = std::max(score, range8_.lowest_known - 1);
      if ((!beyond && at_most < floor) || !wanted(row, column)) continue;
      if (beyond || score < range8_.lowest_known) {
        redo_[k].push_back(column);
      } else {
        PairResult result;
        result.row = row;
        result.column = column;
        result.score = score;
        results_.push_back(result);
      }
    }
  }
}

}  // namespace alnus::cpu
