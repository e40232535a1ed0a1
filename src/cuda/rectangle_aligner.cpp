#include "cuda/rectangle_aligner.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "core/first_position.h"
#include "cuda/kernels/search.h"
#include "cuda/score_search.h"

namespace alnus::cuda {
namespace {

constexpr Shape kShape = kTracedShape;
constexpr std::uint32_t kLanes = kNarrowLanes;

constexpr std::uint64_t kWindowBytes = kWarpThreads * (kWindowFours * sizeof(uint4) + sizeof(std::uint32_t)),
                        kStripBytes = kWarpThreads * (kColumnFours * sizeof(uint4) + sizeof(std::uint32_t));

// The traceback counts the elements of a strip's trace windows in 32 bits; a window has kWindowFours *
// kWarpThreads elements.
constexpr std::uint32_t kMostWindowsOfStrip = 1U << 21;

// Bytes of device memory that the result of a pair takes, without its moves.
constexpr std::uint64_t kResultBytes =
    sizeof(PairResult) + sizeof(PackedPair) + sizeof(Walked) + sizeof(std::uint32_t) + sizeof(std::int32_t);

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
    const Position columns_end =
        first_position(tile.column_range, [&](Position column) { return tile.columns->length(column) == 0; });
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      PositionRange wanted = tile.columns_of(row);
      if (range) wanted.begin = std::max(wanted.begin, range->known_columns(row).begin);
      wanted.end = tile.rows->length(row) > 0 ? columns_end : tile.columns->begin();
      if (wanted.begin >= wanted.end) wanted = {columns_end, columns_end};
      columns.push_back(wanted);
    }
  }
  // Returns those of the columns at `positions` that RectangleAligner aligns with the row.
  PositionRange columns_of(Position row, PositionRange positions) const {
    const PositionRange& wanted = columns[row - tile.row_range.begin];
    const Position begin = std::clamp(wanted.begin, positions.begin, positions.end);
    return {begin, std::clamp(wanted.end, begin, positions.end)};
  }

  const Tile& tile;
  const Problem& problem;
  const Scoring& scoring;
  const Letters& letters;
  const Goal goal;
  std::optional<Range16> range;        // only with Goal::ends
  std::vector<PositionRange> columns;  // columns that are aligned, by row of the tile
};

struct RectangleAligner::Rows {
  Scores16Kernel kernel;
  PositionRange range;
  LettersOfRows letters;
  Chains chains{};
  std::uint32_t passes = 0;
  std::uint32_t blocks = 0;          // thread blocks of a launch, at most
  std::vector<QueryPlace> places{};  // without what depends on the columns
};

struct RectangleAligner::Part {
  PositionRange positions;                  // of the columns
  std::vector<std::uint32_t> first_window;  // number of each strip's first trace window (Trace16)
  std::uint32_t windows = 0;
};

bool RectangleAligner::fits(const Scoring& scoring, std::size_t shared_bytes) {
  constexpr std::int32_t kByte = 128;  // scores of rows are signed bytes
  // The traceback compares scores modulo 128. Scores that it compares differ by no more than `most`
  // (docs/cuda-kernels.md).
  const std::int32_t most = std::max(scoring.matrix.highest(), 0) - scoring.matrix.lowest() + scoring.open;
  return ScoreSearch::fits(scoring) && scoring.matrix.lowest() >= -kByte &&
         scoring.matrix.highest() < kByte && scoring.extend <= kByte && most < kByte &&
         Scores16Kernel::shared_bytes(kShape, Letters(scoring.matrix, Letters::Alike::several).count()) <=
             shared_bytes;
}

void RectangleAligner::run(const Tile& tile, const Problem& problem, const CudaSequences& columns,
                           Alignments& alignments, Stages& stages) {
  const Letters letters(problem.scoring.matrix, Letters::Alike::several);
  const Work work(tile, problem, letters);
  alignments_ = &alignments;
  parts_ = 0;
  for (Flight& flight : flights_) flight.under_way = false;
  left_.clear();
  std::uint64_t all_pairs = 0;
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    const PositionRange all = tile.columns_of(row), taken = work.columns_of(row, all);
    for (Position column = all.begin; column < taken.begin; ++column) left_.push_back({row, column});
    for (Position column = taken.end; column < all.end; ++column) left_.push_back({row, column});
    all_pairs += all.size();
  }
  const auto is_short = [](const SortedSequences& sequences, PositionRange range) {
    return range.size() == 0 || sequences.length(range.begin) <= kLongestPacked;
  };
  alignments.begin(all_pairs,
                   is_short(*tile.rows, tile.row_range) && is_short(*tile.columns, tile.column_range));
  if (all_pairs == 0) return;

  const auto begun = std::chrono::steady_clock::now();
  for (std::uint32_t number = columns.slab_of(tile.column_range.begin); number < columns.slab_count();
       ++number) {
    const Slab slab = columns.bring(number, letters, uploads_, uploader_);
    if (slab.range.begin >= tile.column_range.end) break;
    align_slab(work, slab,
               {std::max(slab.range.begin, tile.column_range.begin),
                std::min(slab.range.end, tile.column_range.end)});
    land_all();  // the next slab may take this one's buffer
  }
  alignments.landed_.record(copies_);
  alignments.on_device_ = alignments.count_;
  std::ranges::sort(alignments.replaced_);
  for (const std::uint64_t number : alignments.replaced_) left_.push_back(alignments.place_of(number));
  stages.alignment += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

void RectangleAligner::align_slab(const Work& work, const Slab& slab, PositionRange positions) {
  for (Position row = work.tile.row_range.begin; row < work.tile.row_range.end;) {
    PositionRange range{row, std::min(row + kMostAlignedRows, work.tile.row_range.end)};
    const auto wanted = [&] {
      PositionRange all{positions.end, positions.begin};
      for (Position r = range.begin; r < range.end; ++r) {
        const PositionRange of_row = work.columns_of(r, positions);
        if (of_row.size() == 0) continue;
        all = {std::min(all.begin, of_row.begin), std::max(all.end, of_row.end)};
      }
      return all;
    };
    PositionRange columns = wanted();
    const auto too_many = [&] {  // true with subjects that are very long
      return range.size() > kFewestAlignedRows &&
             bytes_of_quad(work, range, slab.subjects.lengths[slab.offset_of(columns.begin)]) >
                 part_bytes_ / 4;
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
        columns.begin = part.positions.end;
      } else {
        const PositionRange one{columns.begin, columns.begin + 1};
        for (Position r = range.begin; r < range.end; ++r)
          if (work.columns_of(r, one).size() > 0) left_.push_back({r, columns.begin});
        ++columns.begin;
      }
    }
  }
}

// The least memory, in bytes, for what is kept of these rows (Trace16) with one quad of subjects of `columns`
// residues.
std::uint64_t RectangleAligner::bytes_of_quad(const Work& work, PositionRange rows, std::uint32_t columns) {
  const std::uint64_t residues = work.tile.rows->residues(rows);
  return (residues / (2 * kTraceRows * kLanes) + 1) * windows_of(columns) * kWindowBytes;
}

RectangleAligner::Rows RectangleAligner::lay_out(const Work& work, PositionRange range, PositionRange columns,
                                                 const Slab& slab) {
  Rows rows{
      Scores16Kernel(Packing::two_queries, kShape, work.goal, static_cast<std::uint32_t>(work.scoring.extend),
                     slab.subjects.lengths[slab.offset_of(columns.begin)], true),
      range,
      {*work.tile.rows, range, work.letters}};
  rows.blocks = occupancy_.blocks(rows.kernel, work.letters.count());
  // About as many strips as there is memory for.
  const std::uint32_t middle = slab.offset_of(columns.begin + columns.size() / 2);
  const std::uint64_t of_strip = bytes_of_quad(work, range, slab.subjects.lengths[middle]),
                      strips =
                          std::min<std::uint64_t>(part_bytes_ / of_strip, columns.size() / kSubjects) + 1;
  const std::uint32_t per_item = rows.kernel.strips_per_item(),
                      batches = (static_cast<std::uint32_t>(strips) + per_item - 1) / per_item;
  rows.chains = packed_chains(rows.letters.lengths, kShape, batches, rows.blocks, work.goal);
  rows.passes = passes_of(rows.chains, kShape);
  rows.places.resize(range.size());
  for (std::uint32_t k = 0; k < range.size(); ++k) {
    rows.places[k].codes = rows.letters.offsets[k];
    rows.places[k].length = rows.letters.lengths[k];
  }
  for (const Bin& bin : rows.chains.bins) {
    for (std::uint32_t number = 0; number < bin.blocks; ++number) {
      const LaneBlock& block = rows.chains.blocks[bin.first_block + number];
      for (std::uint32_t half = 0; half < 2; ++half) {
        if (block.row[half] == kNoRow || !block.starts[half]) continue;
        QueryPlace& place = rows.places[block.row[half]];
        place.pads = static_cast<std::uint32_t>(std::max(-block.before[half], 0));
        place.first_block = bin.first_block + number;
        place.first_lane = bin.first_pass * kLanes + number;
        place.half = half;
      }
    }
  }
  return rows;
}

// Returns the part with as many columns, from positions.begin on, as there is memory for; it may have none.
RectangleAligner::Part RectangleAligner::cut(const Rows& rows, const Slab& slab,
                                             PositionRange positions) const {
  Part part{{positions.begin, positions.begin}, {}, 0};
  const std::uint32_t longest_row = rows.letters.lengths.front();
  const std::uint64_t of_pair =
      kResultBytes + sizeof(std::uint64_t) *
                         most_squares(longest_row, slab.subjects.lengths[slab.offset_of(positions.begin)]);
  while (part.positions.end < positions.end) {
    const std::uint32_t first = slab.offset_of(part.positions.end);
    const std::uint32_t windows = windows_of(slab.subjects.lengths[first]),
                        strips = static_cast<std::uint32_t>(part.first_window.size()) + 1;
    const std::uint64_t kept = rows.passes * ((part.windows + windows) * kWindowBytes + strips * kStripBytes);
    if (windows > kMostWindowsOfStrip ||
        kept + std::uint64_t{strips} * kSubjects * rows.range.size() * of_pair > part_bytes_)
      break;
    part.first_window.push_back(std::exchange(part.windows, part.windows + windows));
    part.positions.end = std::min(slab.range.begin + (first / kSubjects + 1) * kSubjects, positions.end);
  }
  return part;
}

// Starts to compute and trace back a part, after having waited for the part that used the Flight before. The
// part's results go to the host while others are computed.
void RectangleAligner::align(const Work& work, const Rows& rows, const Part& part, const Slab& slab) {
  stopper_.look();
  Flight& flight = flights_[next_flight_++ % kFlights];
  if (flight.under_way) land(flight);
  const std::uint32_t first = slab.offset_of(part.positions.begin);
  std::vector<QueryPlace> queries = rows.places;
  std::uint64_t moves = 0;
  flight.pairs = 0;
  for (std::uint32_t k = 0; k < queries.size(); ++k) {
    const PositionRange of_row = work.columns_of(rows.range.begin + k, part.positions);
    QueryPlace& query = queries[k];
    query.begin = of_row.begin - part.positions.begin;
    query.end = of_row.end - part.positions.begin;
    query.first_result = flight.pairs;
    query.first_move = moves;
    if (of_row.size() == 0) continue;
    if (alignments_->packed_)
      alignments_->rows_.push_back({alignments_->count_ + flight.pairs, rows.range.begin + k, of_row.begin,
                                    static_cast<std::uint32_t>(parts_)});
    flight.pairs += of_row.size();
    moves += std::uint64_t{of_row.size()} *
             most_squares(query.length, slab.subjects.lengths[slab.offset_of(of_row.begin)]);
  }
  std::vector<SubjectPlace> subjects(part.positions.size());
  for (std::uint32_t k = 0; k < subjects.size(); ++k) {
    const std::uint32_t subject = first + k, quad = subject / kSubjects;
    subjects[k] = {slab.subjects.places[quad] + subject % kSubjects, slab.subjects.lengths[subject],
                   quad - first / kSubjects, subject - std::max(quad * kSubjects, first)};
  }
  std::vector<std::uint32_t> order(queries.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {},
                    [&](std::uint32_t k) { return std::pair(queries[k].first_lane, queries[k].half); });
  flight.staging.clear();
  const auto order_at = flight.staging.add(order);
  const auto queries_at = flight.staging.add(queries);
  const auto subjects_at = flight.staging.add(subjects);

  Traceback16& traceback = flight.traceback = {};
  traceback.scores16 = compute(work, rows, part, slab, flight);
  traceback.rows = rows.range.size();
  traceback.columns = part.positions.size();
  traceback.query_places = flight.staging.at(queries_at);
  traceback.order = flight.staging.at(order_at);
  traceback.subject_places = flight.staging.at(subjects_at);
  traceback.queries = flight.codes;
  traceback.scores_of_rows = flight.scores_of_rows.data();
  traceback.matrix = flight.matrix;
  traceback.overflow = kHighest16 - kFloor - std::max(work.scoring.matrix.highest(), 0);
  traceback.open = work.scoring.open;
  traceback.extend = work.scoring.extend;
  traceback.first_row = rows.range.begin;
  traceback.first_column = part.positions.begin;
  traceback.ends_only = work.problem.detail == Detail::ends;
  traceback.writes_runs = work.problem.detail == Detail::alignment && work.problem.cigars;
  flight.landed.hold(flight.stream);
  traceback.moves = flight.moves.reserve(traceback.writes_runs ? moves : 0);
  traceback.walked = flight.walked.reserve(traceback.writes_runs ? flight.pairs : 0);
  traceback.totals = flight.totals.reserve(1);
  traceback.results = flight.results.reserve(flight.pairs);
  traceback.overflown = flight.overflown.reserve(work.goal == Goal::local ? flight.pairs : 0);
  fill_zero(traceback.totals, sizeof *traceback.totals, flight.stream);
  PackedPair* const packed = flight.packed.reserve(alignments_->packed_ ? flight.pairs : 0);
  check(launch_traceback16(traceback, work.goal, flight.stream), "the kernel trace_back");
  if (alignments_->packed_)
    check(launch_pack_pairs(traceback.results, flight.pairs, packed, flight.stream), "the kernel pack_pairs");
  copy_to_host(flight.host_totals.reserve(1), traceback.totals, 1, flight.stream);
  flight.traced.record(flight.stream);
  flight.first_result = std::exchange(alignments_->count_, alignments_->count_ + flight.pairs);
  flight.part = parts_++;
  flight.under_way = true;
}

// The bins, each with the first strip of the part that has pairs of the bin's rows: strips before it lie
// outside a staircase and are left out.
std::vector<Bin> RectangleAligner::wanted_bins(const Work& work, const Rows& rows, const Part& part,
                                               const Slab& slab) {
  std::vector<Bin> bins = rows.chains.bins;
  const std::uint32_t first_quad = slab.offset_of(part.positions.begin) / kSubjects;
  for (Bin& bin : bins) {
    bin.first_strip = UINT32_MAX;
    for (std::uint32_t number = 0; number < bin.blocks; ++number) {
      for (const std::uint32_t row : rows.chains.blocks[bin.first_block + number].row) {
        if (row == kNoRow) continue;
        const PositionRange columns = work.columns_of(rows.range.begin + row, part.positions);
        if (columns.size() > 0)
          bin.first_strip = std::min(bin.first_strip, slab.offset_of(columns.begin) / kSubjects - first_quad);
      }
    }
  }
  return bins;
}

// Launches the kernels that compute a part's scores and keep what the tracebacks need of the dynamic
// programming matrices. Returns the input of scores16.
Scores16 RectangleAligner::compute(const Work& work, const Rows& rows, const Part& part, const Slab& slab,
                                   Flight& flight) {
  const std::uint32_t first = slab.offset_of(part.positions.begin), columns = part.positions.size(),
                      strips = static_cast<std::uint32_t>(part.first_window.size()),
                      letters = work.letters.count();
  const auto codes_at = flight.staging.add(rows.letters.codes);
  const auto matrix_at = flight.staging.add(work.letters.scores());
  const auto blocks_at = flight.staging.add(rows.chains.blocks);
  const auto bins_at = flight.staging.add(wanted_bins(work, rows, part, slab));
  const auto windows_at = flight.staging.add(part.first_window);
  flight.staging.upload(flight.stream);
  flight.codes = flight.staging.at(codes_at);
  flight.matrix = flight.staging.at(matrix_at);

  const auto lane_blocks = static_cast<std::uint32_t>(rows.chains.blocks.size());
  Profiles profiles{
      flight.staging.at(blocks_at), lane_blocks, kTraceRows, letters, flight.codes, flight.matrix,
      pad_score(work.scoring),      nullptr};
  profiles.profiles = flight.profiles.reserve(std::uint64_t{lane_blocks} * letters * (kTraceRows / 4));
  check(launch_profiles(profiles, flight.stream), "the kernel fill_profiles");
  uint4* const scores_of_rows =
      flight.scores_of_rows.reserve(std::uint64_t{lane_blocks} * 2 * (kTraceRows / kRowsOfFour) * letters);
  check(launch_scores_of_rows(profiles, scores_of_rows, flight.stream), "the kernel fill_scores_of_rows");

  Scores16 task = scores16_of(work.scoring, work.range ? work.range->zero() : kFloor);
  task.profiles = profiles.profiles;
  task.blocks = profiles.blocks;
  task.bins = flight.staging.at(bins_at);
  task.begin = first;
  task.end = first + columns;
  task.first_column = first;
  task.places = slab.places;
  task.lengths = slab.lengths;
  task.packed = slab.packed;
  task.bin_count = static_cast<std::uint32_t>(rows.chains.bins.size());
  task.strip_count = strips;
  task.letters = letters;
  task.next_item = flight.items_taken.reserve(1);
  const std::uint64_t pairs = std::uint64_t{rows.range.size()} * columns;
  task.scores = flight.scores.reserve(pairs);
  task.stride = columns;
  const std::uint32_t per_item = rows.kernel.strips_per_item();
  const auto items = std::uint64_t{(strips + per_item - 1) / per_item} * task.bin_count;
  const auto blocks = static_cast<int>(std::min<std::uint64_t>(items, rows.blocks));
  task.boundary_entries = rows.kernel.boundary_entries(slab.subjects.lengths[first]);
  task.boundary = flight.boundary.reserve(task.boundary_entries * static_cast<unsigned>(blocks));
  const std::uint64_t windows = std::uint64_t{rows.passes} * part.windows,
                      of_strips = std::uint64_t{rows.passes} * strips;
  task.trace.windows = room_for_windows(flight, windows * kWindowFours * kWarpThreads);
  task.trace.bests = flight.bests.reserve((windows + of_strips) * kWarpThreads);
  task.trace.last_columns = flight.last_columns.reserve(of_strips * kColumnFours * kWarpThreads);
  task.trace.first_window = flight.staging.at(windows_at);
  task.trace.windows_of_pass = part.windows;
  task.stop = stopper_.word();
  constexpr std::uint8_t kZero = 0, kLow = 0x80;
  fill(task.scores, work.goal == Goal::ends ? kLow : kZero, pairs * sizeof(std::int32_t), flight.stream);
  fill_zero(task.next_item, sizeof *task.next_item, flight.stream);
  check(rows.kernel.launch(task, blocks, flight.stream), "the kernel scores16");
  return task;
}

// Returns room for `elements` elements of Trace16::windows, or for an eighth more, if the memory suffices,
// because parts differ by little and a later part then needs no other allocation.
uint4* RectangleAligner::room_for_windows(Flight& flight, std::uint64_t elements) const {
  const std::uint64_t bytes = elements * sizeof(uint4);
  if (bytes > flight.windows.bytes()) {
    flight.windows = {};
    flight.windows.reserve(std::min(bytes + bytes / 8, std::max(bytes, part_bytes_)) / sizeof(uint4));
  }
  return flight.windows.data();
}

// Waits for a part's tracebacks, and starts to copy its results and runs to the host.
void RectangleAligner::land(Flight& flight) {
  flight.under_way = false;
  stopper_.wait(flight.traced);
  const TracebackTotals& totals = *flight.host_totals.data();
  if (alignments_->packed_) {
    write_runs(flight, flight.packed_runs, alignments_->packed_runs_, [&](PackedRun* runs, PackedRun*) {
      return launch_write_packed_runs(flight.traceback, runs, flight.packed.data(), flight.stream);
    });
    copy_to_host(alignments_->packed_results_.data() + flight.first_result, flight.packed.data(),
                 flight.pairs, copies_);
  } else {
    write_runs(flight, flight.runs, alignments_->runs_, [&](CigarRun* runs, const CigarRun* on_host) {
      return launch_write_runs(flight.traceback, runs, on_host, flight.stream);
    });
    copy_to_host(alignments_->results_.data() + flight.first_result, flight.traceback.results, flight.pairs,
                 copies_);
  }
  if (totals.overflown > 0) {
    std::uint32_t* const numbers = flight.host_overflown.reserve(totals.overflown);
    copy_to_host(numbers, flight.traceback.overflown, totals.overflown, copies_);
    stopper_.wait(copies_);
    for (std::uint64_t k = 0; k < totals.overflown; ++k)
      alignments_->replaced_.push_back(flight.first_result + numbers[k]);
  }
  flight.landed.record(copies_);
}

// Calls land() for all parts that are under way, in their order.
void RectangleAligner::land_all() {
  for (std::size_t k = 0; k < kFlights; ++k) {
    Flight& flight = flights_[(next_flight_ + k) % kFlights];
    if (flight.under_way) land(flight);
  }
}

// Writes the runs of a part, if it has any, and copies them to the host before what the stream `copies_` gets
// next.
template <class Run, class Write>
void RectangleAligner::write_runs(Flight& flight, DeviceArray<Run>& runs,
                                  std::vector<PinnedArray<Run>>& of_parts, const Write& write) {
  const std::uint64_t count = flight.host_totals.data()->runs;
  if (count == 0) return;
  if (of_parts.size() <= flight.part) of_parts.resize(flight.part + 1);
  most_runs_ = std::max(most_runs_, count);
  PinnedArray<Run>& of_part = of_parts[flight.part];
  const bool has_room = count * sizeof(Run) <= of_part.bytes();
  Run* const on_host = of_part.reserve(has_room ? count : most_runs_);
  Run* const on_device = runs.reserve(count);
  check(write(on_device, on_host), "the kernel write_runs");
  flight.written.record(flight.stream);
  flight.written.hold(copies_);
  copy_to_host(on_host, on_device, count, copies_);
}

}  // namespace alnus::cuda
