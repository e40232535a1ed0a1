#include "cpu/lane_value.h"

#include <algorithm>

#include "alnus/error.h"

namespace alnus::cpu {

void throw_scores_too_large() {
  throw Error(ErrorKind::input, "Scores of this pair may pass 1,000,000,000; use smaller scores.");
}

QueryBounds::QueryBounds(std::span<const Residue> query, const ScoringTables& tables)
    : scoring_(tables.scoring()),
      rows_(static_cast<std::int64_t>(query.size())),
      highest_total_(tables.best_scores().of(query)) {}

bool QueryBounds::fits(const WideKernels& kernels, std::int64_t columns, Rules& rules) const {
  const Scoring& s = scoring_;
  const bool local = s.mode == Mode::local;
  const std::int64_t open = s.open, extend = s.extend;
  const std::int64_t worst = std::min<std::int64_t>(pad_score(s), 0);
  const std::int64_t matches = std::min<std::int64_t>(rows_, columns) * std::max(s.matrix.highest(), 0);
  const std::int64_t highest_score = std::min(highest_total_, matches);

  std::int64_t lowest, highest;
  if (local) {
    // H is at least 0. The worst gap opens from 0, and is extended once before it is compared with others.
    lowest = std::min(worst, -(open + 2 * extend));
    highest = highest_score;
  } else {
    // In the frame of Rules a gap costs `open` alone. H is at least -open on the borders and at least -2 open
    // in every cell. A gap that opens takes off another `open`; a diagonal adds at least `worst`.
    const std::int64_t drift = extend * (rows_ + columns);
    lowest = -3 * open + worst;
    highest = highest_score + drift;
    if (s.free_ends.query_end || s.free_ends.subject_end)
      lowest -= drift;  // scores at ends are compared without the frame
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

const WideKernels& QueryBounds::width_for(const KernelSet& kernels, std::int64_t columns,
                                          Rules& rules) const {
  if (fits(kernels.wide16, columns, rules)) return kernels.wide16;
  if (!fits(kernels.wide32, columns, rules)) throw_scores_too_large();
  return kernels.wide32;
}

}  // namespace alnus::cpu
