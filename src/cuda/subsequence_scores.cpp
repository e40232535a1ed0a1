#include "cuda/subsequence_scores.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/common_subsequence.h"
#include "core/first_position.h"
#include "cuda/limits.h"

namespace alnus::cuda {
namespace {

// By letter of a query: a bit for each letter of subjects with which it scores more than 0. No letter has
// anything in common with the pad, which has no scores.
std::vector<std::uint32_t> common_letters(const Letters& letters) {
  std::vector<std::uint32_t> common(kMaxLetters);
  for (std::size_t q = 0; q < kMaxLetters; ++q)
    for (std::size_t s = 0; s + 1 < letters.count(); ++s)
      if (letters.scores()[q * kMaxLetters + s] > 0) common[q] |= 1U << s;
  return common;
}

constexpr std::size_t kLongestSubject = 1 << 16;

}  // namespace

// What is known of a tile, on the host.
struct SubsequenceScores::Work {
  const Tile& tile;
  const Sink& sink;
  Letters letters;
  LettersOfRows queries;
  std::vector<std::uint32_t> common;
  std::int32_t unit;
  bool lists;
  std::int32_t* all_scores = nullptr;  // pinned; null if pairs are listed

  std::uint32_t rows() const { return tile.row_range.size(); }
  // By row: the first of the columns at `positions` that has a pair.
  std::vector<std::uint32_t> first_columns(PositionRange positions) const {
    std::vector<std::uint32_t> all;
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
      all.push_back(std::clamp(tile.columns_of(row).begin, positions.begin, positions.end) - positions.begin);
    return all;
  }
};

bool SubsequenceScores::takes(const Tile& tile, const Problem& problem) {
  return problem.detail == Detail::score && tile.shape != TileShape::list && tile.row_range.size() > 0 &&
         tile.column_range.size() > 0 && subsequence_unit(problem.scoring) > 0 &&
         tile.columns->length(tile.column_range.begin) <= kLongestSubject &&
         long_rows(tile).end < tile.row_range.end;
}

PositionRange SubsequenceScores::long_rows(const Tile& tile) {
  return {tile.row_range.begin, first_position(tile.row_range, [&](Position row) {
            return tile.rows->length(row) <= kMostSubsequenceRows;
          })};
}

Found SubsequenceScores::run(const Tile& tile, const Scoring& scoring, const Sink& sink,
                             const CudaSequences& columns, FoundBuffers& buffers, Stages& stages) {
  const Letters letters(scoring.matrix);
  Work work{.tile = tile,
            .sink = sink,
            .letters = letters,
            .queries = LettersOfRows(*tile.rows, tile.row_range, letters),
            .common = common_letters(letters),
            .unit = subsequence_unit(scoring),
            .lists = has_floors(sink, tile.row_range)};
  buffers.pairs.clear();
  if (!work.lists)
    work.all_scores = buffers.all_scores.reserve(std::uint64_t{work.rows()} * tile.column_range.size());
  for (std::uint32_t number = columns.slab_of(tile.column_range.begin);; ++number) {
    const auto begin = std::chrono::steady_clock::now();
    const Slab slab = columns.bring(number, letters, upload_, uploader_);
    stages.upload += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const PositionRange positions{std::max(slab.range.begin, tile.column_range.begin),
                                  std::min(slab.range.end, tile.column_range.end)};
    start(work, slab, positions);
    collect(work, positions, buffers);
    stages.kernel += done_.seconds_since(begun_);
    if (slab.range.end >= tile.column_range.end) break;
  }
  if (!work.lists) return TileScores{tile.column_range, work.all_scores};
  return &buffers.pairs;
}

void SubsequenceScores::settle() {
  stream_.wait();
  upload_.wait();
}

// Launches the kernels for the subjects at these positions, and the copy of what they find.
void SubsequenceScores::start(const Work& work, const Slab& slab, PositionRange positions) {
  staging_.clear();
  const auto codes = staging_.add(work.queries.codes);
  const auto offsets = staging_.add(work.queries.offsets);
  const auto common = staging_.add(work.common);
  const auto first_columns = staging_.add(work.first_columns(positions));
  const auto floors = staging_.add(work.lists ? floors_of_ranges(work.sink, work.tile.row_range, positions)
                                              : std::vector<std::int32_t>());
  begun_.record(stream_);
  staging_.upload(stream_);
  const std::uint64_t columns = positions.size();
  Subsequences task{};
  task.sequences = {staging_.at(offsets), staging_.at(codes), slab.places,
                    slab.lengths,         slab.packed,        slab.offset_of(positions.begin)};
  task.columns = positions.size();
  task.common = staging_.at(common);
  task.first_columns = staging_.at(first_columns);
  task.unit = work.unit;
  if (work.lists) {
    task.floors = staging_.at(floors);
    task.room = static_cast<std::uint32_t>(std::min<std::uint64_t>(kMostFound, work.rows() * columns));
    task.listed = listed_.reserve(task.room);
    task.found = found_.reserve(1);
    fill_zero(task.found, sizeof(std::uint32_t), stream_);
  } else {
    task.scores = scores_.reserve(work.rows() * columns);
  }
  count_.reserve(1);
  task.stop = stopper_.word();
  const std::vector<std::uint32_t>& lengths = work.queries.lengths;
  for (std::uint32_t first = long_rows(work.tile).size(); first < work.rows(); first += task.rows) {
    // The rows are sorted by decreasing length: those that need as many words go together.
    const std::uint32_t most = rows_of_subsequences(lengths[first]);
    const auto end = std::partition_point(lengths.begin() + first, lengths.end(), [&](std::uint32_t length) {
      return rows_of_subsequences(length) == most;
    });
    task.first_row = first;
    task.rows = static_cast<std::uint32_t>(end - lengths.begin()) - first;
    check(launch_subsequences(task, lengths[first], stream_), "the kernel subsequences");
  }
  done_.record(stream_);
  if (work.lists) {
    copy_to_host(count_.data(), task.found, 1, stream_);
    return;
  }
  const std::uint64_t width = work.tile.column_range.size();
  const std::uint32_t at_once = columns == width ? work.rows() : 1;
  for (std::uint32_t row = 0; row < work.rows(); row += at_once)
    copy_to_host(work.all_scores + row * width + (positions.begin - work.tile.column_range.begin),
                 scores_.data() + row * columns, at_once * columns, stream_);
}

// Waits for what start() began, and takes its results.
void SubsequenceScores::collect(const Work& work, PositionRange positions, FoundBuffers& buffers) {
  stopper_.wait(stream_);
  if (!work.lists) return;
  const std::uint32_t found = *count_.data();
  if (found > kMostFound || buffers.pairs.size() + found > kMostFound) throw TooManyFound();
  FoundPairs::Part& part = buffers.pairs.add();
  part.first_column = positions.begin;
  copy_to_host(part.candidates.reserve(found), listed_.data(), found, stream_);
  stopper_.wait(stream_);
  part.count = found;
}

}  // namespace alnus::cuda
