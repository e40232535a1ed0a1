#include "cuda/pair_aligner.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "alnus/error.h"
#include "core/best_scores.h"
#include "cuda/limits.h"

namespace alnus::cuda {
namespace {

// The sequences that the pairs of a list name, each once, as codes without case.
class Gathered {
 public:
  // `offsets` is by position. It is kept from run to run, because filling it for a large database takes long,
  // and has kAbsent again when this object ends.
  Gathered(const SortedSequences& sequences, std::vector<std::uint64_t>& offsets)
      : sequences_(sequences), offsets_(offsets) {
    if (offsets_.size() < sequences.size()) offsets_.resize(sequences.size(), kAbsent);
  }
  ~Gathered() {
    for (const Position position : positions_) offsets_[position.value()] = kAbsent;
  }
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;

  void add(Position position) {
    std::uint64_t& offset = offsets_[position.value()];
    if (offset != kAbsent) return;
    positions_.push_back(position);
    offset = bytes_;
    bytes_ += sequences_.length(position);
  }
  std::uint64_t bytes() const { return bytes_; }
  void write(std::uint8_t* codes, Stopper& stopper) const {
    for (const Position position : positions_) {
      stopper.look();
      const std::span<const Residue> residues = sequences_.residues(position);
      std::ranges::transform(residues, codes + offsets_[position.value()],
                             [](Residue residue) { return residue & kCodeMask; });
    }
  }
  DeviceSequence at(Position position, const std::uint8_t* codes) const {
    return {codes + offsets_[position.value()], 1, static_cast<std::uint32_t>(sequences_.length(position))};
  }

 private:
  static constexpr std::uint64_t kAbsent = UINT64_MAX;
  const SortedSequences& sequences_;
  std::vector<std::uint64_t>& offsets_;  // by position
  std::vector<Position> positions_;
  std::uint64_t bytes_ = 0;
};

std::vector<PositionPair> pairs_of(const Tile& tile) {
  if (tile.shape == TileShape::list) return tile.pairs;
  std::vector<PositionPair> pairs;
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    const PositionRange columns = tile.columns_of(row);
    for (Position column = columns.begin; column < columns.end; ++column) pairs.push_back({row, column});
  }
  return pairs;
}

// Throws Error(input) if scores may exceed kHighest32.
void check_range(const Tile& tile, const PositionPair& pair, const Scoring& scoring) {
  const auto m = static_cast<std::int64_t>(tile.rows->length(pair.row));
  const auto n = static_cast<std::int64_t>(tile.columns->length(pair.column));
  const std::int64_t highest = std::max(scoring.matrix.highest(), 0);
  const std::int64_t gaps = scoring.mode == Mode::local ? 0 : 2 * scoring.open + scoring.extend * (m + n);
  if (std::min(m, n) * highest + gaps <= kHighest32) return;
  if (BestScores(scoring.matrix).of(tile.rows->residues(pair.row)) + gaps <= kHighest32) return;
  const auto id = [](const SortedSequences& sequences, Position position) {
    return sequences.set()[sequences.index(position)].id();
  };
  throw Error(ErrorKind::input,
              fmt::format("Scores of query '{}' against '{}' may pass 1,000,000,000; use smaller scores.",
                          id(*tile.rows, pair.row), id(*tile.columns, pair.column)));
}

}  // namespace

std::span<const PairResult> PairAligner::run(const Tile& tile, const Problem& problem, const Sink& sink) {
  results_.clear();
  runs_.clear();
  std::vector<PositionPair> pairs = pairs_of(tile);
  for (const PositionPair& pair : pairs) {
    stopper_.look();
    check_range(tile, pair, problem.scoring);
  }
  // The largest pairs come first, because the warps take pairs in this order.
  const auto cells = [&](const PositionPair& pair) {
    return std::uint64_t{tile.rows->length(pair.row)} * tile.columns->length(pair.column);
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const PositionPair& a, const PositionPair& b) { return cells(a) > cells(b); });
  results_.reserve(pairs.size());
  for (std::size_t first = 0; first < pairs.size(); first += kMostListedPairs)
    align(std::span(pairs).subspan(first, std::min<std::size_t>(kMostListedPairs, pairs.size() - first)),
          tile, problem, sink);
  for (PairResult& result : results_) {
    if (problem.detail != Detail::alignment) break;
    stopper_.look();
    result.counts = count(
        result.cigar, tile.rows->residues(result.row).subspan(static_cast<std::size_t>(result.query_begin)),
        tile.columns->residues(result.column).subspan(static_cast<std::size_t>(result.subject_begin)),
        problem.scoring.matrix);
  }
  return results_;
}

int PairAligner::warps_for(std::uint32_t longest_subject) const {
  int warps = warps_of(multiprocessors_);
  while (warps > 1 && workspace_bytes(longest_subject, warps) > memory_bytes_ / 4) warps /= 2;
  return warps;
}

void PairAligner::align(std::span<const PositionPair> pairs, const Tile& tile, const Problem& problem,
                        const Sink& sink) {
  Gathered rows(*tile.rows, row_offsets_), columns(*tile.columns, column_offsets_);
  std::uint32_t longest_subject = 0;
  // Cells of all pairs, and of those with queries of more than kPassRows residues.
  std::uint64_t cells = 0, cells_of_long = 0;
  for (const PositionPair& pair : pairs) {
    const std::uint64_t of_pair =
        std::uint64_t{tile.rows->length(pair.row)} * tile.columns->length(pair.column);
    cells += of_pair;
    cells_of_long += tile.rows->length(pair.row) > kPassRows ? of_pair : 0;
    rows.add(pair.row);
    columns.add(pair.column);
    longest_subject =
        std::max(longest_subject, static_cast<std::uint32_t>(tile.columns->length(pair.column)));
  }
  std::uint8_t* const codes = host_codes_.reserve(rows.bytes() + columns.bytes());
  rows.write(codes, stopper_);
  columns.write(codes + rows.bytes(), stopper_);
  const std::uint8_t* const row_codes = codes_.reserve(rows.bytes() + columns.bytes());
  const std::uint8_t* const column_codes = row_codes + rows.bytes();
  copy_to_device(codes_.data(), codes, rows.bytes() + columns.bytes(), stream_);

  std::vector<DevicePair> device_pairs(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    device_pairs[i] = {rows.at(pairs[i].row, row_codes), columns.at(pairs[i].column, column_codes)};
  const DeviceScoring scoring = device_scoring(problem.scoring);
  staging_.clear();
  const auto scoring_at = staging_.add(std::span(&scoring, 1));
  const auto pairs_at = staging_.add(device_pairs);
  staging_.upload(stream_);

  EndsLaunch work{};
  work.pairs = staging_.at(pairs_at);
  work.most = static_cast<std::uint32_t>(pairs.size());
  work.scoring = staging_.at(scoring_at);
  work.longest_subject = longest_subject;
  work.ends = ends_.reserve(pairs.size());
  work.warps = warps_for(longest_subject);
  work.team_cells = team_cells(cells, work.warps);
  work.long_passes = 2 * cells_of_long > cells;
  work.workspace = workspace_.reserve(workspace_bytes(longest_subject, work.warps));
  work.counter = counter_.reserve(1);
  work.stop = stopper_.word();
  check(launch_ends(work, stream_), "the kernel of ends");
  copy_to_host(host_ends_.reserve(pairs.size()), ends_.data(), pairs.size(), stream_);
  stopper_.wait(stream_);

  const std::size_t first_result = results_.size();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (problem.detail == Detail::score && host_ends_.data()[i].score < sink.floor(pairs[i].row)) continue;
    PairResult& result = results_.emplace_back();
    result.row = pairs[i].row;
    result.column = pairs[i].column;
    result.score = host_ends_.data()[i].score;
    if (problem.detail == Detail::score) continue;
    result.query_end = host_ends_.data()[i].query_end;
    result.subject_end = host_ends_.data()[i].subject_end;
  }
  if (problem.detail == Detail::alignment) trace(work, std::span(results_).subspan(first_result));
}

void PairAligner::trace(const EndsLaunch& ends, std::span<PairResult> results) {
  const std::uint64_t most = memory_bytes_ / 2;
  for (std::size_t first = 0; first < results.size();) {
    std::vector<std::uint64_t> offsets;
    std::uint64_t bytes = 0;
    std::int32_t longest = 0;
    std::size_t end = first;
    for (; end < results.size(); ++end) {
      const std::uint64_t needed = trace_bytes(results[end].query_end, results[end].subject_end);
      if (end > first && bytes + needed > most) break;
      offsets.push_back(bytes);
      bytes += needed;
      longest = std::max(longest, results[end].subject_end);
    }
    if (bytes > most)
      throw Error(ErrorKind::memory,
                  fmt::format("The traceback of {} x {} residues takes {} bytes, and {} are allowed for it.",
                              results[first].query_end, results[first].subject_end, bytes, most));
    trace_staging_.clear();
    const auto offsets_at = trace_staging_.add(offsets);
    trace_staging_.upload(stream_);

    TraceLaunch work{};
    work.pairs = ends.pairs + first;
    work.ends = ends.ends + first;
    work.offsets = trace_staging_.at(offsets_at);
    work.count = static_cast<std::uint32_t>(end - first);
    work.team_cells = ends.team_cells;
    work.scoring = ends.scoring;
    work.longest_subject = static_cast<std::uint32_t>(longest);
    work.paths = paths_.reserve(work.count);
    work.total_runs = total_runs_.reserve(1);
    work.trace = trace_.reserve(bytes);
    work.workspace = ends.workspace;  // made for subjects that are as long or longer
    work.counter = ends.counter;
    work.warps = ends.warps;
    work.stop = ends.stop;
    check(launch_trace(work, stream_), "the kernel of traces");
    copy_to_host(host_total_runs_.reserve(1), work.total_runs, 1, stream_);
    copy_to_host(host_paths_.reserve(work.count), work.paths, work.count, stream_);
    stopper_.wait(stream_);
    const std::uint64_t total = *host_total_runs_.data();
    check(launch_cigars(work, cigars_.reserve(total), stream_), "the kernel of CIGARs");
    static_assert(sizeof(CigarRun) == sizeof(std::uint32_t));
    std::uint32_t* const runs = host_cigars_.reserve(total);
    copy_to_host(runs, cigars_.data(), total, stream_);
    stopper_.wait(stream_);

    std::vector<CigarRun>& kept = runs_.emplace_back(total);
    for (std::uint64_t i = 0; i < total; ++i) kept[i].packed = runs[i];
    for (std::uint32_t i = 0; i < work.count; ++i) {
      stopper_.look();
      const PairPath& path = host_paths_.data()[i];
      PairResult& result = results[first + i];
      result.query_begin = path.query_begin;
      result.subject_begin = path.subject_begin;
      result.cigar = std::span(kept).subspan(path.first_run, path.runs);
    }
    first = end;
  }
}

}  // namespace alnus::cuda
