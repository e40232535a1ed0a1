// Sequences of one set or of two that are equal, or of which one is a piece of the other. Upper and lower
// case are the same, and sequences without residues match none.
#pragma once

#include <optional>
#include <vector>

#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"

namespace alnus {

// For each sequence of a set the index of the first one that is equal to it, which may be its own. Throws
// Interrupted when `stop` is requested.
std::vector<SequenceSet::Index> first_equals(const SequenceSet& set, const StopFlag& stop);

// The pairs of equal sequences, ordered by query, then subject. Throws Interrupted when `stop` is requested.
std::vector<IndexPair> equal_pairs(const SequenceSet& queries, const SequenceSet& subjects,
                                   const StopFlag& stop);

// For each of `pieces` the first of `wholes` that is longer and contains all its residues in one run; empty
// if there is none. The pieces are found by hashes of their first 2^k residues, with the largest k for which
// they have so many, while a window of as many residues runs over each whole. The time is that of as many
// passes over the wholes as there are different k, and of reading each place that begins like a piece. Works
// on the threads of `pool`. Throws Interrupted when `stop` is requested.
std::vector<std::optional<SequenceSet::Index>> first_containers(const SequenceSet& pieces,
                                                                const SequenceSet& wholes, ThreadPool& pool,
                                                                const StopFlag& stop);

}  // namespace alnus
