// The pairs of a stripe whose values pass a threshold.
#pragma once

#include <cstddef>
#include <span>

#include "alnus/results.h"
#include "core/pair_value.h"

namespace alnus {

// Calls take(column, value) for those pairs of a stripe's row, in order, that come before column `end` and
// pass. `wanted`: for each of the stripe's values, 0 where the pair does not pass whatever its value; empty:
// there are none such.
template <class Take>
void for_each_passing(const ValueStripe& stripe, SequenceSet::Index row, SequenceSet::Index end,
                      std::span<const char> wanted, PairValue kind, double threshold, const Take& take) {
  const std::span<const double> values = stripe.row(row);
  const auto before = static_cast<std::size_t>(values.data() - stripe.values.data());
  for (SequenceSet::Index column = stripe.columns.begin; column < end; ++column) {
    const std::size_t place = column - stripe.columns.begin;
    if (passes(kind, values[place], threshold) && (wanted.empty() || wanted[before + place] != 0))
      take(column, values[place]);
  }
}

}  // namespace alnus
