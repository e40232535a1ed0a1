// Joins the parts of a job: reads them in the order of the job, and hands their contents to its outputs.
#pragma once

#include <vector>

#include "alnus/parts.h"
#include "session/call.h"

namespace alnus::jobs {

// Merges the parts at these places into the files. Throws Error(input) for parts that are damaged or not all
// parts of one job, and for files that are not the outputs of that job; Interrupted; and what the outputs
// throw.
MergeSummary merge(const std::vector<PartPlace>& places, const JobFiles& files, session::Call& call);

}  // namespace alnus::jobs
