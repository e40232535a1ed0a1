#include "engine/significance.h"

#include <cmath>

namespace alnus::engine {

std::vector<Significance> shuffled_significance(const SequenceSet& queries, const SequenceSet& subjects,
                                                std::span<const IndexPair> pairs,
                                                std::span<const std::int32_t> scores, const Scoring& scoring,
                                                const StatisticsOptions& options, Call& call) {
  std::vector<Significance> result;
  result.reserve(pairs.size());
  for (const ZValue& value :
       z_values(queries, subjects, pairs, scores, scoring, options.shuffles, options.memory_bytes, call)) {
    Significance& found = result.emplace_back();
    found.zscore = value.z;
    found.zscore_se = value.standard_error;
    found.fit = value.goodness;
    if (value.log_p && options.space.sequences > 0)
      found.evalue = options.space.sequences * std::exp(*value.log_p);
  }
  return result;
}

}  // namespace alnus::engine
