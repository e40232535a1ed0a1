// Local scores of pairs, where each pair has a substitution matrix of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "alnus/alphabet.h"
#include "core/stop_flag.h"

namespace alnus {

// A residue of the query and one of the subject, by their places from 0 on.
struct ResiduePair {
  std::size_t query = 0, subject = 0;
};

// A subject, and the scores of its letters with the query's letters. The index of a score is the subject's
// code times kMaxLetters, plus the query's code. Codes that are no letters score below 0.
struct ScoredSubject {
  std::span<const Residue> residues;  // codes without case
  std::span<const std::int32_t, kMaxLetters * kMaxLetters> scores;
  std::span<const ResiduePair> barred{};  // residues that no alignment aligns, sorted by ResiduePair::subject
};

// Scores one query with several subjects. A PairScorer keeps its buffers from call to call, and is for one
// thread at a time.
class PairScorer {
 public:
  virtual ~PairScorer() = default;
  PairScorer() = default;
  PairScorer(const PairScorer&) = delete;
  PairScorer& operator=(const PairScorer&) = delete;

  // How many subjects of about the same length take little longer than one, in local_scores() and in
  // coarse_scores().
  virtual std::size_t side_by_side() const = 0;
  virtual std::size_t side_by_side_coarse() const = 0;

  // Writes into best[k] the highest score of any local alignment of the query with subjects[k]; the empty
  // alignment has score 0. A gap of n residues costs open + n * extend. The query is codes without case.
  // Throws Error(input) if scores may pass 1,000,000,000, and Interrupted when the flag is requested.
  virtual void local_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                            std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                            const StopFlag& stop_flag) = 0;

  // Does what local_scores() does in a third of the time, with scores and costs in the coarse unit of
  // core/coarse_scores.h: letters' scores are rounded, and costs are rounded down. best[k] is in the units of
  // local_scores(), or kUnknownScore if the score is above CoarseScores::highest_known, if a letter's score
  // does not fit, and for subjects of more than 65,536 residues.
  static constexpr std::int32_t kUnknownScore = std::numeric_limits<std::int32_t>::max();
  virtual void coarse_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                             std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                             const StopFlag& stop_flag) = 0;
};

}  // namespace alnus
