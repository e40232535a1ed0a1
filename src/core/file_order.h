// Sequences in the order of the files that they came from.
#pragma once

#include <span>

#include "alnus/sequence_set.h"
#include "core/stop_flag.h"

namespace alnus {

// The same as SequenceSet::in_file_order(), but throws Interrupted when `stop` is requested.
SequenceSet in_file_order(const SequenceSet& set, const StopFlag& stop);

// A copy of the sequences of all sets, set after set, each in the order of its file. There must be at least
// one set, and all must have one alphabet. The copy's origin is that of the first set. Throws Error(input) if
// the sequences are too many for one set, and Interrupted when `stop` is requested.
SequenceSet joined_in_file_order(std::span<const SequenceSet> sets, const StopFlag& stop);

}  // namespace alnus
