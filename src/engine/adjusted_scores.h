// Scores by which E-values are judged: each pair is scored again, by a matrix adjusted to its two
// compositions (stats/adjusted_matrix.h), with the subject's regions of low complexity masked.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "engine/call.h"
#include "engine/pair_list.h"
#include "engine/statistics_options.h"
#include "stats/adjusted_matrix.h"

namespace alnus::engine {

// Pairs are scored again whose E-value without adjustment is at most so many times the limit.
// docs/statistics.md has the share of hits that this loses.
inline constexpr double kCandidateFactor = 30;

// The largest E-value without adjustment of a pair that may be a hit.
inline double candidate_evalue(const StatisticsOptions& options, double limit) {
  return options.adjusts() ? kCandidateFactor * limit : limit;
}

class AdjustedScores {
 public:
  // Options that adjust; a matrix that can be adjusted, if Composition::adjust is among them.
  AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                 const StatisticsOptions& options);

  // The adjusted score of each pair, in the units of Alignment::score, on the threads of the call. Throws
  // Interrupted when its stop is requested.
  std::vector<double> of(std::span<const IndexPair> pairs, Call& call) const;

 private:
  struct Sequence;
  Sequence prepared(std::span<const Residue> residues, bool masked, const StopFlag& stop) const;

  const SequenceSet &queries_, &subjects_;
  const Scoring& scoring_;
  const bool mask_;
  const std::optional<stats::MatrixAdjuster> adjuster_;  // empty: the stated matrix
  stats::PairScores stated_{};                           // the scores of that matrix, but -1 for X
};

}  // namespace alnus::engine
