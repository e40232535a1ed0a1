// What all pairs know of a table of edges before it is written, for the file beside it (io/edge_companion.h).
#pragma once

#include <optional>
#include <string>

#include "alnus/statistics.h"
#include "alnus/strand.h"
#include "core/stop_flag.h"
#include "io/edge_companion.h"
#include "jobs/pair_outputs.h"

namespace alnus::jobs {

// Describes the edges of a job as those of an empty table; the writer of the table adds their number and
// digest. Empty for edges that are not all those of one set by relations, with the set as search space: of
// two sets or a block, without relations, of a masked set, and of another search space. `strands` are
// aligned. `chosen`: the statistics that the caller asked for. Throws Error(input) for an id with a line end,
// and Interrupted.
std::optional<io::EdgeCompanion> companion_of(const PairJob& job, Strands strands,
                                              const StatisticsOptions& chosen, const StopFlag& stop);

// The file beside the job's table of edges; empty if none is written: there is no companion, or no table that
// is a file.
std::string companion_path(const PairJob& job);

}  // namespace alnus::jobs
