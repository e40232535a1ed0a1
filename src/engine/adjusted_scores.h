// Scores by which E-values are judged. A pair of proteins is scored again, by a matrix adjusted to its two
// compositions (stats/adjusted_matrix.h), with the subject's regions of low complexity masked. A pair of
// nucleotides is scored again where the query has such regions, and scaled by both compositions
// (stats/pair_scale.h).
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "core/region.h"
#include "engine/call.h"
#include "engine/device_scores.h"
#include "engine/pair_list.h"
#include "engine/statistics_options.h"
#include "stats/adjusted_matrix.h"
#include "stats/evalue.h"
#include "stats/pair_scale.h"

namespace alnus::engine {

// Pairs are scored again whose E-value by the score without adjustment, and by the score predicted from the
// two compositions (stats::MatrixAdjuster::predicted_scale), is at most so many times the widened limit; and
// exactly if that by the coarse second score is at most so many times the limit. docs/results/statistics.md
// has the share of hits that this loses.
inline constexpr double kCandidateFactor = 150, kPredictedFactor = 28, kCoarseFactor = 2;

// A pair is nearly identical that scores this part of what the lower of both sequences scores with itself:
// about 93 residues of 100 are the same. blastp does not mask such subjects either.
inline constexpr double kNearlyIdentical = 0.9;

// The limit where it is 10 or more. The adjustment moves bit scores in proportion: low limits, which high
// scores reach, are widened.
inline double widened(double limit) {
  constexpr double kWeak = 10, kPower = 0.7;
  return limit >= kWeak ? limit : kWeak * std::pow(limit / kWeak, kPower);
}

// The largest E-value without adjustment of a pair that may be a hit. Masks and scales lower scores, and only
// a matrix of the pair's own may raise one.
inline double candidate_evalue(const StatisticsOptions& options, const Scoring& scoring, double limit) {
  const bool may_rise = options.adjusts() && options.composition == Composition::adjust &&
                        scoring.matrix.alphabet() == AlphabetKind::protein;
  return may_rise ? kCandidateFactor * widened(limit) : limit;
}

class AdjustedScores {
 public:
  // Options that adjust; a matrix that can be adjusted, if Composition::adjust is among them.
  AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                 const StatisticsOptions& options);

  struct Candidate {
    IndexPair pair;
    std::int32_t score = 0;                    // by the stated matrix
    const stats::ScoreJudge* judge = nullptr;  // null: no E-value leaves the pair out
  };
  // The adjusted scores, in the units of Alignment::score, of the pairs whose E-values may be at most `limit`
  // or which have no judge; nothing for the others. On the threads of the call; throws Interrupted when its
  // stop is requested.
  std::vector<std::optional<double>> of(std::span<const Candidate> candidates, double limit,
                                        Call& call) const;

 private:
  struct Sequence;
  struct Job;
  struct Prepared;
  class SideBySide;
  // True if the E-value of the score is at most `limit`.
  bool may_pass(const Candidate& candidate, double score, double limit) const;
  Sequence prepared(std::span<const Residue> residues, bool masked, const StopFlag& stop) const;
  std::vector<Region> low_complexity(std::span<const Residue> residues, const StopFlag& stop) const;
  std::vector<Sequence> prepared(const SequenceSet& set, std::span<const SequenceSet::Index> sequences,
                                 bool masked, Call& call) const;
  // The numbers of the candidates whose E-values may be low enough.
  std::vector<std::uint32_t> kept_numbers(std::span<const Candidate> candidates, double limit,
                                          Call& call) const;
  void score(std::span<const Candidate> candidates, double limit, Call& call,
             std::span<std::optional<double>> result) const;
  // Pairs that score almost as high as the shorter of both with itself are no chance hits, whatever their
  // letters: unmasked copies of their subjects are appended to the others.
  void unmask_nearly_identical(std::vector<Job>& jobs, std::span<const Candidate> candidates,
                               std::span<const Sequence> queries, std::vector<Sequence>& subjects,
                               Call& call) const;
  // Removes the marked jobs.
  static void remove(std::vector<Job>& jobs, std::span<const char> marked);
  // Pairs in which no letters' scores change keep their scores, which are worth what they are worth.
  void take_known(std::vector<Job>& jobs, const Prepared& prepared,
                  std::span<std::optional<double>> result) const;
  // What a score unit of the job's pair is worth.
  double worth(const Job& job, const Prepared& prepared) const;
  void leave_out_by_prediction(std::vector<Job>& jobs, const Prepared& prepared, Call& call) const;
  static void sort(std::vector<Job>& jobs, const Prepared& prepared, Call& call);
  // Scores what the call's devices take, and removes it from the jobs, which are sorted. A device that fails
  // is retired, and leaves its jobs to the processor.
  void score_on_devices(std::vector<Job>& jobs, const Prepared& prepared, Call& call,
                        std::span<std::optional<double>> result) const;
  // Marks the jobs that are done, scored or left out by their coarse scores. False if the device has failed.
  bool score_batch(std::span<const Job> jobs, const Prepared& prepared, DeviceScores& devices,
                   std::size_t device, std::span<std::optional<double>> result, std::span<char> done) const;
  // The adjusted score by a second score.
  double adjusted(const Job& job, const Prepared& prepared, std::int32_t score) const;
  bool may_pass_by_coarse(const Job& job, const Prepared& prepared, std::int32_t score) const;
  // The jobs are sorted by query.
  void leave_out_by_coarse_score(std::vector<Job>& jobs, const Prepared& prepared, Call& call) const;
  // Pieces of at most so many jobs of one query each, those of most cells first. The jobs are sorted by
  // query.
  static std::vector<std::span<const Job>> by_query(std::span<const Job> jobs, const Prepared& prepared,
                                                    std::size_t most);
  // A unit of the scoring's integers in those of the second scores.
  std::int32_t factor() const { return adjuster_ ? adjuster_->factor() : 1; }

  const SequenceSet &queries_, &subjects_;
  const Scoring& scoring_;
  const StatisticsOptions options_;
  const bool mask_queries_, mask_subjects_;
  const Residue masked_;                                 // the code of a masked residue
  const std::optional<stats::MatrixAdjuster> adjuster_;  // empty: the stated matrix
  const std::optional<stats::PairScale> scale_;          // empty: scores count in full
  PairAdjustment adjustment_;  // of the adjuster, or to the stated matrix with -1 for masked residues
};

}  // namespace alnus::engine
