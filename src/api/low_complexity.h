// The warning of queries whose E-values low complexity makes too small.
#pragma once

#include "alnus/sequence_set.h"
#include "alnus/statistics.h"
#include "engine/statistics_options.h"

namespace alnus::api {

class Call;

// Where the user has switched off what keeps E-values of low complexity true, warns of the queries of which
// more than half is of low complexity, as `--mask seg` finds it. `resolved` is what `options` come to.
void warn_of_low_complexity(const StatisticsOptions& options, const engine::StatisticsOptions& resolved,
                            const SequenceSet& queries, Call& call);

}  // namespace alnus::api
