#include "cuda/rectangle_aligner.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "core/first_position.h"
#include "cuda/kernels/search.h"
#include "cuda/score_search.h"

namespace alnus::cuda {
namespace {

constexpr Shape kShape{kNarrowLanes, kTraceRows};
constexpr std::uint32_t kLanes = kNarrowLanes, kWarpThreads = 32;
// Rows at a time: many share what is to be done for each part.
constexpr std::uint32_t kMostRows = 512, kFewRows = 32;

constexpr std::uint64_t kWindowBytes = kWarpThreads * (kWindowFours * sizeof(uint4) + sizeof(std::uint32_t)),
                        kStripBytes = kWarpThreads * (kColumnFours * sizeof(uint4) + sizeof(std::uint32_t));

std::uint32_t windows_of(std::uint32_t columns) { return (columns + kLanes - 1 + kWindow - 1) / kWindow; }

}  // namespace

struct RectangleAligner::Work {
  Work(const Tile& tile, const Problem& problem, const Letters& letters)
      : tile(tile),
        problem(problem),
        scoring(problem.scoring),
        letters(letters),
        goal(scoring.mode == Mode::local ? Goal::local : Goal::ends) {
    if (goal == Goal::ends) range.emplace(tile, scoring);
    const std::uint32_t columns_end = first_position(
        tile.column_range, [&](std::uint32_t column) { return tile.columns->length(column) == 0; });
    for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      Range wanted = tile.columns_of(row);
      if (range) wanted.begin = std::max(wanted.begin, range->known_columns(row).begin);
      wanted.end = tile.rows->length(row) > 0 ? columns_end : 0;
      if (wanted.begin >= wanted.end) wanted = {columns_end, columns_end};
      columns.push_back(wanted);
    }
  }
  // The pairs of a row, of these positions, that this class is for.
  Range columns_of(std::uint32_t row, Range positions) const {
    const Range& wanted = columns[row - tile.row_range.begin];
    const std::uint32_t begin = std::clamp(wanted.begin, positions.begin, positions.end);
    return {begin, std::clamp(wanted.end, begin, positions.end)};
  }

  const Tile& tile;
  const Problem& problem;
  const Scoring& scoring;
  const Letters& letters;
  const Goal goal;
  std::optional<Range16> range;  // Goal::ends
  std::vector<Range> columns;    // by row
};

struct RectangleAligner::Rows {
  Scores16Kernel kernel;
  Range range;
  LettersOfRows letters;
  Chains chains{};
  std::uint32_t passes = 0;
  std::uint32_t blocks = 0;  // of a launch, at most
};

struct RectangleAligner::Part {
  Range positions;                          // of the columns
  std::vector<std::uint32_t> first_window;  // of each strip
  std::uint32_t windows = 0;
};

bool RectangleAligner::fits(const Scoring& scoring, std::size_t shared_bytes) {
  constexpr std::int32_t kByte = 128;  // scores of rows are bytes
  return ScoreSearch::fits(scoring) && scoring.matrix.lowest() >= -kByte &&
         scoring.matrix.highest() < kByte && scoring.extend <= kByte &&
         Scores16Kernel::shared_bytes(kShape, Letters(scoring.matrix, Letters::Alike::several).count()) <=
             shared_bytes;
}

void RectangleAligner::run(const Tile& tile, const Problem& problem, const CudaResident& columns,
                           Stages& stages) {
  const Letters letters(problem.scoring.matrix, Letters::Alike::several);
  const Work work(tile, problem, letters);
  results_.clear();
  cigars_.clear();
  left_.clear();
  for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    const Range all = tile.columns_of(row), taken = work.columns_of(row, all);
    for (std::uint32_t column = all.begin; column < taken.begin; ++column) left_.push_back({row, column});
    for (std::uint32_t column = taken.end; column < all.end; ++column) left_.push_back({row, column});
  }
  if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return;

  const auto begun = std::chrono::steady_clock::now();
  const std::lock_guard uploading(columns.uploading());
  for (std::uint32_t number = columns.slab_of(tile.column_range.begin); number < columns.slab_count();
       ++number) {
    const Slab slab = columns.bring(number, letters, stream_);
    if (slab.begin >= tile.column_range.end) break;
    align_slab(work, slab,
               {std::max(slab.begin, tile.column_range.begin), std::min(slab.end, tile.column_range.end)});
  }
  stages.alignment += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

void RectangleAligner::align_slab(const Work& work, const Slab& slab, Range positions) {
  for (std::uint32_t row = work.tile.row_range.begin; row < work.tile.row_range.end;) {
    Range range{row, std::min(row + kMostRows, work.tile.row_range.end)};
    const auto wanted = [&] {
      Range all{positions.end, positions.begin};
      for (std::uint32_t r = range.begin; r < range.end; ++r) {
        const Range of_row = work.columns_of(r, positions);
        if (of_row.size() == 0) continue;
        all = {std::min(all.begin, of_row.begin), std::max(all.end, of_row.end)};
      }
      return all;
    };
    Range columns = wanted();
    const auto too_many = [&] {  // with subjects that are very long
      return range.size() > kFewRows &&
             least_bytes(work, range, slab.subjects.lengths[columns.begin - slab.begin]) > memory_bytes_ / 4;
    };
    while (columns.begin < columns.end && too_many()) {
      range.end = range.begin + range.size() / 2;
      columns = wanted();
    }
    row = range.end;
    if (columns.begin >= columns.end) continue;
    const Rows rows = lay_out(work, range, columns, slab);
    while (columns.begin < columns.end) {
      const Part part = cut(rows, slab, columns);
      if (part.positions.size() > 0) {
        align(work, rows, part, slab);
        collect(work, rows, part, slab);
        columns.begin = part.positions.end;
      } else {
        const Range one{columns.begin, columns.begin + 1};
        for (std::uint32_t r = range.begin; r < range.end; ++r)
          if (work.columns_of(r, one).size() > 0) left_.push_back({r, columns.begin});
        ++columns.begin;
      }
    }
  }
}

// Of these rows with four subjects of so many columns.
std::uint64_t RectangleAligner::least_bytes(const Work& work, Range rows, std::uint32_t columns) {
  const std::uint64_t residues =
      work.tile.rows->residues_before(rows.end) - work.tile.rows->residues_before(rows.begin);
  return (residues / (2 * kTraceRows * kLanes) + 1) * windows_of(columns) * kWindowBytes;
}

RectangleAligner::Rows RectangleAligner::lay_out(const Work& work, Range range, Range columns,
                                                 const Slab& slab) const {
  Rows rows{Scores16Kernel(Packing::two_queries, kShape, work.goal,
                           static_cast<std::uint32_t>(work.scoring.extend), true),
            range,
            {*work.tile.rows, range, work.letters}};
  int resident_blocks = 0;
  check(rows.kernel.residency(work.letters.count(), &resident_blocks),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  rows.blocks = static_cast<std::uint32_t>(std::max(resident_blocks, 1) * multiprocessors_);
  // As many columns as there is room for, about.
  const std::uint32_t middle = columns.begin + columns.size() / 2 - slab.begin;
  const std::uint64_t of_strip = least_bytes(work, range, slab.subjects.lengths[middle]),
                      strips =
                          std::min<std::uint64_t>(memory_bytes_ / of_strip, columns.size() / kSubjects) + 1;
  const std::uint32_t per_item = rows.kernel.strips_per_item(),
                      batches = (static_cast<std::uint32_t>(strips) + per_item - 1) / per_item;
  rows.chains =
      balanced_chains(rows.letters.lengths, Packing::two_queries, kShape, batches, rows.blocks, work.goal);
  rows.passes = passes_of(rows.chains, kShape);
  return rows;
}

std::uint64_t RectangleAligner::bytes_of(const Rows& rows, std::uint32_t windows,
                                         std::uint32_t strips) const {
  return rows.passes * (windows * kWindowBytes + strips * kStripBytes);
}

// As many of the columns as there is memory for.
RectangleAligner::Part RectangleAligner::cut(const Rows& rows, const Slab& slab, Range positions) const {
  Part part{{positions.begin, positions.begin}, {}, 0};
  while (part.positions.end < positions.end) {
    const std::uint32_t first = part.positions.end - slab.begin;
    const std::uint32_t windows = windows_of(slab.subjects.lengths[first]),
                        strips = static_cast<std::uint32_t>(part.first_window.size()) + 1;
    if (bytes_of(rows, part.windows + windows, strips) > memory_bytes_) break;
    part.first_window.push_back(std::exchange(part.windows, part.windows + windows));
    part.positions.end = std::min(slab.begin + (first / kSubjects + 1) * kSubjects, positions.end);
  }
  return part;
}

void RectangleAligner::align(const Work& work, const Rows& rows, const Part& part, const Slab& slab) {
  const auto row_count = rows.range.size(), columns = part.positions.size(),
             strips = static_cast<std::uint32_t>(part.first_window.size());
  const std::uint32_t first = part.positions.begin - slab.begin, letters = work.letters.count();
  const std::uint64_t all = std::uint64_t{row_count} * columns;

  std::vector<QueryPlace> queries(row_count);
  std::uint64_t pairs = 0, rooms = 0;
  for (std::uint32_t k = 0; k < row_count; ++k) {
    const Range of_row = work.columns_of(rows.range.begin + k, part.positions);
    QueryPlace& query = queries[k];
    query.codes = rows.letters.offsets[k];
    query.length = rows.letters.lengths[k];
    query.begin = of_row.begin - part.positions.begin;
    query.end = of_row.end - part.positions.begin;
    query.first_pair = pairs;
    query.first_room = rooms;
    if (of_row.size() > 0)
      query.room = room_for_runs(query.length, slab.subjects.lengths[of_row.begin - slab.begin]);
    pairs += of_row.size();
    rooms += std::uint64_t{of_row.size()} * query.room;
  }
  for (const Bin& bin : rows.chains.bins) {
    for (std::uint32_t number = 0; number < bin.blocks; ++number) {
      const LaneBlock& block = rows.chains.blocks[bin.first_block + number];
      for (std::uint32_t half = 0; half < 2; ++half) {
        if (block.row[half] == kNoRow || !block.starts[half]) continue;
        QueryPlace& query = queries[block.row[half]];
        query.pads = static_cast<std::uint32_t>(std::max(-block.before[half], 0));
        query.first_block = bin.first_block + number;
        query.first_lane = bin.first_pass * kLanes + number;
        query.half = half;
      }
    }
  }
  std::vector<SubjectPlace> subjects(columns);
  for (std::uint32_t k = 0; k < columns; ++k) {
    const std::uint32_t position = first + k, quad = position / kSubjects;
    subjects[k] = {slab.subjects.places[quad] + position % kSubjects, slab.subjects.lengths[position],
                   quad - first / kSubjects, (position - std::max(quad * kSubjects, first)) * kLanes};
  }

  staging_.clear();
  const auto codes_at = staging_.add(rows.letters.codes);
  const auto matrix_at = staging_.add(work.letters.scores());
  const auto blocks_at = staging_.add(rows.chains.blocks);
  const auto bins_at = staging_.add(rows.chains.bins);
  const auto windows_at = staging_.add(part.first_window);
  const auto queries_at = staging_.add(queries);
  const auto subjects_at = staging_.add(subjects);
  begun_.record(stream_);
  staging_.upload(stream_);

  const auto lane_blocks = static_cast<std::uint32_t>(rows.chains.blocks.size());
  Profiles profiles{staging_.at(blocks_at),
                    lane_blocks,
                    kTraceRows,
                    letters,
                    staging_.at(codes_at),
                    staging_.at(matrix_at),
                    pad_score(work.scoring),
                    nullptr};
  profiles.profiles = profiles_.reserve(std::uint64_t{lane_blocks} * letters * (kTraceRows / 4));
  check(launch_profiles(profiles, stream_), "the kernel fill_profiles");
  constexpr std::uint32_t kRowsOfFour = 16;
  uint4* const scores_of_rows =
      scores_of_rows_.reserve(std::uint64_t{lane_blocks} * 2 * (kTraceRows / kRowsOfFour) * letters);
  check(launch_scores_of_rows(profiles, scores_of_rows, stream_), "the kernel fill_scores_of_rows");

  Scores16 task = scores16_of(work.scoring, work.range ? work.range->zero() : kFloor);
  task.profiles = profiles.profiles;
  task.blocks = profiles.blocks;
  task.bins = staging_.at(bins_at);
  task.begin = first;
  task.end = first + columns;
  task.first_column = first;
  task.places = slab.places;
  task.lengths = slab.lengths;
  task.packed = slab.packed;
  task.bin_count = static_cast<std::uint32_t>(rows.chains.bins.size());
  task.strip_count = strips;
  task.letters = letters;
  task.next_item = items_taken_.reserve(1);
  task.scores = scores_.reserve(all);
  task.stride = columns;
  const std::uint32_t per_item = rows.kernel.strips_per_item();
  const auto items = std::uint64_t{(strips + per_item - 1) / per_item} * task.bin_count;
  const auto blocks = static_cast<int>(std::min<std::uint64_t>(items, rows.blocks));
  task.boundary_entries = rows.kernel.boundary_entries(slab.subjects.lengths[first]);
  task.boundary = boundary_.reserve(task.boundary_entries * static_cast<unsigned>(blocks));
  task.trace.windows =
      windows_.reserve(std::uint64_t{rows.passes} * part.windows * kWindowFours * kWarpThreads);
  task.trace.bests = bests_.reserve(std::uint64_t{rows.passes} * (part.windows + strips) * kWarpThreads);
  task.trace.last_columns =
      last_columns_.reserve(std::uint64_t{rows.passes} * strips * kColumnFours * kWarpThreads);
  task.trace.first_window = staging_.at(windows_at);
  task.trace.windows_of_pass = part.windows;
  constexpr std::uint8_t kZero = 0, kLow = 0x80;
  fill(task.scores, work.goal == Goal::ends ? kLow : kZero, all * sizeof(std::int32_t), stream_);
  fill_zero(task.next_item, sizeof *task.next_item, stream_);
  check(rows.kernel.launch(task, blocks, stream_), "the kernel scores16");
  scored_.record(stream_);

  Traceback16 traceback{};
  traceback.scores16 = task;
  traceback.lanes = kLanes;
  traceback.rows = row_count;
  traceback.columns = columns;
  traceback.query_places = staging_.at(queries_at);
  traceback.subject_places = staging_.at(subjects_at);
  traceback.queries = staging_.at(codes_at);
  traceback.scores_of_rows = scores_of_rows;
  traceback.overflow = kHighest16 - kFloor - std::max(work.scoring.matrix.highest(), 0);
  traceback.open = work.scoring.open;
  traceback.extend = work.scoring.extend;
  traceback.ends_only = work.problem.detail == Detail::ends;
  traceback.writes_runs = work.problem.detail == Detail::alignment && work.problem.cigars;
  traceback.rooms = rooms_.reserve(traceback.writes_runs ? rooms : 0);
  traceback.total_runs = total_runs_.reserve(1);
  traceback.pairs = pairs_.reserve(pairs);
  fill_zero(traceback.total_runs, sizeof *traceback.total_runs, stream_);
  check(launch_traceback16(traceback, work.goal, stream_), "the kernel trace_back");
  copy_to_host(host_total_runs_.reserve(1), traceback.total_runs, 1, stream_);
  copy_to_host(host_pairs_.reserve(pairs), traceback.pairs, pairs, stream_);
  stream_.wait();
  const std::uint64_t total = *host_total_runs_.data();
  if (total > 0) {
    check(launch_gather_runs(traceback, runs_.reserve(total), stream_), "the kernel gather_runs");
    copy_to_host(host_runs_.reserve(total), runs_.data(), total, stream_);
  }
  done_.record(stream_);
  stream_.wait();
}

void RectangleAligner::collect(const Work& work, const Rows& rows, const Part& part, const Slab&) {
  static_assert(sizeof(CigarRun) == sizeof(std::uint32_t));
  std::vector<CigarRun>& runs = cigars_.emplace_back(*host_total_runs_.data());
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k].packed = host_runs_.data()[k];
  const TracedPair* pair = host_pairs_.data();
  for (std::uint32_t row = rows.range.begin; row < rows.range.end; ++row) {
    const Range columns = work.columns_of(row, part.positions);
    for (std::uint32_t column = columns.begin; column < columns.end; ++column, ++pair) {
      if (pair->runs == kOverflown) {
        left_.push_back({row, column});
        continue;
      }
      PairResult& result = results_.emplace_back();
      result.row = row;
      result.column = column;
      result.score = pair->score;
      result.query_begin = pair->query_begin;
      result.query_end = pair->query_end;
      result.subject_begin = pair->subject_begin;
      result.subject_end = pair->subject_end;
      result.cigar = std::span(runs).subspan(pair->first_run, pair->runs);
      result.counts = pair->counts;
    }
  }
}

}  // namespace alnus::cuda
