#include "engine/prepared_sequences.h"

#include <algorithm>

#include "core/dust.h"
#include "core/seg.h"

namespace alnus::engine {
namespace {

// SEG's parameters for the subjects of blastp's second pass (Schaffer et al. 2001, Nucleic Acids Res.
// 29:2994). They mask 3% of the residues of real proteins; the parameters of `--mask seg` mask 8%.
constexpr Seg::Parameters kMildSeg{.window = 10, .trigger = 1.8, .extension = 2.1};

bool is_dna(const Scoring& scoring) { return scoring.matrix.alphabet() == AlphabetKind::dna; }

// Returns the code of a masked residue. For proteins it is X. For nucleotides it is a code of its own, so
// that N keeps its scores, and a pair in which nothing is masked keeps its score.
Residue code_of_masked(AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::of(kind);
  return kind == AlphabetKind::dna ? static_cast<Residue>(alphabet.size()) : alphabet.encode('X');
}

}  // namespace

SequencePreparer::SequencePreparer(const Scoring& scoring, const ResolvedStatistics& options)
    : scoring_(scoring),
      mask_queries_(options.low_complexity == LowComplexity::statistics && is_dna(scoring)),
      mask_subjects_(options.low_complexity == LowComplexity::statistics && !is_dna(scoring)),
      masked_(code_of_masked(scoring.matrix.alphabet())),
      adjuster_(options.composition == Composition::adjust ? stats::MatrixAdjuster::of(scoring)
                                                           : std::nullopt),
      scale_(options.composition == Composition::adjust ? stats::PairScale::of(scoring) : std::nullopt) {}

PreparedSequence SequencePreparer::prepared(std::span<const Residue> residues, bool masked,
                                            const StopFlag& stop) const {
  PreparedSequence result;
  for (const Residue residue : residues)
    result.own += scoring_.matrix.value(residue & kCodeMask, residue & kCodeMask);
  result.codes = residues;
  const std::vector<Region> regions = masked ? low_complexity(residues, stop) : std::vector<Region>{};
  result.has_masked = !regions.empty();
  const auto has_case = [](Residue residue) { return (residue & kCodeMask) != residue; };
  if (result.has_masked || std::ranges::any_of(residues, has_case)) {
    result.copy.resize(residues.size());
    std::ranges::transform(residues, result.copy.begin(),
                           [](Residue residue) { return static_cast<Residue>(residue & kCodeMask); });
    for (const Region& region : regions)
      std::fill_n(result.copy.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(), masked_);
    result.codes = result.copy;
  }
  if (!result.codes.empty()) result.highest = std::ranges::max(result.codes);
  if (adjuster_) result.frequencies = adjuster_->frequencies(result.codes);
  if (scale_) result.bases = scale_->frequencies(result.codes);
  return result;
}

std::vector<Region> SequencePreparer::low_complexity(std::span<const Residue> residues,
                                                     const StopFlag& stop) const {
  Seg seg(kMildSeg, stop);
  Dust dust(stop);
  const std::span<const Region> found = is_dna(scoring_) ? dust.find(residues) : seg.find(residues);
  return {found.begin(), found.end()};
}

}  // namespace alnus::engine
