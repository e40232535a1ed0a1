// Shows the progress and the messages of a call of the library on standard error.
#pragma once

#include "alnus/run.h"
#include "cli/log.h"

namespace alnus::cli {

// The control for one call. The call's messages become lines of the log. Its progress is a moving bar if
// standard error is a terminal, a line every ten seconds if not, and nothing if the log shows no progress.
// `log` must outlive the call.
RunControl follow(Log& log);

}  // namespace alnus::cli
