#include "cpu/lane_value.h"

#include <algorithm>

#include "core/best_scores.h"

namespace alnus::cpu {

QueryBounds::QueryBounds(std::span<const Residue> query, const Scoring& scoring)
    : scoring_(scoring),
      rows_(static_cast<std::int64_t>(query.size())),
      highest_total_(BestScores(scoring.matrix).of(query)) {}

bool QueryBounds::fits(const WideKernels& kernels, std::int64_t columns, Rules& rules) const {
  const Scoring& s = scoring_;
  const bool local = s.mode == Mode::local;
  const std::int64_t open = s.open, extend = s.extend;
  const std::int64_t worst = std::min<std::int64_t>(pad_score(s), 0);
  const std::int64_t matches = std::min<std::int64_t>(rows_, columns) * std::max(s.matrix.highest(), 0);
  const std::int64_t highest_score = std::min(highest_total_, matches);

  std::int64_t lowest, highest;
  if (local) {
    // H >= 0; gaps open at worst from 0 and are extended once before they are compared.
    lowest = std::min(worst, -(open + 2 * extend));
    highest = highest_score;
  } else {
    // In the frame of Rules gaps cost `open` alone: the borders hold at least -open, every cell at least
    // that less open, and openings and diagonals are computed from there.
    const std::int64_t drift = extend * (rows_ + columns);
    lowest = -3 * open + worst;
    highest = highest_score + drift;
    if (s.free_ends.query_end || s.free_ends.subject_end)
      lowest -= drift;  // ends are compared out of the frame
  }
  rules.local = local;
  if (!local) {
    rules.free_query_begin = s.free_ends.query_begin;
    rules.free_query_end = s.free_ends.query_end;
    rules.free_subject_begin = s.free_ends.subject_begin;
    rules.free_subject_end = s.free_ends.subject_end;
  }
  rules.open = s.open;
  rules.extend = s.extend;
  if (highest - lowest > kernels.highest - kernels.lowest) return false;
  if (std::max(rows_, columns) > kernels.longest) return false;
  rules.zero = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(0, kernels.lowest - lowest, kernels.highest - highest));
  return true;
}

bool differences_fit(const Scoring& scoring) {
  if (scoring.mode == Mode::local) return false;
  const std::int32_t open = scoring.open, twice = 2 * scoring.extend;
  return 3 * open <= 128 && scoring.matrix.highest() + twice + open <= 127 && scoring.extend <= 127 &&
         pad_score(scoring) + twice >= -128;
}

Range8 range8(const Scoring& scoring) {
  // Below `zero` there must be room for two gap costs and for the worst score; above the highest known
  // score for one more match, which then shows that more would not have fitted.
  const std::int32_t first = scoring.open + scoring.extend;
  const std::int32_t room_below = std::max(first + 2 * scoring.extend, -pad_score(scoring));
  Range8 range;
  range.zero = -128 + room_below;
  range.highest_known = 127 - range.zero - scoring.extend - std::max(scoring.matrix.highest(), 0);
  range.lowest_known = first + 1;
  constexpr std::int32_t kWorthwhile = 64;  // of values that tell scores apart
  range.usable = room_below < 128 && scoring.matrix.highest() < 128 &&
                 range.highest_known - range.lowest_known >= kWorthwhile;
  return range;
}

}  // namespace alnus::cpu
