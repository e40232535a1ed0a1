#include "cpu/scoring_tables.h"

#include <algorithm>

namespace alnus::cpu {
namespace {

bool fit_differences(const Scoring& scoring) {
  if (scoring.mode == Mode::local) return false;
  const std::int32_t open = scoring.open, twice = 2 * scoring.extend;
  return 3 * open <= 128 && scoring.matrix.highest() + twice + open <= 127 && scoring.extend <= 127 &&
         pad_score(scoring) + twice >= -128;
}

Range8 range8_of(const Scoring& scoring) {
  // Below `zero` there must be room for the cost of a gap of three residues, further than local8's floor lets
  // values fall, and for the lowest score of two letters. Above the highest known score there must be room
  // for one more match: a score that uses this room may have overflowed.
  const std::int32_t first = scoring.open + scoring.extend;
  const std::int32_t room_below = std::max(first + 2 * scoring.extend, -pad_score(scoring));
  Range8 range;
  range.zero = -128 + room_below;
  range.highest_known = 127 - range.zero - scoring.extend - std::max(scoring.matrix.highest(), 0);
  range.lowest_known = first + 1;
  constexpr std::int32_t kWorthwhile = 64;  // fewest scores that 8 bits must tell apart
  range.usable = room_below < 128 && scoring.matrix.highest() < 128 &&
                 range.highest_known - range.lowest_known >= kWorthwhile;
  return range;
}

}  // namespace

void ScoringTables::prepare(const Scoring& scoring) {
  if (scoring_ == scoring) return;
  scoring_ = scoring;
  best_scores_.emplace(scoring.matrix);
  range8_ = range8_of(scoring);
  differences_fit_ = fit_differences(scoring);
  const int letters = Alphabet::of(scoring.matrix.alphabet()).size();
  const std::int32_t pad = pad_score(scoring);
  best_of_letter_ = {};
  for (int q = 0; q < kLetters; ++q) {
    for (int s = 0; s < kLetters; ++s) {
      const std::int32_t value = q < letters && s < letters
                                     ? scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s))
                                     : pad;
      scores32_[q * kLetters + s] = value;
      scores8_[q * kLetters + s] = static_cast<std::int8_t>(value);
      best_of_letter_[s] = std::max(best_of_letter_[s], value);
    }
  }
}

}  // namespace alnus::cpu
