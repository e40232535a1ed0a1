// The tables that the CPU's kernels need of a scoring, made once for many pairs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "alnus/scoring.h"
#include "core/best_scores.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// The range of scores that local8 can tell, for a scoring.
struct Range8 {
  bool usable = false;             // true if local8 can be used with the scoring
  std::int32_t zero = 0;           // the byte that stands for score 0
  std::int32_t highest_known = 0;  // higher scores may have overflowed
  std::int32_t lowest_known = 0;   // lower scores are not told apart
};

class ScoringTables {
 public:
  // Makes the tables of a scoring. Does nothing if the last scoring is equal.
  void prepare(const Scoring& scoring);

  // The tables of the scoring that was prepared last.
  const Scoring& scoring() const { return *scoring_; }
  // The scores of two letters, [kLetters][kLetters], query letter first.
  const std::int32_t* scores32() const { return scores32_.data(); }
  // The same scores in 8 bits; only if range8().usable.
  const std::int8_t* scores8() const { return scores8_.data(); }
  // Returns the best score of a subject's letter with any letter, or 0 if that is negative.
  std::int32_t best_of_letter(std::uint8_t letter) const { return best_of_letter_[letter]; }
  const BestScores& best_scores() const { return *best_scores_; }
  const Range8& range8() const { return range8_; }
  // True if the differences of differences.h fit 8-bit lanes.
  bool differences_fit() const { return differences_fit_; }

 private:
  std::optional<Scoring> scoring_;
  std::array<std::int32_t, kLetters * kLetters> scores32_{};
  std::array<std::int8_t, kLetters * kLetters> scores8_{};
  std::array<std::int32_t, kLetters> best_of_letter_{};
  std::optional<BestScores> best_scores_;
  Range8 range8_;
  bool differences_fit_ = false;
};

// Returns the score of the padding letter with any letter. It is negative, so that no alignment gains by
// padding, and not below the matrix' lowest score (or -1), so that no lane wraps.
inline std::int32_t pad_score(const Scoring& scoring) {
  return scoring.matrix.lowest() < -1 ? scoring.matrix.lowest() : -1;
}

}  // namespace alnus::cpu
