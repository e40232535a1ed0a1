// Which sequence of a pair is aligned as the query, where the caller leaves that open.
#pragma once

#include <vector>

#include "alnus/sequence_set.h"
#include "core/index_spaces.h"
#include "core/stop_flag.h"

namespace alnus::engine {

// Returns the ranks of the sequences of `rows`, by index, and after them those of `columns` (null: there is
// one set). Of two sequences the one of lower rank is aligned as the query. A longer sequence has a lower
// rank; of equal lengths the sequence whose residues come first, whatever their case; of equal residues the
// sequence that is given first. Throws Interrupted when `stop` is requested.
std::vector<Rank> ranks_of(const SequenceSet& rows, const SequenceSet* columns, const StopFlag& stop);

}  // namespace alnus::engine
