#include "cpu/tile_worker.h"

#include <algorithm>
#include <numeric>
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

void TileWorker::start(const Tile& tile, const Problem& problem, Sink& sink) {
  tile_ = &tile;
  problem_ = &problem;
  sink_ = &sink;
  want_ = problem.detail == Detail::score  ? Want::score
          : problem.detail == Detail::ends ? Want::ends
                                           : Want::trace;
  range8_ = range8(problem.scoring);
  differences_fit_ = differences_fit(problem.scoring);
  const int letters = Alphabet::of(problem.scoring.matrix.alphabet()).size();
  const std::int32_t pad = pad_score(problem.scoring);
  for (int q = 0; q < kLetters; ++q) {
    for (int s = 0; s < kLetters; ++s) {
      const std::int32_t value =
          q < letters && s < letters
              ? problem.scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s))
              : pad;
      scores32_[q * kLetters + s] = value;
      scores8_[q * kLetters + s] = static_cast<std::int8_t>(value);
      best_of_letter_[s] = std::max(q == 0 ? 0 : best_of_letter_[s], value);
    }
  }
  results_.clear();
  cigars_.clear();
}

void TileWorker::run(const Tile& tile, const Problem& problem, Sink& sink) {
  start(tile, problem, sink);
  const bool narrow = problem.scoring.mode == Mode::local && range8_.usable;
  const bool scores8 = narrow && want_ == Want::score && method_ != Method::striped;
  const bool side_by_side =
      differences_fit_ && (method_ == Method::automatic || method_ == Method::differences);
  std::optional<Row> waiting;  // for the next
  const auto do_row = [&](std::uint32_t number, std::span<const std::uint32_t> columns) {
    if (scores8) return local_scores(number, 1, columns);
    Row row{number, prepare(tile.rows->residues(number)), {columns.begin(), columns.end()}};
    if (narrow && want_ == Want::trace && method_ == Method::automatic) {
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
  std::vector<std::uint32_t> columns;
  if (tile.shape == TileShape::list) {
    for (std::size_t k = 0; k < tile.pairs.size();) {
      const std::uint32_t row = tile.pairs[k].row;
      columns.clear();
      for (; k < tile.pairs.size() && tile.pairs[k].row == row; ++k) columns.push_back(tile.pairs[k].column);
      std::sort(columns.begin(), columns.end());  // by decreasing length
      do_row(row, columns);
    }
  } else if (scores8) {
    columns.resize(tile.column_range.size());
    std::iota(columns.begin(), columns.end(), tile.column_range.begin);
    local_scores(tile.row_range.begin, tile.row_range.size(), columns);
  } else {
    for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      columns.clear();
      for (std::uint32_t c = tile.column_range.begin; c < tile.column_range.end; ++c) {
        if (wanted(row, c)) columns.push_back(c);
      }
      do_row(row, columns);
    }
  }
  if (waiting) exact(waiting->number, waiting->query, waiting->columns);
  hand_over();
}

void TileWorker::add(std::uint32_t row, std::uint32_t column, const Alignment& alignment) {
  PairResult result;
  result.row = row;
  result.column = column;
  result.score = alignment.score;
  result.query_begin = alignment.query_begin;
  result.query_end = alignment.query_end;
  result.subject_begin = alignment.subject_begin;
  result.subject_end = alignment.subject_end;
  // The spans get their addresses in hand_over(), when the cigars do not move any more.
  result.cigar = {static_cast<const CigarRun*>(nullptr), alignment.cigar.size()};
  if (want_ == Want::trace)
    result.counts = count(alignment, tile_->rows->residues(row), tile_->columns->residues(column),
                          problem_->scoring.matrix);
  cigars_.insert(cigars_.end(), alignment.cigar.begin(), alignment.cigar.end());
  results_.push_back(result);
}

void TileWorker::hand_over() {
  const CigarRun* next = cigars_.data();
  for (PairResult& result : results_) {
    result.cigar = {next, result.cigar.size()};
    next += result.cigar.size();
  }
  sink_->accept(*tile_, results_);
}

}  // namespace alnus::cpu
