#include "cpu/tile_worker.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace alnus::cpu {

TileWorker::Query TileWorker::prepare(std::span<const Residue> residues) {
  Query query;
  query.residues = residues;
  std::uint8_t index_of[kLetters];
  std::fill(std::begin(index_of), std::end(index_of), 0xff);
  query.codes.reserve(residues.size());
  query.indices.reserve(residues.size() + kRowStep);
  for (const Residue r : residues) {
    const std::uint8_t code = r & kCodeMask;
    if (index_of[code] == 0xff) {
      index_of[code] = static_cast<std::uint8_t>(query.used.size());
      query.used.push_back(code);
    }
    query.codes.push_back(code);
    query.indices.push_back(index_of[code]);
  }
  const auto pad = static_cast<std::uint8_t>(query.used.size());
  query.used.push_back(kPadLetter);
  while (query.indices.size() % kRowStep != 0) query.indices.push_back(pad);
  return query;
}

void TileWorker::start(const KernelSet& kernels, const Tile& tile, const Problem& problem, Sink& sink) {
  kernels_ = kernels;
  tile_ = &tile;
  problem_ = &problem;
  sink_ = &sink;
  stop_flag_ = &sink.stop_flag();
  want_ = want_of(problem.detail);
  tables_.prepare(problem.scoring);
  results_.clear();
  cigars_.clear();
  tiny_.clear();
}

void TileWorker::columns_left(Position row, std::vector<Position>& columns) const {
  const PositionRange wanted = tile_->columns_of(row), done = tiny_.done(row, wanted);
  columns.clear();
  for (Position column = wanted.begin; column < done.begin; ++column) columns.push_back(column);
  for (Position column = done.end; column < wanted.end; ++column) columns.push_back(column);
}

void TileWorker::run(const KernelSet& kernels, const Tile& tile, const Problem& problem, Sink& sink) {
  start(kernels, tile, problem, sink);
  if ((method_ == Method::automatic || method_ == Method::subsequence) &&
      SubsequencePairs::takes(tile, problem)) {
    subsequences_.run(kernels_, tile, problem.scoring, *stop_flag_);
    return hand_over(subsequences_.scores());
  }
  const bool narrow = problem.scoring.mode == Mode::local && tables_.range8().usable;
  const bool scores8 = narrow && want_ == Want::score && method_ != Method::striped;
  const bool side_by_side =
      tables_.differences_fit() && (method_ == Method::automatic || method_ == Method::differences);
  if ((want_ == Want::score || (want_ == Want::trace && problem.identities)) &&
      tile.shape != TileShape::list && (method_ == Method::automatic || method_ == Method::tiny))
    tiny_.run(kernels_, tables_, tile, want_ == Want::trace, method_ == Method::tiny, *stop_flag_);
  std::optional<QueryOfTile> waiting;  // waits for the next row, to share lanes with it
  const auto do_row = [&](Position number, std::span<const Position> columns) {
    check_stop();
    if (scores8) return local_scores(number, 1, columns);
    QueryOfTile row{number, prepare(tile.rows->residues(number)), {columns.begin(), columns.end()}};
    if (narrow && want_ == Want::trace && (method_ == Method::automatic || method_ == Method::snapshots)) {
      local_alignments(number, row.query, columns);
    } else if (!side_by_side) {
      exact(number, row.query, columns);
    } else if (waiting) {
      exact(*waiting, row);
      waiting.reset();
    } else {
      waiting = std::move(row);
    }
  };
  std::vector<Position> columns;
  if (tile.shape == TileShape::list) {
    for (std::size_t k = 0; k < tile.pairs.size();) {
      const Position row = tile.pairs[k].row;
      columns.clear();
      for (; k < tile.pairs.size() && tile.pairs[k].row == row; ++k) columns.push_back(tile.pairs[k].column);
      std::sort(columns.begin(), columns.end());  // positions rise as lengths fall
      do_row(row, columns);
    }
  } else if (scores8) {
    // Successive rows mostly have the same columns to do, and are scored together.
    for (PositionRange rows{tile.row_range.begin, {}}; rows.begin < tile.row_range.end;
         rows.begin = rows.end) {
      const PositionRange done = tiny_.done(rows.begin, tile.column_range);
      rows.end = rows.begin + 1;
      while (rows.end < tile.row_range.end && tiny_.done(rows.end, tile.column_range) == done) ++rows.end;
      columns.clear();
      for (Position c = tile.column_range.begin; c < tile.column_range.end; ++c)
        if (c < done.begin || c >= done.end) columns.push_back(c);
      if (!columns.empty()) local_scores(rows.begin, rows.size(), columns);
    }
  } else {
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      columns_left(row, columns);
      if (!columns.empty()) do_row(row, columns);
    }
  }
  if (waiting) exact(waiting->number, waiting->query, waiting->columns);
  hand_over();
}

void TileWorker::add(Position row, Position column, const Alignment& alignment) {
  PairResult result;
  result.row = row;
  result.column = column;
  result.score = alignment.score;
  result.query_begin = alignment.query_begin;
  result.query_end = alignment.query_end;
  result.subject_begin = alignment.subject_begin;
  result.subject_end = alignment.subject_end;
  // The span gets its address in hand_over(), once cigars_ does not grow any more.
  result.cigar = {static_cast<const CigarRun*>(nullptr), alignment.cigar.size()};
  if (want_ == Want::trace)
    result.counts = count(alignment, tile_->rows->residues(row), tile_->columns->residues(column),
                          problem_->scoring.matrix);
  cigars_.insert(cigars_.end(), alignment.cigar.begin(), alignment.cigar.end());
  results_.push_back(result);
}

// True if the sink takes the scores of all pairs of the tile: it has no limit and no floor.
bool TileWorker::takes_all_scores() const {
  if (sink_->limit() > 0) return false;
  for (Position row = tile_->row_range.begin; row < tile_->row_range.end; ++row)
    if (sink_->floor(row) > std::numeric_limits<std::int32_t>::min()) return false;
  return true;
}

void TileWorker::hand_over(const TileScores& scores) {
  if (takes_all_scores()) return sink_->accept_scores(*tile_, scores);
  for (Position row = tile_->row_range.begin; row < tile_->row_range.end; ++row) {
    const std::int32_t floor = sink_->floor(row);
    PairResult result{row, tile_->columns_of(row).begin};
    for (const std::int32_t score : scores.of_row(*tile_, row)) {
      result.score = score;
      if (score >= floor) results_.push_back(result);
      ++result.column;
    }
  }
  sink_->accept(*tile_, results_);
}

void TileWorker::hand_over() {
  check_stop();
  if (tiny_.any() && want_ == Want::score && takes_all_scores()) {
    for (const PairResult& result : results_) tiny_.put(result.row, result.column, result.score);
    return sink_->accept_scores(*tile_, tiny_.scores());
  }
  const CigarRun* next = cigars_.data();
  for (PairResult& result : results_) {
    result.cigar = {next, result.cigar.size()};
    next += result.cigar.size();
  }
  if (tiny_.any()) add_tiny();
  sink_->accept(*tile_, results_);
}

// Adds the results of tiny_ to those of the other kernels.
void TileWorker::add_tiny() {
  for (Position row = tile_->row_range.begin; row < tile_->row_range.end; ++row) {
    const std::int32_t floor = sink_->floor(row);
    const PositionRange done = tiny_.done(row, tile_->columns_of(row));
    PairResult result;
    result.row = row;
    for (result.column = done.begin; result.column < done.end; ++result.column) {
      result.score = tiny_.score(row, result.column);
      if (result.score < floor) continue;
      if (want_ == Want::trace) result.counts = tiny_.counts(row, result.column);
      results_.push_back(result);
    }
  }
}

}  // namespace alnus::cpu
