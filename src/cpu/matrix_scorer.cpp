#include "cpu/matrix_scorer.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"

namespace alnus::cpu {

std::int32_t MatrixScorer::local_score(std::span<const Residue> query, std::span<const Residue> subject,
                                       const PairScoring& scoring, const StopFlag& stop_flag) {
  if (query.empty() || subject.empty()) return 0;
  const auto [lowest, highest] = std::ranges::minmax(scoring.scores);
  const auto shorter = static_cast<std::int64_t>(std::min(query.size(), subject.size()));
  // Below score 0 there is room for what the kernel takes off it: a gap's costs, or the lowest score.
  const std::int64_t below = std::max<std::int64_t>(
      std::int64_t{scoring.open} + 3 * std::int64_t{scoring.extend}, -std::int64_t{lowest});
  if (std::max(highest, 0) * shorter >= kernels_.wide32.highest || below > -kernels_.wide32.lowest)
    throw Error(ErrorKind::input, "Scores of this pair may pass 1,000,000,000; use smaller scores.");

  StripedJob job;
  job.rules.local = true;
  job.rules.open = scoring.open;
  job.rules.extend = scoring.extend;
  job.want = Want::score;
  job.query = query.data();
  job.rows = static_cast<std::int32_t>(query.size());
  job.subject = subject.data();
  job.columns = job.column_end = static_cast<std::int32_t>(subject.size());
  job.scores = scoring.scores.data();
  job.stop_flag = stop_flag.raw();
  for (const WideKernels* kernels : {&kernels_.wide16, &kernels_.wide32}) {
    const std::int64_t zero = std::min<std::int64_t>(kernels->lowest + below, 0),
                       room = kernels->highest - zero;
    if (room <= highest || below > -kernels->lowest) continue;
    job.rules.zero = static_cast<std::int32_t>(zero);
    job.workspace = workspace_.at_least(kernels->striped_workspace(job.rows));
    job.state = state_.at_least(kernels->striped_state(job.rows));
    job.score = std::numeric_limits<std::int32_t>::min();
    kernels->striped(job);
    stop_flag.throw_if_requested();
    if (job.score < room) break;
  }
  return job.score;
}

}  // namespace alnus::cpu
