#include "engine/pair_identities.h"

#include <memory>

#include "core/strands.h"
#include "engine/align_list.h"
#include "engine/identity_range.h"

namespace alnus::engine {

PairIdentities::~PairIdentities() {
  for (const Side* side : {&plus_, &minus_, &columns_})
    for (Device* device : call_.devices)
      if (side->sorted) device->unload(*side->sorted);
}

std::vector<Fraction> PairIdentities::of(std::span<const Pair> pairs, Strand strand, const Scoring& scoring,
                                         Denominator denominator) {
  if (pairs.empty()) return {};
  const Side &is = rows_on(strand), &js = columns();
  std::vector<PositionPair> placed;
  std::vector<std::int32_t> scores;
  for (const Pair& pair : pairs) {
    placed.push_back({is.positions[pair.indices.query], js.positions[pair.indices.subject]});
    scores.push_back(pair.score);
  }
  Scheduler scheduler(call_, is.sorted, js.sorted, {scoring, Detail::score});
  return highest_identities(scheduler, placed, scores, scoring, denominator);
}

const PairIdentities::Side& PairIdentities::rows_on(Strand strand) {
  if (!plus_.sorted) plus_ = side_of(pairs_.rows());
  if (strand == Strand::plus) return plus_;
  if (!minus_.sorted) minus_ = side_of(reverse_complement(pairs_.rows(), call_.progress.stop));
  return minus_;
}

const PairIdentities::Side& PairIdentities::columns() {
  if (pairs_.one_set()) return rows_on(Strand::plus);
  if (!columns_.sorted) columns_ = side_of(pairs_.columns());
  return columns_;
}

PairIdentities::Side PairIdentities::side_of(const SequenceSet& set) const {
  Side side{std::make_shared<const SortedSequences>(set, call_.progress.stop), {}};
  side.positions = positions_of(*side.sorted, call_.progress.stop);
  return side;
}

}  // namespace alnus::engine
