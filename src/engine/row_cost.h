// The seconds that rows of all pairs are expected to take (PairCost).
#pragma once

#include "engine/all_pairs_driver.h"

namespace alnus::engine {

class RowCost {
 public:
  // `left`: the fraction of the pairs that are expected to pass filter and cutoff. Both arguments given by
  // reference must outlive the object.
  RowCost(const AllPairs& pairs, const AllPairsOptions& options, double left);
  double of(SequenceSet::Index row) const;

 private:
  const AllPairs& pairs_;
  const AllPairsOptions& options_;
  const double listed_;
  double columns_length_ = 0;  // mean length of a column's sequence, in residues
};

}  // namespace alnus::engine
