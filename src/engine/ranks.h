// Which sequence of a pair is aligned as the query, where the caller leaves that open.
#pragma once

#include <vector>

#include "alnus/sequence_set.h"
#include "core/index_spaces.h"
#include "core/stop_flag.h"

namespace alnus::engine {

// The ranks of the rows, and after them those of the columns if they are another set (null: they are not): of
// two sequences the one of lower rank is aligned as the query. The longer comes first, of equal lengths the
// one whose residues do, masked or not, and of equal residues the one that is given first. Throws Interrupted
// when `stop` is requested.
std::vector<Rank> ranks_of(const SequenceSet& rows, const SequenceSet* columns, const StopFlag& stop);

}  // namespace alnus::engine
