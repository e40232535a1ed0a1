#include "engine/row_cost.h"

#include <algorithm>

namespace alnus::engine {

RowCost::RowCost(const AllPairs& pairs, const AllPairsOptions& options, double left)
    : pairs_(pairs), options_(options), listed_(options.listed_share(left)) {
  const SequenceSet& columns = pairs.columns();
  if (!columns.empty()) columns_length_ = static_cast<double>(columns.total_residues()) / columns.size();
}

double RowCost::of(SequenceSet::Index row) const {
  const PairCost& cost = options_.cost;
  const double pairs = pairs_.columns_of(row).size();
  const double cells = static_cast<double>(pairs_.rows().length(row)) * columns_length_;  // of a pair
  double left = listed_ * pairs;
  if (options_.nearest) left = std::max(left, std::min<double>(options_.nearest->count, pairs));
  return pairs * (cells * cost.cell + cost.pair) + left * (cells * cost.cell_if_left + cost.if_left);
}

SlowRows slow_rows(const AllPairs& pairs, const AllPairsOptions& options, SequenceSet::Index first_row) {
  const RowCost cost(pairs, options, StripeState{}.left);
  SlowRows slow;
  for (SequenceSet::Index row = first_row; row < pairs.block().rows.end; ++row)
    if (cost.of(row) > kMostRowSeconds && slow.count++ == 0) slow.first = row;
  return slow;
}

}  // namespace alnus::engine
