#include "cpu/pair_worker.h"

#include <algorithm>

#include "cpu/lane_value.h"

namespace alnus::cpu {

Alignment PairWorker::align(const KernelSet& kernels, std::span<const Residue> query,
                            std::span<const Residue> subject, const Scoring& scoring, Detail detail,
                            const StopFlag& stop_flag) {
  if (query.empty() || subject.empty()) {
    if (!fits_when_empty(scoring, query.size() + subject.size(), kernels.wide32)) throw_scores_too_large();
    return align_reference(query, subject, scoring, detail);
  }
  tables_.prepare(scoring);
  query_codes_.resize(query.size());
  std::ranges::transform(query, query_codes_.begin(), code_of);
  SinglePair pair{.query = query,
                  .subject = subject,
                  .query_codes = query_codes_,
                  .tables = &tables_,
                  .rules = {},
                  .want = want_of(detail)};
  const QueryBounds bounds(query, tables_);
  const WideKernels& width = bounds.width_for(kernels, static_cast<std::int64_t>(subject.size()), pair.rules);
  return *align_striped(pair, width, limits_, buffers_, stop_flag);
}

}  // namespace alnus::cpu
