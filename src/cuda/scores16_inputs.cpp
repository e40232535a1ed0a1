#include "cuda/scores16_inputs.h"

#include <algorithm>
#include <span>

namespace alnus::cuda {
namespace {

BorderCost border_cost(const Scoring& scoring, bool free) {
  if (free || scoring.mode == Mode::local) return {0, 0, 0};
  return {scoring.open, scoring.extend, halves_addend(static_cast<std::uint32_t>(scoring.extend))};
}

}  // namespace

LettersOfRows::LettersOfRows(const SortedSequences& rows, PositionRange range, const Letters& letters)
    : offsets{0} {
  for (Position row = range.begin; row < range.end; ++row) {
    const std::span<const Residue> residues = rows.residues(row);
    for (const Residue residue : residues) codes.push_back(letters.of(residue));
    offsets.push_back(codes.size());
    lengths.push_back(static_cast<std::uint32_t>(residues.size()));
  }
}

std::vector<std::int32_t> floors_of_ranges(const Sink& sink, PositionRange rows, PositionRange positions) {
  std::vector<std::int32_t> all(std::size_t{rows.size()} * kFloorRanges);
  const std::uint32_t width = floor_width(positions.size()), ranges = (positions.size() + width - 1) / width;
  const auto floor_in = [&](std::uint32_t row, std::uint32_t range) {
    const std::uint32_t first = range * width;
    return sink.floor_in(rows.begin + row, {positions.begin + first,
                                            positions.begin + std::min(first + width, positions.size())});
  };
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const std::span<std::int32_t> of_row = std::span(all).subspan(row * kFloorRanges, kFloorRanges);
    const std::int32_t floor = sink.floor(rows.begin + row);
    std::ranges::fill(of_row, floor);
    // The first subjects are the longest ones. If these need no more than the row's floor, others seldom do,
    // and a lower floor only lists more pairs.
    if (ranges == 0 || floor_in(row, 0) <= floor) continue;
    for (std::uint32_t range = 0; range < ranges; ++range) of_row[range] = floor_in(row, range);
  }
  return all;
}

Scores16 scores16_of(const Scoring& scoring, std::int32_t zero) {
  Scores16 task{};
  task.opened = whole_addend(static_cast<std::uint32_t>(scoring.open + scoring.extend));
  task.extended = halves_addend(static_cast<std::uint32_t>(scoring.extend));
  task.borders = {zero, border_cost(scoring, scoring.free_ends.query_begin),
                  border_cost(scoring, scoring.free_ends.subject_begin)};
  task.free_ends = scoring.free_ends;
  return task;
}

std::int32_t pad_score(const Scoring& scoring) {
  return scoring.mode == Mode::local ? -1 : -border_cost(scoring, scoring.free_ends.subject_begin).extend;
}

}  // namespace alnus::cuda
