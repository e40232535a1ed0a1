#include "cpu/tile_worker.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "alnus/error.h"
#include "cpu/traceback.h"

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
  const auto do_row = [&](std::uint32_t row, std::span<const std::uint32_t> columns) {
    if (scores8) return local_scores(row, 1, columns);
    const Query query = prepare(tile.rows->residues(row));
    if (narrow && want_ == Want::trace && method_ == Method::automatic) {
      local_alignments(row, query, columns);
    } else {
      exact(row, query, columns);
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
  hand_over();
}

namespace {

// Costs of a cell in the other kernels against one in interseq, per vector; for alignments both keep what
// their tracebacks need.
constexpr double kStripedCell = 1.6, kDifferencesCell = 1.1, kDifferencesTraceCell = 0.75;
// A vector of half the lanes: three ports take its instructions, two those of a whole one.
constexpr double kHalfVector = 0.7;
// The windows that a traceback of differences does again cost as much as so many columns of the lane.
constexpr double kWindowsAsColumns = 250;
// Rows that the carry from lane to lane costs in each column of striped.
constexpr double kCarryRows = 3;

}  // namespace

void TileWorker::throw_too_large(std::uint32_t row, std::uint32_t column) const {
  throw Error(ErrorKind::input,
              fmt::format("Scores of query '{}' against '{}' may pass 1,000,000,000; use smaller scores.",
                          tile_->rows->sequences()[tile_->rows->index(row)].id(),
                          tile_->columns->sequences()[tile_->columns->index(column)].id()));
}

// `columns` by decreasing length: side by side in lanes, or those alone that would leave lanes empty.
void TileWorker::exact(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns) {
  if (columns.empty()) return;
  const Scoring& scoring = problem_->scoring;
  const auto rows = static_cast<std::int64_t>(query.codes.size());
  const QueryBounds bounds(query.residues, scoring);
  const auto length = [&](std::uint32_t column) {
    return static_cast<std::int64_t>(tile_->columns->length(column));
  };
  while (!columns.empty() && (length(columns.back()) == 0 || rows == 0)) {
    const std::uint32_t column = columns.back();
    const std::int64_t border = std::int64_t{scoring.extend} * (length(column) + rows);
    if (scoring.mode != Mode::local && scoring.open + border > kernels_.wide32.highest)
      throw_too_large(row, column);
    add(row, column,
        align_reference(query.residues, tile_->columns->residues(column), scoring, problem_->detail));
    columns = columns.first(columns.size() - 1);
  }
  if (columns.empty()) return;

  const auto padded = [&](std::uint32_t column) {
    return (length(column) + kWideColumns - 1) / kWideColumns * kWideColumns;
  };
  Rules rules;
  if (!bounds.fits(kernels_.wide32, padded(columns.front()), rules)) throw_too_large(row, columns.front());
  const auto first_of16 = std::partition_point(columns.begin(), columns.end(), [&](std::uint32_t column) {
    return !bounds.fits(kernels_.wide16, padded(column), rules);
  });
  exact(kernels_.wide32, row, query, bounds, {columns.begin(), first_of16});
  exact(kernels_.wide16, row, query, bounds, {first_of16, columns.end()});
}

// What a batch of so many columns keeps for its tracebacks.
std::uint64_t TileWorker::trace_bytes(const LaneKernel& kernel, const Query& query, std::int64_t columns) {
  const auto rows = static_cast<std::int64_t>(query.codes.size());
  if (kernel.window != nullptr) return LaneTraces::checkpoint_bytes(kernel, rows, columns);
  return static_cast<std::uint64_t>(rows * columns * kernel.trace_bytes);
}

// All of `columns` fit the width of `kernels`.
void TileWorker::exact(const WideKernels& kernels, std::uint32_t row, const Query& query,
                       const QueryBounds& bounds, std::span<const std::uint32_t> columns) {
  const auto rows = static_cast<double>(query.codes.size());
  const double alone = (std::ceil(rows / kernels.lanes) + kCarryRows) * kStripedCell / rows;
  struct Choice {
    const LaneKernel* kernel;
    BatchPlan plan;
    double cost = 0;
  };
  const auto with = [&](const LaneKernel& kernel, double cell, double columns_more) {
    Choice choice{&kernel, {}};
    const auto first_fitting =
        std::partition_point(columns.begin(), columns.end(), [&](std::uint32_t column) {
          const auto length = static_cast<std::int64_t>(tile_->columns->length(column));
          return want_ == Want::trace && trace_bytes(kernel, query, length + kWideColumns) > limits_.trace;
        });
    BatchShape shape{kernel.lanes, kWideColumns, alone / cell};
    if (method_ == Method::striped) shape.alone = 0;
    if (method_ == Method::interseq || method_ == Method::differences)
      shape.alone = std::numeric_limits<double>::infinity();
    choice.plan = plan_batches(*tile_->columns, {first_fitting, columns.end()}, shape);
    choice.plan.singles.insert(choice.plan.singles.end(), columns.begin(), first_fitting);
    for (const Batch& batch : choice.plan.batches) {
      const double per_lane = static_cast<double>(batch.segments.size()) / kernel.lanes;
      choice.cost += cell * (batch.blocks * kWideColumns + per_lane * columns_more);
    }
    for (const std::uint32_t column : choice.plan.singles)
      choice.cost += alone * static_cast<double>(tile_->columns->length(column));
    return choice;
  };
  Choice choice = with(kernels, 1, 0);
  if (differences_fit_ && method_ != Method::interseq) {
    const bool trace = want_ == Want::trace;
    const double cell = trace ? kDifferencesTraceCell : kDifferencesCell;
    const auto take_cheaper = [&](const LaneKernel& kernel, double cost) {
      Choice other = with(kernel, cost, trace ? kWindowsAsColumns : 0);
      const bool forced = method_ == Method::differences && choice.kernel == &kernels;
      if (forced || other.cost < choice.cost) choice = std::move(other);
    };
    take_cheaper(kernels_.differences, cell);
    if (kernels_.half_differences.lanes > 0) take_cheaper(kernels_.half_differences, cell * kHalfVector);
  }
  for (const std::uint32_t column : choice.plan.singles) striped(kernels, row, query, bounds, column);
  for (const Batch& batch : choice.plan.batches) {
    Rules rules;
    bounds.fits(kernels, std::int64_t{batch.blocks} * kWideColumns, rules);
    interseq(*choice.kernel, rules, row, query, batch);
  }
}

void TileWorker::interseq(const LaneKernel& kernel, const Rules& rules, std::uint32_t row, const Query& query,
                          const Batch& batch) {
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  const BatchStops stops(batch, kernel.lanes);
  const std::size_t result_count = lanes * static_cast<std::size_t>(stops.count());
  std::vector<std::int32_t> lengths(result_count), score(result_count), query_end(result_count),
      subject_end(result_count);
  std::vector<std::size_t> next(lanes);  // of each lane, the stop up to which it is spoken for
  for (std::size_t k = 0; k < batch.segments.size(); ++k) {
    const Segment& segment = batch.segments[k];
    const std::size_t last = stops.result_of(k) / lanes;
    const auto lane = static_cast<std::size_t>(segment.lane);
    for (std::size_t& stop = next[lane]; stop <= last; ++stop) {
      lengths[stop * lanes + lane] = static_cast<std::int32_t>(tile_->columns->length(segment.position));
    }
  }

  InterseqJob job;
  job.rules = rules;
  job.want = want_;
  job.query = query.indices.data();
  job.rows = static_cast<std::int32_t>(query.codes.size());
  job.used = query.used.data();
  job.used_count = static_cast<std::int32_t>(query.used.size());
  job.scores = scores32_;
  const auto columns = static_cast<std::uint64_t>(batch.blocks) * kWideColumns;
  std::uint8_t* letters = letters_.at_least((columns + kWindowColumns) * lanes);
  pack(*tile_->columns, batch, {kernel.lanes, kWideColumns}, letters);
  std::fill_n(letters + columns * lanes, kWindowColumns * lanes, kPadLetter);  // windows may reach there
  job.letters = letters;
  job.stops = stops.stops();
  job.stop_count = stops.count();
  job.lengths = lengths.data();
  job.score = score.data();
  job.query_end = query_end.data();
  job.subject_end = subject_end.data();
  if (want_ == Want::trace && kernel.window != nullptr)
    job.checkpoints = lane_traces_.checkpoints(kernel, job.rows, static_cast<std::int32_t>(columns));
  else if (want_ == Want::trace)
    job.trace = trace_.at_least(trace_bytes(kernel, query, static_cast<std::int64_t>(columns)));
  job.workspace = workspace_.at_least(kernel.interseq_workspace(job.rows));
  kernel.interseq(job);

  const std::int32_t floor = sink_->floor(row);
  std::vector<LanePath> paths;
  for (std::size_t k = 0; k < batch.segments.size(); ++k) {
    const Segment& segment = batch.segments[k];
    const std::size_t at = stops.result_of(k);
    if (score[at] < floor) continue;
    Alignment alignment;
    alignment.score = score[at];
    if (want_ != Want::score) {
      alignment.query_end = query_end[at];
      alignment.subject_end = subject_end[at];
    }
    if (want_ == Want::trace) {
      paths.push_back({segment.position, segment.lane, segment.first_block * kWideColumns,
                       Traceback(query.residues, tile_->columns->residues(segment.position),
                                 problem_->scoring, alignment)});
    } else {
      add(row, segment.position, alignment);
    }
  }
  if (kernel.window != nullptr) {
    lane_traces_.walk(kernel, job, paths);
  } else {
    for (LanePath& path : paths) walk(kernel, job, path);
  }
  for (LanePath& path : paths) add(row, path.position, path.traceback.finish());
}

// Through the trace of a run of interseq.
void TileWorker::walk(const LaneKernel& kernel, const InterseqJob& job, LanePath& path) {
  const auto cell = [&](std::int64_t i, std::int64_t j) {
    const std::int64_t column = path.first_column + j - 1;
    const std::int64_t number =
        (column / kWideColumns * job.rows + i - 1) * kWideColumns + column % kWideColumns;
    return job.trace + number * kernel.trace_bytes;
  };
  path.traceback.walk({}, [&](TraceBit bit, std::int32_t i, std::int32_t j) {
    constexpr int kAhead = 8;  // cells on the diagonal, far from each other in memory
    if (i > kAhead && j > kAhead) __builtin_prefetch(cell(i - kAhead, j - kAhead));
    return trace_has(bit, kernel, cell(i, j), path.lane);
  });
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
