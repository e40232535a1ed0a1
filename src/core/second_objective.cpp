// The recurrence of reference.cpp over pairs of numbers in lexicographic order. Adding the same pair to two
// pairs does not change which of them is larger, so that the maximum of sums is found in the same way as with
// scores alone.
#include "core/second_objective.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace alnus {
namespace {

BothObjectives operator+(const BothObjectives& a, const BothObjectives& b) {
  return {a.score + b.score, a.second + b.second};
}

}  // namespace

BothObjectives best_of_both(std::span<const Residue> query, std::span<const Residue> subject,
                            const Scoring& scoring, const SecondObjective& second,
                            const StopFlag& stop_flag) {
  const std::size_t m = query.size(), n = subject.size();
  const bool local = scoring.mode == Mode::local;
  const FreeEnds& free = scoring.free_ends;
  const BothObjectives none{std::numeric_limits<std::int64_t>::min() / 2, 0};
  const BothObjectives extend{-std::int64_t{scoring.extend}, second.gap};
  const BothObjectives first{extend.score - scoring.open, second.gap};

  std::vector<BothObjectives> H(m + 1), E(m + 1);  // rows already computed: column j; others: column j - 1
  BothObjectives best = local ? BothObjectives{} : none;
  for (std::size_t j = 0; j <= n; ++j) {
    stop_flag.throw_if_requested();
    BothObjectives diagonal, F = none;
    for (std::size_t i = 0; i <= m; ++i) {
      const BothObjectives left = H[i];
      if (i == 0 || j == 0) {
        const bool at_no_cost = local || (j == 0 ? free.query_begin : free.subject_begin);
        const auto length = static_cast<std::int64_t>(i + j);
        H[i] = length == 0 ? BothObjectives{}
                           : BothObjectives{-scoring.open - length * scoring.extend, length * second.gap};
        // If gaps cost nothing, the residues of a free end may also stand in a gap, with the same score.
        if (at_no_cost) H[i] = std::max(H[i], BothObjectives{});
        E[i] = F = none;
      } else {
        const Residue q = query[i - 1], s = subject[j - 1];
        const bool equal = (q & kCodeMask) == (s & kCodeMask);
        E[i] = std::max(left + first, E[i] + extend);
        F = std::max(H[i - 1] + first, F + extend);
        const BothObjectives aligned{scoring.matrix.value(q, s), equal ? second.equal : second.different};
        H[i] = std::max({diagonal + aligned, E[i], F});
        if (local) H[i] = std::max(H[i], BothObjectives{});
      }
      diagonal = left;
      const bool may_end =
          local || (i == m && j == n) || (i == m && free.subject_end) || (j == n && free.query_end);
      if (may_end) best = std::max(best, H[i]);
    }
  }
  return best;
}

}  // namespace alnus
