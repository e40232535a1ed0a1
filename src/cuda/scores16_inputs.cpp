#include "cuda/scores16_inputs.h"

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
