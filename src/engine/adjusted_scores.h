// Scores by which E-values are judged. A pair of proteins is scored again, by a matrix adjusted to its two
// compositions (stats/adjusted_matrix.h), with the subject's regions of low complexity masked. Nucleotides
// are scored again with those of the query masked, and the score is scaled by the compositions
// (stats/pair_scale.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "core/region.h"
#include "engine/call.h"
#include "engine/pair_list.h"
#include "engine/statistics_options.h"
#include "stats/adjusted_matrix.h"
#include "stats/pair_scale.h"

namespace alnus::engine {

// Pairs are scored again whose E-value without adjustment is at most so many times the limit.
// docs/statistics.md has the share of hits that this loses.
inline constexpr double kCandidateFactor = 30;

// The largest E-value without adjustment of a pair that may be a hit. Masks and scales lower scores, and only
// a matrix of the pair's own may raise one.
inline double candidate_evalue(const StatisticsOptions& options, const Scoring& scoring, double limit) {
  const bool may_rise = options.adjusts() && options.composition == Composition::adjust &&
                        scoring.matrix.alphabet() == AlphabetKind::protein;
  return may_rise ? kCandidateFactor * limit : limit;
}

class AdjustedScores {
 public:
  // Options that adjust; a matrix that can be adjusted, if Composition::adjust is among them.
  AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                 const StatisticsOptions& options);

  // The adjusted score of each pair, in the units of Alignment::score, on the threads of the call. Throws
  // Interrupted when its stop is requested.
  std::vector<double> of(std::span<const IndexPair> pairs, Call& call) const;
  // The same for pairs whose own scores are known, in the same units: pairs in which nothing changes are not
  // scored again.
  std::vector<double> of(std::span<const IndexPair> pairs, std::span<const std::int32_t> scores,
                         Call& call) const;

 private:
  struct Sequence;
  Sequence prepared(std::span<const Residue> residues, bool masked, const StopFlag& stop) const;
  std::vector<Region> low_complexity(std::span<const Residue> residues, const StopFlag& stop) const;
  // True for each pair that has other scores between its letters.
  std::vector<bool> are_scored_again(std::span<const IndexPair> pairs, Call& call) const;
  // What scores of the pairs are worth, if nothing of them is masked.
  std::vector<double> worths_of(std::span<const IndexPair> pairs, Call& call) const;

  const SequenceSet &queries_, &subjects_;
  const Scoring& scoring_;
  const bool mask_queries_, mask_subjects_;
  const Residue masked_;                                 // the code of a masked residue
  const std::optional<stats::MatrixAdjuster> adjuster_;  // empty: the stated matrix
  const std::optional<stats::PairScale> scale_;          // empty: scores count in full
  stats::PairScores stated_{};  // the scores of that matrix, but -1 for masked residues
};

}  // namespace alnus::engine
