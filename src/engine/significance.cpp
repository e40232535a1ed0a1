#include "engine/significance.h"

#include <cmath>

namespace alnus::engine {

Significance significance_of(const stats::ScoreJudge* judge, std::int32_t score,
                             const std::optional<double>& adjusted, std::size_t subject_length,
                             const Scoring& scoring) {
  if (judge == nullptr || subject_length == 0) return {};
  Significance result = judge->of(adjusted.value_or(score), subject_length);
  if (adjusted) result.adjusted_score = *adjusted / scoring.scale;
  return result;
}

std::vector<Significance> shuffled_significance(const SequenceSet& queries, const SequenceSet& subjects,
                                                std::span<const IndexPair> pairs,
                                                std::span<const std::int32_t> scores, const Scoring& scoring,
                                                const ResolvedStatistics& options, CallState& call) {
  std::vector<Significance> result;
  result.reserve(pairs.size());
  for (const ZValue& value :
       z_values(queries, subjects, pairs, scores, scoring, options.shuffles, options.memory_bytes, call)) {
    Significance& found = result.emplace_back();
    found.zscore = value.z;
    found.zscore_se = value.standard_error;
    found.zfit = value.goodness;
    if (value.log_p && options.space.sequences > 0)
      found.evalue = options.space.strands * options.space.sequences * std::exp(*value.log_p);
  }
  return result;
}

std::uint64_t significance_bytes(const ResolvedStatistics& options, std::uint64_t memory_bytes) {
  return options.method == StatisticsMethod::zvalue ? shuffle_bytes(memory_bytes) : 0;
}

}  // namespace alnus::engine
