// Aligns pairs with the exact kernels: chooses the kernel, and which columns share lanes and which are
// aligned alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "alnus/error.h"
#include "cpu/tile_worker.h"
#include "cpu/traceback.h"

namespace alnus::cpu {
namespace {

// Costs of a vector of cells in `striped` and in `differences`, relative to `interseq`. kDifferencesTraceCell
// is for alignments, where `differences` and `interseq` keep what their tracebacks need.
constexpr double kStripedCell = 1.6, kDifferencesCell = 1.1, kDifferencesTraceCell = 0.75;
// Relative cost of a cell with two queries in the lanes, where each lane's score is selected from two
// profiles.
constexpr double kTwoQueries = 1.05;
// Cost of a vector of cells in `half_differences`, relative to `differences`, whose vectors have twice the
// lanes: the processor has three ports for instructions on half vectors, and two ports for those on whole
// ones.
constexpr double kHalfVector = 0.7;
// A traceback of `differences` computes windows of the dynamic programming matrix again (WindowJob). The
// windows of one subject cost as much as this number of columns of its lane.
constexpr double kWindowsAsColumns = 250;
// In `striped`, the carry of F from lane to lane costs as much in each column as this number of rows of a
// segment.
constexpr double kCarryRows = 3;

}  // namespace

void TileWorker::throw_too_large(Position row, Position column) const {
  throw Error(ErrorKind::input,
              fmt::format("Scores of query '{}' against '{}' may pass 1,000,000,000; use smaller scores.",
                          tile_->rows->set()[tile_->rows->index(row)].id(),
                          tile_->columns->set()[tile_->columns->index(column)].id()));
}

// Aligns the pairs with an empty sequence, which need no kernel, and returns the other columns. `columns` are
// sorted by decreasing length. Throws Error(input) if 32-bit lanes could not hold the score of such a pair
// (fits_when_empty()).
std::span<const Position> TileWorker::without_empty(Position row, const Query& query,
                                                    std::span<const Position> columns) {
  const Scoring& scoring = problem_->scoring;
  const std::size_t rows = query.codes.size();
  for (; !columns.empty(); columns = columns.first(columns.size() - 1)) {
    const Position column = columns.back();
    const std::size_t length = tile_->columns->length(column);
    if (length > 0 && rows > 0) break;
    if (!fits_when_empty(scoring, length + rows, kernels_.wide32)) throw_too_large(row, column);
    add(row, column,
        align_reference(query.residues, tile_->columns->residues(column), scoring, problem_->detail));
  }
  return columns;
}

std::int64_t TileWorker::padded_length(Position column) const {
  const auto length = static_cast<std::int64_t>(tile_->columns->length(column));
  return (length + kWideColumns - 1) / kWideColumns * kWideColumns;
}

// Aligns a query with `columns`, which are sorted by decreasing length. Columns share lanes; those that would
// leave most lanes empty are aligned alone.
void TileWorker::exact(Position row, const Query& query, std::span<const Position> columns) {
  columns = without_empty(row, query, columns);
  if (columns.empty()) return;
  const QueryBounds bounds(query.residues, tables_);
  Rules rules;
  if (!bounds.fits(kernels_.wide32, padded_length(columns.front()), rules))
    throw_too_large(row, columns.front());
  const auto first_of16 = std::partition_point(columns.begin(), columns.end(), [&](Position column) {
    return !bounds.fits(kernels_.wide16, padded_length(column), rules);
  });
  const auto run = [&](const WideKernels& kernels, std::span<const Position> part) {
    const Choice choice = choose(kernels, query, part);
    for (const Position column : choice.plan.singles) striped(kernels, row, query, bounds, column);
    const BatchQueries queries{{row}, {query.residues}, &query};
    for (const Batch& batch : choice.plan.batches) {
      bounds.fits(kernels, std::int64_t{batch.blocks} * kWideColumns, rules);
      interseq(*choice.kernel, rules, queries, batch);
    }
  };
  run(kernels_.wide32, {columns.begin(), first_of16});
  run(kernels_.wide16, {first_of16, columns.end()});
}

// Returns the bytes that a batch of `columns` columns keeps for its tracebacks.
std::uint64_t TileWorker::trace_bytes(const LaneKernel& kernel, std::int64_t rows, std::int64_t columns) {
  if (kernel.window != nullptr) return LaneTraces::checkpoint_bytes(kernel, rows, columns);
  return static_cast<std::uint64_t>(rows * columns * kernel.trace_bytes);
}

// Returns the cost of one column of all rows in `striped`, in vectors of cells of `interseq`.
double TileWorker::cost_alone(const WideKernels& kernels, const Query& query) {
  return (std::ceil(static_cast<double>(query.codes.size()) / kernels.lanes) + kCarryRows) * kStripedCell;
}

double TileWorker::cost_of_cell(const LaneKernel& kernel) const {
  const double differences = want_ == Want::trace ? kDifferencesTraceCell : kDifferencesCell;
  if (&kernel == &kernels_.differences) return differences;
  return &kernel == &kernels_.half_differences ? differences * kHalfVector : 1;
}

double TileWorker::cost_of_row(const LaneKernel& kernel, std::span<const Batch> batches) const {
  const double columns_more = want_ == Want::trace && kernel.window != nullptr ? kWindowsAsColumns : 0;
  double columns = 0;
  for (const Batch& batch : batches)
    columns += batch.blocks * kWideColumns +
               columns_more * static_cast<double>(batch.segments.size()) / kernel.lanes;
  return columns * cost_of_cell(kernel);
}

// Returns a lower bound on the cost, in vectors of cells of `interseq`, of aligning a query of `rows`
// residues with `columns` subjects in a kernel that computes windows again (WindowJob), if `striped` aligns
// none of the subjects; 0 for other kernels. If another kernel costs no more than this bound, no plan is made
// for this kernel: with short sequences making a plan takes longer than the cells.
double TileWorker::least_cost(const LaneKernel& kernel, std::size_t rows, std::size_t columns) const {
  if (want_ != Want::trace || kernel.window == nullptr) return 0;
  return static_cast<double>(rows) * kWindowsAsColumns * static_cast<double>(columns) / kernel.lanes *
         cost_of_cell(kernel);
}

// Plans batches of `columns` for `kernel`. Columns whose trace with a query of `trace_rows` residues would
// not fit MemoryLimits::trace, and those that the plan leaves out, are aligned alone, by `alone.striped`.
TileWorker::Choice TileWorker::choose(const LaneKernel& kernel, const WideKernels& alone, const Query& query,
                                      std::span<const Position> columns, std::size_t trace_rows) const {
  const auto first_fitting = std::partition_point(columns.begin(), columns.end(), [&](Position column) {
    const auto length = static_cast<std::int64_t>(tile_->columns->length(column));
    return want_ == Want::trace &&
           trace_bytes(kernel, static_cast<std::int64_t>(trace_rows), length + kWideColumns) > limits_.trace;
  });
  const auto rows = static_cast<double>(query.codes.size());
  const double column_alone = cost_alone(alone, query);
  BatchShape shape{kernel.lanes, kWideColumns, column_alone / rows / cost_of_cell(kernel)};
  if (method_ == Method::striped) shape.alone = 0;
  if (method_ == Method::interseq || method_ == Method::differences)
    shape.alone = std::numeric_limits<double>::infinity();
  Choice choice{&kernel, plan_batches(*tile_->columns, {first_fitting, columns.end()}, shape)};
  choice.plan.singles.insert(choice.plan.singles.end(), columns.begin(), first_fitting);
  choice.cost = rows * cost_of_row(kernel, choice.plan.batches);
  for (const Position column : choice.plan.singles)
    choice.cost += column_alone * static_cast<double>(tile_->columns->length(column));
  return choice;
}

// Chooses the kernel of least cost, unless method_ forces one, and plans its batches. The caller must have
// checked that the lanes of `kernels` hold the values of all `columns` (QueryBounds::fits).
TileWorker::Choice TileWorker::choose(const WideKernels& kernels, const Query& query,
                                      std::span<const Position> columns) const {
  const std::size_t rows = query.codes.size();
  Choice choice = choose(kernels, kernels, query, columns, rows);
  if (!tables_.differences_fit() || method_ == Method::interseq) return choice;
  for (const LaneKernel* kernel : {&kernels_.differences, &kernels_.half_differences}) {
    if (kernel->lanes == 0) continue;
    const bool forced = method_ == Method::differences && choice.kernel == &kernels;
    if (!forced && least_cost(*kernel, rows, columns.size()) >= choice.cost) continue;
    Choice other = choose(*kernel, kernels, query, columns, rows);
    if (forced || other.cost < choice.cost) choice = std::move(other);
  }
  return choice;
}

// The choice for two queries that share the lanes. A column that the plan for one of the queries by itself
// leaves out of its batches is aligned alone here, too.
struct TileWorker::ChoiceTogether : Choice {
  std::vector<std::uint8_t> number_of;           // by Segment::entry: 0 for the first query, 1 for the second
  std::array<std::vector<Position>, 2> singles;  // columns that each query is aligned with alone
};

TileWorker::ChoiceTogether TileWorker::choose_together(const LaneKernel& kernel, const QueryOfTile& row,
                                                       const QueryOfTile& next,
                                                       const std::span<const Position> (&columns)[2]) const {
  ChoiceTogether together;
  together.kernel = &kernel;
  std::vector<std::pair<Position, int>> entries;
  const std::size_t rows = row.query.codes.size();
  for (const int number : {0, 1}) {
    const Query& query = number == 0 ? row.query : next.query;
    Choice apart = choose(kernel, kernels_.wide16, query, columns[number], rows);
    for (const Batch& batch : apart.plan.batches)
      for (const Segment& segment : batch.segments) entries.emplace_back(segment.position, number);
    for (const Position column : apart.plan.singles)
      together.cost +=
          cost_alone(kernels_.wide16, query) * static_cast<double>(tile_->columns->length(column));
    together.singles[static_cast<std::size_t>(number)] = std::move(apart.plan.singles);
  }
  std::sort(entries.begin(), entries.end());
  std::vector<Position> positions;
  for (const auto& [position, number] : entries) {
    positions.push_back(position);
    together.number_of.push_back(static_cast<std::uint8_t>(number));
  }
  together.plan = plan_batches(*tile_->columns, positions,
                               {kernel.lanes, kWideColumns, std::numeric_limits<double>::infinity()});
  together.cost += kTwoQueries * static_cast<double>(rows) * cost_of_row(kernel, together.plan.batches);
  return together;
}

// Aligns two queries, of which the second is not longer than the first: one after the other, or with the
// subjects of both in the lanes of the same batches, whichever is expected to cost less.
void TileWorker::exact(const QueryOfTile& row, const QueryOfTile& next) {
  const QueryOfTile* const rows[2] = {&row, &next};
  const std::span<const Position> columns[2] = {without_empty(row.number, row.query, row.columns),
                                                without_empty(next.number, next.query, next.columns)};
  const QueryBounds bounds[2] = {{row.query.residues, tables_}, {next.query.residues, tables_}};
  Rules rules;
  bool together = true;
  for (const int k : {0, 1})
    together = together && !columns[k].empty() &&
               bounds[k].fits(kernels_.wide16, padded_length(columns[k].front()), rules);
  ChoiceTogether choice;
  if (together) {
    choice.cost = choose(kernels_.wide16, row.query, columns[0]).cost +
                  choose(kernels_.wide16, next.query, columns[1]).cost;
    for (const LaneKernel* kernel : {&kernels_.differences, &kernels_.half_differences}) {
      if (kernel->lanes == 0) continue;
      const std::size_t pairs = columns[0].size() + columns[1].size();
      if (least_cost(*kernel, row.query.codes.size(), pairs) >= choice.cost) continue;
      ChoiceTogether other = choose_together(*kernel, row, next, columns);
      if (other.cost < choice.cost) choice = std::move(other);
    }
  }
  if (choice.kernel == nullptr) {
    for (const int k : {0, 1}) exact(rows[k]->number, rows[k]->query, columns[k]);
    return;
  }
  for (const int k : {0, 1})
    for (const Position column : choice.singles[static_cast<std::size_t>(k)])
      striped(kernels_.wide16, rows[k]->number, rows[k]->query, bounds[k], column);
  std::vector<Residue> residues(row.query.residues.begin(), row.query.residues.end());
  residues.insert(residues.end(), next.query.residues.begin(), next.query.residues.end());
  Query both = prepare(residues);
  both.indices.resize(2 * row.query.residues.size(), static_cast<std::uint8_t>(both.used.size() - 1));
  const BatchQueries queries{{row.number, next.number},
                             {row.query.residues, next.query.residues},
                             &both,
                             std::move(choice.number_of)};
  for (const Batch& batch : choice.plan.batches) interseq(*choice.kernel, rules, queries, batch);
}

void TileWorker::striped(const WideKernels& kernels, Position row, const Query& query,
                         const QueryBounds& bounds, Position column) {
  SinglePair pair{.query = query.residues,
                  .subject = tile_->columns->residues(column),
                  .query_codes = query.codes,
                  .tables = &tables_,
                  .rules = {},
                  .want = want_,
                  .floor = sink_->floor(row)};
  bounds.fits(kernels, static_cast<std::int64_t>(pair.subject.size()), pair.rules);
  if (const auto alignment = align_striped(pair, kernels, limits_, buffers_, *stop_flag_))
    add(row, column, *alignment);
}

void TileWorker::interseq(const LaneKernel& kernel, const Rules& rules, const BatchQueries& queries,
                          const Batch& batch) {
  const bool two = !queries.number_of.empty();
  const auto query_of = [&](const Segment& segment) { return two ? queries.number_of[segment.entry] : 0; };
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  const BatchStops stops(batch, kernel.lanes);
  const std::size_t result_count = lanes * static_cast<std::size_t>(stops.count());
  std::vector<std::int32_t> lengths(result_count), score(result_count), query_end(result_count),
      subject_end(result_count);
  std::uint8_t* const second = second_.at_least(result_count);
  std::fill_n(second, result_count, std::uint8_t{0});
  std::vector<std::size_t> next(lanes);  // for each lane, the first stop whose length is not set yet
  for (std::size_t k = 0; k < batch.segments.size(); ++k) {
    const Segment& segment = batch.segments[k];
    const std::size_t last = stops.result_of(k) / lanes;
    const auto lane = static_cast<std::size_t>(segment.lane);
    for (std::size_t& stop = next[lane]; stop <= last; ++stop) {
      lengths[stop * lanes + lane] = static_cast<std::int32_t>(tile_->columns->length(segment.position));
      second[stop * lanes + lane] = query_of(segment) == 0 ? 0 : 0xff;
    }
  }

  InterseqJob job;
  job.rules = rules;
  job.want = want_;
  job.query = queries.query->indices.data();
  job.rows = static_cast<std::int32_t>(queries.residues[0].size());
  if (two) {
    job.second_query = job.query + job.rows;
    job.second_rows = static_cast<std::int32_t>(queries.residues[1].size());
    job.second = second;
  }
  job.used = queries.query->used.data();
  job.used_count = static_cast<std::int32_t>(queries.query->used.size());
  job.scores = tables_.scores32();
  const auto columns = static_cast<std::uint64_t>(batch.blocks) * kWideColumns;
  std::uint8_t* letters = letters_.at_least((columns + kWindowColumns) * lanes);
  pack(*tile_->columns, batch, {kernel.lanes, kWideColumns}, letters, *stop_flag_);
  // The windows of a WindowJob may read so far beyond the last column.
  std::fill_n(letters + columns * lanes, kWindowColumns * lanes, kPadLetter);
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
    job.trace = buffers_.trace.at_least(trace_bytes(kernel, job.rows, static_cast<std::int64_t>(columns)));
  job.workspace = buffers_.workspace.at_least(kernel.interseq_workspace(job.rows));
  job.stop_flag = stop_flag_->raw();
  kernel.interseq(job);
  check_stop();

  const std::int32_t floors[2] = {sink_->floor(queries.rows[0]), two ? sink_->floor(queries.rows[1]) : 0};
  std::vector<LanePath> paths;
  for (std::size_t k = 0; k < batch.segments.size(); ++k) {
    const Segment& segment = batch.segments[k];
    const std::size_t at = stops.result_of(k);
    const int number = query_of(segment);
    if (score[at] < floors[number]) continue;
    Alignment alignment;
    alignment.score = score[at];
    if (want_ != Want::score) {
      alignment.query_end = query_end[at];
      alignment.subject_end = subject_end[at];
    }
    if (want_ == Want::trace) {
      paths.push_back({segment.position, number, segment.lane, segment.first_block * kWideColumns,
                       Traceback(queries.residues[number], tile_->columns->residues(segment.position),
                                 problem_->scoring, alignment)});
    } else {
      add(queries.rows[number], segment.position, alignment);
    }
  }
  if (kernel.window != nullptr) {
    lane_traces_.walk(kernel, job, paths, *stop_flag_);
  } else {
    for (LanePath& path : paths) {
      check_stop();
      walk(kernel, job, path);
    }
  }
  for (LanePath& path : paths) add(queries.rows[path.query], path.position, path.traceback.finish());
}

// Walks a path back through the trace that `interseq` left.
void TileWorker::walk(const LaneKernel& kernel, const InterseqJob& job, LanePath& path) {
  const auto cell = [&](std::int64_t i, std::int64_t j) {
    const std::int64_t column = path.first_column + j - 1;
    const std::int64_t number =
        (column / kWideColumns * job.rows + i - 1) * kWideColumns + column % kWideColumns;
    return job.trace + number * kernel.trace_bytes;
  };
  path.traceback.walk({}, [&](TraceBit bit, std::int32_t i, std::int32_t j) {
    constexpr int kAhead = 8;  // prefetched so many rows and columns ahead: cells of a diagonal are far apart
    if (i > kAhead && j > kAhead) __builtin_prefetch(cell(i - kAhead, j - kAhead));
    return trace_has(bit, kernel, cell(i, j), path.lane);
  });
}

}  // namespace alnus::cpu
