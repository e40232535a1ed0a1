// Adjusted scores, from which E-values are computed. They follow from second scores. A pair of proteins gets
// its second score under a matrix adjusted to the compositions of both sequences (stats/adjusted_matrix.h),
// with the subject's regions of low complexity masked. A pair of nucleotides gets a second score only if its
// query has regions of low complexity, which are then masked; its score, first or second, is scaled by both
// compositions (stats/pair_scale.h). ResolvedStatistics::composition chooses adjusting and scaling,
// low_complexity chooses masking.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "core/pair_scorer.h"
#include "core/region.h"
#include "engine/call_state.h"
#include "engine/kept_sequences.h"
#include "engine/prepared_sequences.h"
#include "engine/resolved_statistics.h"
#include "stats/adjusted_matrix.h"
#include "stats/evalue.h"

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

// Returns the largest E-value of the second test.
inline double predicted_evalue(double limit) { return kPredictedFactor * widened(limit); }

// True if the pair's subject, which was prepared with masks, is to be replaced by an unmasked one, because
// the pair is nearly identical: such pairs are no chance hits, whatever their letters. `score`: its
// unadjusted score.
bool must_unmask(const PreparedSequence& query, const PreparedSequence& subject, std::int32_t score);

// True if the E-value of this score, which may have fractions of a unit, is at most `limit`, or if there is
// none. `length`: of the subject, above 0.
inline bool evalue_may_pass(const stats::ScoreJudge& judge, double score, std::size_t length, double limit) {
  return judge.of(score, length).evalue <= limit;
}

// Raises the scores in `lowest`, by query, to the lowest score of a pair that may be a hit at `limit` with
// some subject. `judges`: by query; without one the score stays. Throws Interrupted.
void raise_to_candidates(const SequenceSet& queries, const SequenceSet& subjects,
                         std::span<const stats::ScoreJudgePtr> judges, const ResolvedStatistics& options,
                         const Scoring& scoring, double limit, const StopFlag& stop,
                         std::span<std::int32_t> lowest);

class AdjustedScores {
 public:
  // `options.adjusts()` must be true; with Composition::adjust the matrix must suit stats::MatrixAdjuster or
  // stats::PairScale. `kept`: if not null, the call keeps the prepared sequences of the two sets there. It,
  // the two sets and the scoring must outlive the object.
  AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                 const ResolvedStatistics& options, const KeptSequences* kept = nullptr);

  struct Candidate {
    IndexPair pair;
    std::int32_t score = 0;  // by the scoring's stated (unadjusted) matrix, in units of 1/scale
    const stats::ScoreJudge* judge = nullptr;  // null: the pair is scored whatever its E-value
  };
  // Which of the tests above are still to be made: all, or only the last one, because all candidates have
  // passed the others.
  enum class Tests : std::uint8_t { all, last };
  // Returns the adjusted score of each candidate, in units of 1/scale; nullopt if the candidate has a judge
  // and a test above (kCandidateFactor and the others) finds its E-value too large for `limit`. Works on the
  // threads of the call. Throws Interrupted when the call's stop is requested.
  std::vector<std::optional<double>> of(std::span<const Candidate> candidates, double limit, CallState& call,
                                        Tests tests = Tests::all) const;

  // Returns a factor for each candidate: an unadjusted score of the pair, times the factor, is the score
  // that the second test above predicts. Returns nothing if no matrix is adjusted, so that there is no second
  // test. Judges do not matter. Throws Interrupted.
  std::vector<double> predicted_scales(std::span<const Candidate> candidates, CallState& call) const;

  // A rectangle of a pair's dynamic programming matrix: that of one of its alignments.
  struct Part {
    IndexPair pair;
    std::int32_t best = 0;   // score of the pair, as Candidate::score
    std::int32_t score = 0;  // score of the alignment, in the same units
    Region query{}, subject{};
    // Returns the pairs of residues within the rectangle that earlier alignments of the pair align on this
    // strand, as places in the whole sequences, sorted by ResiduePair::subject. Any thread may call it.
    // Empty: nothing is barred.
    std::function<std::vector<ResiduePair>()> barred{};
  };
  // Returns the adjusted score of each part: as of() computes that of its pair, by the same matrix and masks,
  // but of the local alignments within the rectangle that align nothing which is barred. It is at most that
  // of the pair. Works on the CPU.
  std::vector<double> within(std::span<const Part> parts, CallState& call) const;

 private:
  class Group;

  const std::optional<stats::MatrixAdjuster>& adjuster() const { return preparer_.adjuster(); }

  const SequenceSet &queries_, &subjects_;
  const Scoring& scoring_;
  const ResolvedStatistics options_;
  const SequencePreparer preparer_;
  const KeptSequences* const kept_;
  PairAdjustment adjustment_;  // from adjuster(); or the stated matrix, where masked residues score -1
};

}  // namespace alnus::engine
