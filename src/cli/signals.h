// The program's handlers of signals.
#pragma once

namespace alnus::cli {

// SIGINT, SIGTERM and SIGHUP remove unfinished outputs and end the process with 128 + the signal's
// number, as shells report it. A closed pipe and a file beyond the limit of its size (ulimit -f) are errors
// of write(), not signals. A SIGBUS in a mapped database file that another program has shortened becomes
// Error(database).
void install_signal_handlers();

inline constexpr int kClosedPipeExit = 141;  // 128 + SIGPIPE: what shells report of `sort | head`

}  // namespace alnus::cli
