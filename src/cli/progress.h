// How far a call of the library is, and what it says, on standard error.
#pragma once

#include "alnus/run.h"
#include "cli/log.h"

namespace alnus::cli {

// For one call. Its messages become lines of the log. Its progress is a bar that moves where standard error
// is a terminal, a line every ten seconds where it is not, and nothing when the log is quiet. `log` must
// outlive the call.
RunControl follow(Log& log);

}  // namespace alnus::cli
