// Those values of all pairs that pass a cutoff.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/all_pairs.h"

namespace alnus::engine {

// What of a stripe's values passes, and how much of that is handed over at once.
struct Cutoff {
  PairValue kind = PairValue::identity;
  double threshold = 0;
  std::uint64_t memory_bytes = 8ULL << 30;  // a batch takes at most a sixteenth of it
};

// Hands over the pairs of a stripe that pass the cutoff and, by Stripe::passing, the filter, ordered by row,
// then column. `values`: of the stripe. No batch is empty. Throws Interrupted when `stop` is requested.
void emit_sparse(const AllPairs& pairs, const ValueStripe& values, std::span<const char> passing,
                 const Cutoff& cutoff, const StopFlag& stop,
                 const std::function<void(const SparseValues&)>& emit);

}  // namespace alnus::engine
