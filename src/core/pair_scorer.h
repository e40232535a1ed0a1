// Local scores of single pairs, each under a matrix of its own.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/alphabet.h"
#include "core/stop_flag.h"

namespace alnus {

// The scores of one pair's letters, and its gap costs: a gap of k residues costs open + k * extend.
struct PairScoring {
  // By code: the query's letter times kMaxLetters, plus the subject's. Codes that are no letters score less
  // than 0.
  std::span<const std::int32_t, kMaxLetters * kMaxLetters> scores;
  std::int32_t open = 0, extend = 0;
};

// Keeps its buffers from pair to pair; for one thread at a time.
class PairScorer {
 public:
  virtual ~PairScorer() = default;
  PairScorer() = default;
  PairScorer(const PairScorer&) = delete;
  PairScorer& operator=(const PairScorer&) = delete;

  // The highest score of any local alignment, 0 for the empty one. The sequences are codes without case.
  // Throws Error(input) if scores may pass 1,000,000,000, Interrupted when the flag is requested.
  virtual std::int32_t local_score(std::span<const Residue> query, std::span<const Residue> subject,
                                   const PairScoring& scoring, const StopFlag& stop_flag) = 0;
};

}  // namespace alnus
