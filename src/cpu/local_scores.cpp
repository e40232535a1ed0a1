// Scores of a rectangle in mode local: everything in 8 bits first; what that could not tell, exactly.
#include <algorithm>

#include "cpu/tile_worker.h"

namespace alnus::cpu {

void TileWorker::local_scores(const Tile& tile) {
  std::vector<Query> queries;
  for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    queries.push_back(prepare(tile.rows->residues(row)));
  }
  redo_.assign(queries.size(), {});
  const BatchPlan plan = plan_batches(*tile.columns, tile.column_range, kernels_.lanes8, kernels_.columns8);
  for (auto& columns : redo_) columns = plan.singles;
  for (std::uint32_t c = tile.column_range.end;
       c > tile.column_range.begin && tile.columns->length(c - 1) == 0; --c) {
    for (auto& columns : redo_) columns.push_back(c - 1);  // empty subjects
  }
  for (const Batch& batch : plan.batches) run_batch8(batch, queries);
  for (std::size_t k = 0; k < queries.size(); ++k) {
    const auto row = tile.row_range.begin + static_cast<std::uint32_t>(k);
    std::erase_if(redo_[k], [&](std::uint32_t column) { return !wanted(row, column); });
    std::sort(redo_[k].begin(), redo_[k].end());
    exact(row, queries[k], redo_[k]);
  }
}

Local8Job TileWorker::job8(const Query& query) {
  Local8Job job;
  job.query = query.indices.data();
  job.rows = static_cast<std::int32_t>(query.indices.size());
  job.used = query.used.data();
  job.used_count = static_cast<std::int32_t>(query.used.size());
  job.scores = scores8_;
  job.first = problem_->scoring.open + problem_->scoring.extend;
  job.extend = problem_->scoring.extend;
  job.zero = range8_.zero;
  job.workspace = workspace_.at_least(kernels_.local8_workspace(job.rows));
  return job;
}

void TileWorker::run_batch8(const Batch& batch, const std::vector<Query>& queries) {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes8);
  std::uint8_t* letters =
      letters_.at_least(static_cast<std::uint64_t>(batch.blocks) * kernels_.columns8 * lanes);
  pack(*tile_->columns, batch, kernels_.lanes8, kernels_.columns8, letters);

  // A stop wherever a lane takes up its next subject, and one at the end.
  std::vector<std::int32_t> blocks;
  for (const Segment& s : batch.segments) {
    if (s.first_block > 0) blocks.push_back(s.first_block);
  }
  blocks.push_back(batch.blocks);
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  const auto stop_at = [&](std::int32_t block) {
    return static_cast<std::size_t>(std::lower_bound(blocks.begin(), blocks.end(), block) - blocks.begin());
  };
  AlignedBuffer restart_buffer;
  std::uint8_t* restart = restart_buffer.at_least(blocks.size() * lanes);
  std::fill_n(restart, blocks.size() * lanes, std::uint8_t{0});
  std::vector<std::size_t> stop_of(batch.segments.size(), blocks.size() - 1);
  std::vector<std::size_t> last_of_lane(lanes, batch.segments.size());
  for (std::size_t k = 0; k < batch.segments.size(); ++k) {  // segments of a lane come in order
    const Segment& s = batch.segments[k];
    const auto lane = static_cast<std::size_t>(s.lane);
    if (s.first_block > 0) {
      const std::size_t stop = stop_at(s.first_block);
      restart[stop * lanes + lane] = 0xff;
      stop_of[last_of_lane[lane]] = stop;
    }
    last_of_lane[lane] = k;
  }
  std::vector<Stop> stops(blocks.size());
  for (std::size_t k = 0; k < stops.size(); ++k) {
    stops[k] = {blocks[k], k + 1 < stops.size() ? restart + k * lanes : nullptr};
  }
  best8_.resize(stops.size() * lanes);

  for (std::size_t k = 0; k < queries.size(); ++k) {
    const Query& query = queries[k];
    const auto row = tile_->row_range.begin + static_cast<std::uint32_t>(k);
    Local8Job job = job8(query);
    job.letters = letters;
    job.stops = stops.data();
    job.stop_count = static_cast<std::int32_t>(stops.size());
    job.best = best8_.data();
    kernels_.local8(job);

    const std::int32_t floor = sink_->floor(row);
    for (std::size_t s = 0; s < batch.segments.size(); ++s) {
      const Segment& segment = batch.segments[s];
      const std::int32_t score = best8_[stop_of[s] * lanes + static_cast<std::size_t>(segment.lane)];
      const bool beyond = score > range8_.highest_known;  // `score` is only a lower bound then
      const std::int32_t at_most = std::max(score, range8_.lowest_known - 1);
      if ((!beyond && at_most < floor) || !wanted(row, segment.position)) continue;
      if (beyond || score < range8_.lowest_known) {
        redo_[k].push_back(segment.position);
      } else {
        PairResult result;
        result.row = row;
        result.column = segment.position;
        result.score = score;
        results_.push_back(result);
      }
    }
  }
}

}  // namespace alnus::cpu
