// Sparse values of all pairs: the lowest score that passes a cutoff, and batches of the values that pass.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/all_pairs_driver.h"

namespace alnus::engine {

// Returns the lowest score, in units of 1/scale, whose value passes the cutoff; the highest int32 if
// none does. The cutoff must be of scores or score distances. `self_score`: the lower self score of the pair,
// for score distances; neither sequence may be blank. For many pairs give the lowest of their self scores:
// the result is then low enough for each pair.
std::int32_t lowest_passing(const Cutoff& cutoff, const Scoring& scoring, std::int32_t self_score);

// Hands a stripe's sparse values to `emit` in their order, in batches of at most memory_bytes / 16 bytes (but
// at least one value). No batch is empty. Throws Interrupted when `stop` is requested.
void emit_sparse(std::span<const SparseValue> values, std::uint64_t memory_bytes, const StopFlag& stop,
                 const std::function<void(const SparseValues&)>& emit);

}  // namespace alnus::engine
