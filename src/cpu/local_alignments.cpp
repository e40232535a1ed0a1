// Local alignments of one query with several subjects that are not short. The 8-bit kernel finds the scores
// and leaves snapshots of columns of the dynamic programming matrix. The traceback then computes again,
// exactly and in 16 bits, only the columns that the alignment crosses.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"
#include "cpu/tile_worker.h"
#include "cpu/traceback.h"

namespace alnus::cpu {
namespace {

// Cost of a vector of cells in `striped` with traceback, relative to one in the 8-bit kernel.
constexpr double kStripedTraceCell = 5.0;
// With L 16-bit lanes, a pair is short if it has at most (11 L)^2 cells and its subject at most 22 L
// residues. The whole trace of a short pair in `interseq` takes less time than its traceback in `striped`
// here, where each pair has the lanes for itself: measured on a Zen 4 core with AVX-512, AVX2 and SSE4.1.
constexpr std::int64_t kShortPerLane = 11;
// Fewest columns from one snapshot to the next. Copying a border takes little time beside computing 64
// columns.
constexpr std::int32_t kSnapshotColumns = 64;
// Most bytes of snapshots: more would not make tracebacks faster.
constexpr std::uint64_t kMostSnapshots = 32 << 20;
// Query residues in gaps of the subject for which a window of rows (trace_snapshots()) has room; a path with
// more needs another window.
constexpr std::int32_t kWindowSlack = 64;

// Copies one lane of snapshot `number`, from row `first_row` on, into the state of a `striped` job. In the
// snapshot cells with odd i + j hold `extend` more than their value.
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
    const bool h_odd = (first_row + row) % 2 == 0;  // H's column is odd, E's is even
    h[at] = static_cast<std::int16_t>(cell[0] - from.zero - (h_odd ? from.extend : 0));
    e[at] = static_cast<std::int16_t>(cell[lanes8] - from.zero - (h_odd ? 0 : from.extend));
  }
}

}  // namespace

// Aligns a query with `columns`, which are sorted by decreasing length.
void TileWorker::local_alignments(Position row, const Query& query, std::span<const Position> columns) {
  if (static_cast<std::int64_t>(query.codes.size()) > kernels_.wide16.longest || query.codes.empty())
    return exact(row, query, columns);
  // [columns.begin(), first) are too long for 16-bit coordinates; [first_short, columns.end()) are short or
  // empty.
  const auto length = [&](Position c) { return static_cast<std::int64_t>(tile_->columns->length(c)); };
  const auto first = std::partition_point(columns.begin(), columns.end(),
                                          [&](Position c) { return length(c) > kernels_.wide16.longest; });
  const std::int64_t rows = static_cast<std::int64_t>(query.codes.size()),
                     most = kShortPerLane * kernels_.wide16.lanes;
  const bool forced = method_ == Method::snapshots;
  const auto first_short = std::partition_point(first, columns.end(), [&](Position c) {
    return length(c) > 2 * most || length(c) * rows > most * most || (forced && length(c) > 0);
  });
  const BatchPlan plan = plan_batches(*tile_->columns, {first, first_short}, shape8(kStripedTraceCell));
  for (const Batch& batch : plan.batches) align_batch8(row, query, batch);
  exact(row, query, {columns.begin(), first});
  exact(row, query, plan.singles);
  exact(row, query, {first_short, columns.end()});
}

void TileWorker::align_batch8(Position row, const Query& query, const Batch& batch) {
  const BatchStops stops(batch, kernels_.local8.lanes);
  Local8Job job = job8(query, pack8(batch), stops);
  std::vector<Notice> notices(best8_.size());
  job.notices = notices.data();
  const auto rows = static_cast<std::uint64_t>(job.rows),
             step = static_cast<std::uint64_t>(kernels_.local8.columns);
  const std::uint64_t snapshot_bytes = rows * 2 * static_cast<std::uint64_t>(kernels_.local8.lanes);
  const std::uint64_t most_bytes = std::min(limits_.trace, kMostSnapshots);
  const auto fewest =
      static_cast<std::int32_t>(static_cast<std::uint64_t>(batch.blocks) * snapshot_bytes / most_bytes + 1);
  job.snapshot_blocks = std::max(fewest, kSnapshotColumns / kernels_.local8.columns);
  const auto piece = static_cast<std::uint64_t>(std::min(job.snapshot_blocks, batch.blocks)) * step;
  const auto segment = static_cast<std::uint64_t>(kernels_.wide16.striped_segment(job.rows));
  std::vector<Position> undone;
  if (segment * static_cast<std::uint64_t>(kernels_.wide16.trace_bytes) * piece > most_bytes) {
    // The trace from one snapshot to the next would not fit.
    for (const Segment& s : batch.segments) undone.push_back(s.position);
  } else {
    const auto count =
        static_cast<std::uint64_t>((batch.blocks + job.snapshot_blocks - 1) / job.snapshot_blocks);
    job.snapshots = snapshots_.at_least(count * snapshot_bytes);
    kernels_.local8.run(job);
    check_stop();
    const std::int32_t floor = sink_->floor(row);
    for (std::size_t k = 0; k < batch.segments.size(); ++k) {
      const Segment& s = batch.segments[k];
      Alignment alignment;
      alignment.score = best8_[stops.result_of(k)];
      if (alignment.score < tables_.range8().lowest_known ||
          alignment.score > tables_.range8().highest_known) {
        undone.push_back(s.position);
      } else if (alignment.score >= floor) {
        trace_snapshots(job, s, notices[stops.result_of(k)], query, alignment);
        add(row, s.position, alignment);
      }
    }
  }
  std::sort(undone.begin(), undone.end());
  exact(row, query, undone);
}

// Walks an alignment back, from the strips and the blocks of its notice to its beginning, from snapshot to
// snapshot. No value in the dynamic programming matrix is above the score, so that 16 bits hold all values.
//
// A window of rows is all that is computed again: the path's current row and some rows above it. Nothing
// above the window matters: a path that enters from above begins with at most the score, gains at most `gain`
// in these columns, and pays `extend` for each query residue in a gap that brings it down to the alignment's
// diagonals. After `inserted` such residues it is worth nothing, where the alignment is still worth
// something.
void TileWorker::trace_snapshots(const Local8Job& job8, const Segment& segment, const Notice& notice,
                                 const Query& query, Alignment& alignment) {
  const WideKernels& kernels = kernels_.wide16;
  const Scoring& scoring = problem_->scoring;
  const std::int32_t step = kernels_.local8.columns;
  const auto rows = static_cast<std::int32_t>(query.codes.size());
  const auto residues = tile_->columns->residues(segment.position);
  std::vector<std::uint8_t> subject(residues.begin(), residues.end());
  for (std::uint8_t& letter : subject) letter &= kCodeMask;

  StripedJob job;
  job.rules.local = true;
  job.rules.open = scoring.open;
  job.rules.extend = scoring.extend;
  job.want = Want::trace;
  job.subject = subject.data();
  job.columns = static_cast<std::int32_t>(subject.size());
  job.scores = tables_.scores32();
  job.stop_flag = stop_flag_->raw();
  job.workspace = buffers_.workspace.at_least(kernels.striped_workspace(rows));
  job.state = buffers_.state.at_least(kernels.striped_state(rows));
  std::int32_t row_begin = 0, inserted = 0;
  // Computes the columns from the last snapshot at or before column `from` up to `end`, and the rows up to
  // `row_end` from the window above `first_row` on.
  const auto run = [&](std::int32_t first_row, std::int32_t row_end, std::int32_t from, std::int32_t end) {
    const std::int32_t snapshot = (segment.first_block + from / step) / job8.snapshot_blocks;
    job.column_begin = std::max(0, (snapshot * job8.snapshot_blocks - segment.first_block) * step);
    job.column_end = end;
    std::int32_t gain = 0;
    for (std::int32_t j = job.column_begin; j < end; ++j)
      gain += tables_.best_of_letter(subject[static_cast<std::size_t>(j)]);
    row_begin = inserted = 0;
    if (scoring.extend > 0) {
      inserted = (alignment.score + gain) / scoring.extend + 1;
      row_begin = std::max(0, first_row - inserted - (end - job.column_begin) - kWindowSlack);
    }
    job.query = query.codes.data() + row_begin;
    job.rows = row_end - row_begin;
    job.score = 0;
    job.trace = buffers_.trace.at_least(static_cast<std::uint64_t>(kernels.striped_segment(job.rows)) *
                                        static_cast<std::uint64_t>(kernels.trace_bytes) *
                                        static_cast<std::uint64_t>(end - job.column_begin));
    if (job.column_begin > 0)
      load_snapshot(job8, kernels_.local8.lanes, segment.lane, snapshot, row_begin, kernels, job);
    kernels.striped(job);
    check_stop();
  };

  const std::int32_t noticed = (notice.block - segment.first_block) * step;
  run(std::max(0, notice.first_strip * kStripRows - 1), std::min(rows, (notice.last_strip + 1) * kStripRows),
      std::clamp(noticed - 1, 0, job.columns - 1), std::min(job.columns, noticed + step));
  if (job.score != alignment.score) {
    throw Error(ErrorKind::other, fmt::format("Internal error: a pair scored {} in 8 bits and {} in 16.",
                                              alignment.score, job.score));
  }
  alignment.query_end = row_begin + job.query_end;
  alignment.subject_end = job.subject_end;
  Traceback traceback(query.residues, residues, scoring, alignment);
  while (true) {
    const std::int32_t begin = job.column_begin, length = kernels.striped_segment(job.rows);
    Window window{.column_begin = begin};
    if (row_begin > 0) window.lowest_diagonal = row_begin + inserted - begin;
    traceback.walk(window, [&](TraceBit bit, std::int32_t i, std::int32_t j) {
      const std::int32_t row = i - 1 - row_begin;
      const std::int64_t cell = static_cast<std::int64_t>(j - 1 - begin) * length + row % length;
      return trace_has(bit, kernels, job.trace + cell * kernels.trace_bytes, row / length);
    });
    if (traceback.done()) break;
    run(traceback.row(), traceback.row(), traceback.column() - 1, traceback.column());
  }
  alignment = traceback.finish();
}

}  // namespace alnus::cpu
