// Sparse values of all pairs: which scores pass a cutoff, and batches of those that do.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/all_pairs.h"

namespace alnus::engine {

// The lowest score whose value passes the cutoff, which is of scores or of score distances; the highest
// number if none does. `self_score`: the lower one of both sequences' scores with themselves, for score
// distances. Of many pairs give the lowest of all: the result then is low enough for each of them.
std::int32_t lowest_passing(const Cutoff& cutoff, const Scoring& scoring, std::int32_t self_score);

// Hands over a stripe's sparse values in their order. A batch takes at most a sixteenth of the memory, and
// none is empty. Throws Interrupted when `stop` is requested.
void emit_sparse(std::span<const SparseValue> values, std::uint64_t memory_bytes, const StopFlag& stop,
                 const std::function<void(const SparseValues&)>& emit);

}  // namespace alnus::engine
