// What happens when someone ends the program.
#pragma once

namespace alnus::cli {

// SIGINT, SIGTERM and SIGHUP remove unfinished outputs and end the process with 128 + the signal's
// number, as shells report it. A closed pipe and a file beyond the limit of its size (ulimit -f) are errors
// of write(), not signals. SIGBUS of a mapped database that another program has shortened is an error of the
// database.
void install_signal_handlers();

inline constexpr int kClosedPipeExit = 141;  // 128 + SIGPIPE: what shells report of `sort | head`

}  // namespace alnus::cli
