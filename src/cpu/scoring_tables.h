// What the CPU's kernels take of a scoring, made once for many pairs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "alnus/scoring.h"
#include "core/best_scores.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// The 8-bit kernel's numbers for a scoring.
struct Range8 {
  bool usable = false;
  std::int32_t zero = 0;
  std::int32_t highest_known = 0;  // higher scores may have overflowed
  std::int32_t lowest_known = 0;   // lower ones are not told apart
};

class ScoringTables {
 public:
  // Makes the tables; nothing if they are those of an equal scoring already.
  void prepare(const Scoring& scoring);

  // The tables of the scoring that was prepared last.
  const Scoring& scoring() const { return *scoring_; }
  const std::int32_t* scores32() const {
    return scores32_.data();
  }                                                               // [kLetters][kLetters], query letter first
  const std::int8_t* scores8() const { return scores8_.data(); }  // the same
  // The best score of a subject's letter with any letter of a query; 0 where that is less.
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

// What the padding letter scores: bad enough never to improve an alignment, mild enough never to wrap.
inline std::int32_t pad_score(const Scoring& scoring) {
  return scoring.matrix.lowest() < -1 ? scoring.matrix.lowest() : -1;
}

}  // namespace alnus::cpu
