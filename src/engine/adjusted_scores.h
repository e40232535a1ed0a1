// Adjusted scores, from which E-values are computed. They follow from second scores. A pair of proteins gets
// its second score under a matrix adjusted to the compositions of both sequences (stats/adjusted_matrix.h),
// with the subject's regions of low complexity masked. A pair of nucleotides gets a second score only if its
// query has regions of low complexity, which are then masked; its score, first or second, is scaled by both
// compositions (stats/pair_scale.h). ResolvedStatistics::composition chooses adjusting and scaling,
// low_complexity chooses masking.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "core/region.h"
#include "engine/call_state.h"
#include "engine/device_scores.h"
#include "engine/resolved_statistics.h"
#include "stats/adjusted_matrix.h"
#include "stats/evalue.h"
#include "stats/pair_scale.h"

namespace alnus::engine {

// If matrices are adjusted, a pair gets an exact second score only if its E-value passes three tests, where
// `limit` is the largest E-value of a hit:
// - by the unadjusted score it is at most kCandidateFactor times widened(limit);
// - by the score predicted from both compositions (stats::MatrixAdjuster::predicted_scale) it is at most
//   kPredictedFactor times widened(limit);
// - by the coarse second score, which is in a larger unit (core/coarse_scores.h), it is at most
//   kCoarseFactor times the limit itself.
// If no matrix is adjusted, the first test has the limit itself, there is no second test, and the third one
// stays. docs/results/statistics.md has the share of hits that these tests lose.
inline constexpr double kCandidateFactor = 150, kPredictedFactor = 28, kCoarseFactor = 2;

// A pair is nearly identical if its score is at least this fraction of the lower self score of its two
// sequences: about 93 residues of 100 are the same. The subjects of such pairs are not masked, as in blastp.
inline constexpr double kNearlyIdentical = 0.9;

// Raises a limit on E-values that is below 10, and returns any other limit as it is. Adjustment changes bit
// scores in proportion, so that high scores, which alone pass low limits, change most.
inline double widened(double limit) {
  constexpr double kWeak = 10, kPower = 0.7;
  return limit >= kWeak ? limit : kWeak * std::pow(limit / kWeak, kPower);
}

// Returns the largest unadjusted E-value with which a pair may still be a hit at `limit`. Masks and scales
// only lower scores, so that `limit` itself decides; a matrix adjusted to the pair may raise its score.
inline double candidate_evalue(const ResolvedStatistics& options, const Scoring& scoring, double limit) {
  const bool may_rise = options.adjusts() && options.composition == Composition::adjust &&
                        scoring.matrix.alphabet() == AlphabetKind::protein;
  return may_rise ? kCandidateFactor * widened(limit) : limit;
}

class AdjustedScores {
 public:
  // `options.adjusts()` must be true; with Composition::adjust the matrix must suit stats::MatrixAdjuster or
  // stats::PairScale. The two sets and the scoring must outlive the object.
  AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                 const ResolvedStatistics& options);

  struct Candidate {
    IndexPair pair;
    std::int32_t score = 0;  // by the scoring's stated (unadjusted) matrix, in units of 1/scale
    const stats::ScoreJudge* judge = nullptr;  // null: the pair is scored whatever its E-value
  };
  // Returns the adjusted score of each candidate, in units of 1/scale; nullopt if the candidate has a judge
  // and a test above (kCandidateFactor and the others) finds its E-value too large for `limit`. Works on the
  // threads of the call. Throws Interrupted when the call's stop is requested.
  std::vector<std::optional<double>> of(std::span<const Candidate> candidates, double limit,
                                        CallState& call) const;

  // A rectangle of a pair's dynamic programming matrix: that of one of its alignments.
  struct Part {
    IndexPair pair;
    std::int32_t best = 0;   // score of the pair, as Candidate::score
    std::int32_t score = 0;  // score of the alignment, in the same units
    Region query{}, subject{};
    // Returns what the alignments of the pair before this one align within the rectangle, as places in the
    // whole sequences, sorted by ResiduePair::subject. Any thread may call it. Empty: nothing is barred.
    std::function<std::vector<ResiduePair>()> barred{};
  };
  // Returns the adjusted score of each part: as of() computes that of its pair, by the same matrix and masks,
  // but of the local alignments within the rectangle that align nothing which is barred. It is at most that
  // of the pair. Works on the CPU.
  std::vector<double> within(std::span<const Part> parts, CallState& call) const;

 private:
  struct Sequence;
  struct Sequences;
  struct Rescoring;
  struct Prepared;
  // True if the candidate's E-value with this score is at most `limit`, or if the candidate has no E-value:
  // no judge, or an empty subject.
  bool may_pass(const Candidate& candidate, double score, double limit) const;
  // Prepares sequences for scoring: codes without case, self scores and compositions; `masked`: with their
  // regions of low complexity masked.
  Sequence prepared(std::span<const Residue> residues, bool masked, const StopFlag& stop) const;
  std::vector<Region> low_complexity(std::span<const Residue> residues, const StopFlag& stop) const;
  std::vector<Sequence> prepared(const SequenceSet& set, std::span<const SequenceSet::Index> sequences,
                                 bool masked, CallState& call) const;
  // Returns the numbers of the candidates whose unadjusted E-value passes the first test.
  std::vector<std::uint32_t> kept_numbers(std::span<const Candidate> candidates, double limit,
                                          CallState& call) const;
  // Prepares the sequences of the candidates whose numbers are in `kept`, and returns a rescoring of each, in
  // that order.
  std::vector<Rescoring> rescorings_of(std::span<const Candidate> candidates,
                                       std::span<const std::uint32_t> kept, Sequences& sequences,
                                       CallState& call) const;
  void score(std::span<const Candidate> candidates, double limit, CallState& call,
             std::span<std::optional<double>> result) const;
  // Scores some rescorings of one query together on the CPU, each with its subject's matrix, by this function
  // of a PairScorer.
  std::vector<std::int32_t> side_by_side(std::span<const Rescoring> rescorings, const Prepared& prepared,
                                         decltype(&PairScorer::local_scores) score, CallState& call) const;
  // Scores the rectangle of a part, which a rescoring names, by its pair's matrix: that of matrices_of().
  std::int32_t score_within(const Part& part, const Rescoring& rescoring, const Prepared& prepared,
                            std::span<const PairScores> matrix, PairScorer& scorer,
                            const StopFlag& stop) const;
  // Returns the matrices of the pairs of some rescorings of one query; none if matrices are not adjusted.
  std::vector<PairScores> matrices_of(std::span<const Rescoring> rescorings, const Prepared& prepared) const;
  // Nearly identical pairs (kNearlyIdentical) are no chance hits, whatever their letters. Appends unmasked
  // copies of their subjects to `subjects`, and makes their rescorings use the copies.
  void unmask_nearly_identical(std::vector<Rescoring>& rescorings, std::span<const Candidate> candidates,
                               std::span<const Sequence> queries, std::vector<Sequence>& subjects,
                               CallState& call) const;
  // Removes the rescorings with a non-zero mark; there is one mark for each rescoring.
  static void remove(std::vector<Rescoring>& rescorings, std::span<const char> marked);
  // Finishes and removes rescorings that need no second score: without an adjuster and without masked
  // subjects, a pair whose query has nothing masked keeps its score, times worth().
  void take_known(std::vector<Rescoring>& rescorings, const Prepared& prepared,
                  std::span<std::optional<double>> result) const;
  // The factor, 0 to 1, that scales the second score of the pair (stats::PairScale::worth); 1 without scale_.
  double worth(const Rescoring& rescoring, const Prepared& prepared) const;
  // Removes the rescorings that fail the test by the predicted score.
  void leave_out_by_prediction(std::vector<Rescoring>& rescorings, const Prepared& prepared,
                               CallState& call) const;
  // Sorts rescorings by query, and the rescorings of one query by decreasing length of their subjects.
  static void sort(std::vector<Rescoring>& rescorings, const Prepared& prepared, CallState& call);
  // Scores on the call's GPUs the rescorings that they take (DeviceScores::takes), or drops them by their
  // coarse scores, and removes both kinds from `rescorings`, which sort() must have sorted. A GPU that fails
  // leaves its rescorings to the CPU.
  void score_on_devices(std::vector<Rescoring>& rescorings, const Prepared& prepared, CallState& call,
                        std::span<std::optional<double>> result) const;
  // Scores rescorings on device number `device`. Sets done[k] for each rescoring that was scored, or dropped
  // by its coarse score. Returns false if the device has failed.
  bool score_batch(std::span<const Rescoring> rescorings, const Prepared& prepared, DeviceScores& devices,
                   std::size_t device, std::span<std::optional<double>> result, std::span<char> done) const;
  // Converts a second score to the adjusted score in units of 1/scale, scaled by worth().
  double adjusted(const Rescoring& rescoring, const Prepared& prepared, std::int32_t score) const;
  // True if a pair with this coarse second score passes the third test, or if the score is unknown
  // (PairScorer::kUnknownScore).
  bool may_pass_by_coarse(const Rescoring& rescoring, const Prepared& prepared, std::int32_t score) const;
  // Removes the rescorings that fail the test by the coarse second score. `rescorings` must be sorted by
  // query.
  void leave_out_by_coarse_score(std::vector<Rescoring>& rescorings, const Prepared& prepared,
                                 CallState& call) const;
  // Cuts the rescorings, which must be sorted by query, into pieces of one query and at most `most`
  // rescorings each. The pieces with the most cells come first.
  static std::vector<std::span<const Rescoring>> by_query(std::span<const Rescoring> rescorings,
                                                          const Prepared& prepared, std::size_t most);
  // How many units of a second score make one unit of 1/scale, in which first scores are. It is above 1 only
  // for matrices that are adjusted, because their scores are finer (MatrixAdjuster::factor()).
  std::int32_t factor() const { return adjuster_ ? adjuster_->factor() : 1; }

  const SequenceSet &queries_, &subjects_;
  const Scoring& scoring_;
  const ResolvedStatistics options_;
  const bool mask_queries_, mask_subjects_;
  const Residue masked_;                                 // the code of a masked residue
  const std::optional<stats::MatrixAdjuster> adjuster_;  // empty: pairs keep the stated matrix
  const std::optional<stats::PairScale> scale_;          // empty: scores are not scaled
  PairAdjustment adjustment_;  // from adjuster_; or the stated matrix, where masked residues score -1
};

}  // namespace alnus::engine
