// Local scores of pairs, each under a matrix of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "alnus/alphabet.h"
#include "core/stop_flag.h"

namespace alnus {

// A subject, and the scores of its letters with those of the query: by code, the subject's letter times
// kMaxLetters, plus the query's. Codes that are no letters score less than 0.
struct ScoredSubject {
  std::span<const Residue> residues;  // codes without case
  std::span<const std::int32_t, kMaxLetters * kMaxLetters> scores;
};

// Keeps its buffers from call to call; for one thread at a time.
class PairScorer {
 public:
  virtual ~PairScorer() = default;
  PairScorer() = default;
  PairScorer(const PairScorer&) = delete;
  PairScorer& operator=(const PairScorer&) = delete;

  // So many subjects of like length take little longer than one.
  virtual std::size_t side_by_side() const = 0;
  virtual std::size_t side_by_side_coarse() const = 0;

  // Writes into best[k] the highest score of any local alignment of the query with subjects[k], 0 for the
  // empty one. A gap of n residues costs open + n * extend. The query is codes without case. Throws
  // Error(input) if scores may pass 1,000,000,000, Interrupted when the flag is requested.
  virtual void local_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                            std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                            const StopFlag& stop_flag) = 0;

  // The same in a third of the time, by scores and costs in a coarse unit, a 16th or more of open + 3 extend:
  // the letters' scores are rounded, costs are rounded down. kUnknownScore where the score, or one of the
  // letters' scores, is too high to tell, and for subjects of more than 65,536 residues.
  static constexpr std::int32_t kUnknownScore = std::numeric_limits<std::int32_t>::max();
  virtual void coarse_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                             std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                             const StopFlag& stop_flag) = 0;
};

}  // namespace alnus
