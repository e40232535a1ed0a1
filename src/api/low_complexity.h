// The warning of queries whose E-values low complexity makes too small.
#pragma once

#include "alnus/sequence_set.h"
#include "alnus/statistics.h"
#include "engine/resolved_statistics.h"
#include "session/call.h"

namespace alnus::api {

// Warns of protein queries of which more than half is low-complexity sequence (as `--mask seg` finds it), if
// E-values come from parameters (spouge, karlin) and the user has switched off the composition or the
// low-complexity adjustment. Without the adjustment such queries get more chance hits than their E-values
// say. `resolved`: `options` after resolve_statistics().
void warn_of_low_complexity(const StatisticsOptions& options, const engine::ResolvedStatistics& resolved,
                            const SequenceSet& queries, session::Call& call);

}  // namespace alnus::api
