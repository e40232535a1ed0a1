// Local alignments of one query with several subjects, by way of the 8-bit kernel: it finds the scores and
// leaves snapshots of the matrix; the traceback then does again, exactly and in 16 bits, only the columns
// that the alignment crosses.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"
#include "cpu/tile_worker.h"
#include "cpu/traceback.h"

namespace alnus::cpu {
namespace {

// Cost of a cell in the striped kernel with traceback, against one in the 8-bit kernel, both per vector.
constexpr double kStripedTraceCell = 5.0;
// Columns from one snapshot to the next, at least: copying the border is a small part of computing them.
constexpr std::int32_t kSnapshotColumns = 64;
// Residues of insertions that a window of rows leaves room for before it must be moved.
constexpr std::int32_t kWindowSlack = 64;

// One lane of a snapshot from row `first_row` on, as the striped kernel holds a column. Cells with odd
// i + j hold `extend` more.
void load_snapshot(const Local8Job& from, std::int32_t lanes8, std::int32_t lane, std::int32_t number,
                   std::int32_t first_row, const WideKernels& kernels, const StripedJob& to) {
  const std::int64_t stride = std::int64_t{2} * lanes8;
  const auto* bytes =
      reinterpret_cast<const std::int8_t*>(from.snapshots) + number * from.rows * stride + lane;
  const std::int32_t segment = kernels.striped_segment(to.rows);
  auto* h = reinterpret_cast<std::int16_t*>(to.state);
  std::int16_t* e = h + static_cast<std::int64_t>(segment) * kernels.lanes;
  std::fill_n(h, static_cast<std::int64_t>(segment) * kernels.lanes * 2, std::int16_t{0});  // rows of padding
  for (std::int32_t row = 0; row < to.rows; ++row) {
    const std::int64_t at = static_cast<std::int64_t>(row % segment) * kernels.lanes + row / segment;
    const std::int8_t* cell = bytes + (first_row + row) * stride;
    const bool h_odd = (first_row + row) % 2 == 0;  // H of an odd column, E as it enters an even one
    h[at] = static_cast<std::int16_t>(cell[0] - from.zero - (h_odd ? from.extend : 0));
    e[at] = static_cast<std::int16_t>(cell[lanes8] - from.zero - (h_odd ? 0 : from.extend));
  }
}

}  // namespace

// `columns` by decreasing length.
void TileWorker::local_alignments(std::uint32_t row, const Query& query,
                                  std::span<const std::uint32_t> columns) {
  const auto length = [&](std::size_t k) { return static_cast<double>(tile_->columns->length(columns[k])); };
  const double alone = kStripedTraceCell / kernels_.wide16.lanes;
  for (std::size_t k = 0; k < columns.size();) {
    std::size_t count = 0;
    double total = 0;
    while (count < static_cast<std::size_t>(kernels_.lanes8) && k + count < columns.size() &&
           length(k + count) > 0) {
      total += length(k + count++);
    }
    const double second = count > 1 ? length(k + 1) : 0;
    const bool too_few = total * alone <= length(k);
    const bool too_long = length(k) * alone <= length(k) - second;
    const auto longest = static_cast<double>(kernels_.wide16.longest);  // that 16-bit coordinates reach
    const bool beyond16 = length(k) > longest || static_cast<double>(query.codes.size()) > longest;
    if (query.codes.empty() || too_few || too_long || beyond16) {
      exact(row, query, columns.subspan(k, 1));
      ++k;
    } else {
      align_batch8(row, query, columns.subspan(k, count));
      k += count;
    }
  }
}

void TileWorker::align_batch8(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns) {
  const auto step = static_cast<std::size_t>(kernels_.columns8);
  Batch batch;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto blocks = static_cast<std::int32_t>((tile_->columns->length(columns[k]) + step - 1) / step);
    batch.segments.push_back({static_cast<std::int32_t>(k), 0, blocks, columns[k]});
    batch.blocks = std::max(batch.blocks, blocks);
  }
  std::uint8_t* letters = letters_.at_least(static_cast<std::uint64_t>(batch.blocks) * step *
                                            static_cast<std::uint64_t>(kernels_.lanes8));
  pack(*tile_->columns, batch, kernels_.lanes8, kernels_.columns8, letters);

  Local8Job job = job8(query);
  const Stop end{batch.blocks, nullptr};
  job.letters = letters;
  job.stops = &end;
  job.stop_count = 1;
  best8_.resize(static_cast<std::size_t>(kernels_.lanes8));
  job.best = best8_.data();
  std::vector<std::int32_t> best_block(best8_.size(), 0);
  job.best_block = best_block.data();
  const std::uint64_t snapshot_bytes = static_cast<std::uint64_t>(job.rows) * 2 * best8_.size();
  const auto fewest =
      static_cast<std::int32_t>(static_cast<std::uint64_t>(batch.blocks) * snapshot_bytes / trace_limit_ + 1);
  job.snapshot_blocks = std::max(fewest, kSnapshotColumns / kernels_.columns8);
  const auto piece = static_cast<std::uint64_t>(std::min(job.snapshot_blocks, batch.blocks)) * step;
  const auto segment = static_cast<std::uint64_t>(kernels_.wide16.striped_segment(job.rows));
  if (segment * static_cast<std::uint64_t>(kernels_.wide16.trace_bytes) * piece > trace_limit_)
    return exact(row, query, columns);  // the trace from one snapshot to the next would not fit
  const auto count =
      static_cast<std::uint64_t>((batch.blocks + job.snapshot_blocks - 1) / job.snapshot_blocks);
  job.snapshots = snapshots_.at_least(count * snapshot_bytes);
  kernels_.local8(job);

  std::vector<std::uint32_t> unknown;
  const std::int32_t floor = sink_->floor(row);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    Alignment alignment;
    alignment.score = best8_[k];
    if (alignment.score < range8_.lowest_known || alignment.score > range8_.highest_known) {
      unknown.push_back(columns[k]);
    } else if (alignment.score >= floor) {
      trace_snapshots(job, static_cast<std::int32_t>(k), query, tile_->columns->residues(columns[k]),
                      alignment);
      add(row, columns[k], alignment);
    }
  }
  exact(row, query, unknown);
}

// From the block in which the score was reached back to the alignment's begin, from snapshot to snapshot. No
// value in the matrix is above the score, so 16 bits hold them all.
//
// Of the rows only a window above the cell come to is done again. It is wide enough that nothing from above
// it matters: a path that comes from there has a value of at most the score, gains at most `gain` in the
// piece's columns, and pays `extend` for each residue that it must insert to come down to the path. With
// `inserted` of those it is worth nothing where the alignment is still worth something.
void TileWorker::trace_snapshots(const Local8Job& job8, std::int32_t lane, const Query& query,
                                 std::span<const Residue> residues, Alignment& alignment) {
  const WideKernels& kernels = kernels_.wide16;
  const Scoring& scoring = problem_->scoring;
  const std::int32_t step = job8.snapshot_blocks * kernels_.columns8;
  const auto rows = static_cast<std::int32_t>(query.codes.size());
  std::vector<std::uint8_t> subject(residues.begin(), residues.end());
  for (std::uint8_t& letter : subject) letter &= kCodeMask;

  StripedJob job;
  job.rules.local = true;
  job.rules.open = scoring.open;
  job.rules.extend = scoring.extend;
  job.subject = subject.data();
  job.columns = static_cast<std::int32_t>(subject.size());
  job.scores = scores32_;
  job.workspace = workspace_.at_least(kernels.striped_workspace(rows));
  job.state = state_.at_least(kernels.striped_state(rows));
  const auto run = [&](std::int32_t row_begin, std::int32_t row_end, std::int32_t begin, std::int32_t end) {
    job.query = query.codes.data() + row_begin;
    job.rows = row_end - row_begin;
    job.column_begin = begin;
    job.column_end = end;
    job.score = 0;
    if (begin > 0) load_snapshot(job8, kernels_.lanes8, lane, begin / step, row_begin, kernels, job);
    kernels.striped(job);
  };

  // The end may be a cell of the column before the block in which it was noticed.
  const std::int32_t noticed = job8.best_block[lane] * kernels_.columns8;
  job.want = Want::ends;
  run(0, rows, std::max(0, noticed - 1) / step * step, std::min(job.columns, noticed + kernels_.columns8));
  if (job.score != alignment.score) {
    throw Error(ErrorKind::other, fmt::format("Internal error: a pair scored {} in 8 bits and {} in 16.",
                                              alignment.score, job.score));
  }
  alignment.query_end = job.query_end;
  alignment.subject_end = job.subject_end;

  job.want = Want::trace;
  Traceback traceback(query.residues, residues, scoring, job.score, job.query_end, job.subject_end);
  while (!traceback.done()) {
    const std::int32_t end = traceback.column(), begin = (end - 1) / step * step;
    std::int32_t gain = 0;
    for (std::int32_t j = begin; j < end; ++j) gain += best_of_letter_[subject[static_cast<std::size_t>(j)]];
    std::int32_t row_begin = 0, inserted = 0;
    if (scoring.extend > 0) {
      inserted = (alignment.score + gain) / scoring.extend + 1;
      row_begin = std::max(0, traceback.row() - inserted - (end - begin) - kWindowSlack);
    }
    const std::int32_t segment = kernels.striped_segment(traceback.row() - row_begin);
    job.trace = trace_.at_least(static_cast<std::uint64_t>(segment) * kernels.trace_bytes *
                                static_cast<std::uint64_t>(end - begin));
    run(row_begin, traceback.row(), begin, end);
    const std::int32_t lowest_diagonal =
        row_begin > 0 ? row_begin + inserted - begin : std::numeric_limits<std::int32_t>::min();
    traceback.walk(begin, lowest_diagonal, [&](std::int32_t i, std::int32_t j) {
      const std::int32_t row = i - 1 - row_begin;
      const std::int64_t cell = static_cast<std::int64_t>(j - 1 - begin) * segment + row % segment;
      return kernels.trace_at(job.trace + cell * kernels.trace_bytes, row / segment);
    });
  }
  traceback.finish(alignment);
}

}  // namespace alnus::cpu
