// What the process needs before a command runs: its standard descriptors, enough stack, handlers of signals.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "alnus/run.h"

namespace alnus::cli {

// A closed descriptor 0, 1 or 2 would be given to the next file that is opened: the log could then go into an
// output. This opens /dev/null in their places, so that reading standard input and writing standard output
// still fail, as they do with a closed descriptor. To be called before anything else is opened.
void open_closed_descriptors();

// Throws Error(input) if messages would be appended to one of the inputs, because standard error goes to it.
// From then on messages go to the terminal, or nowhere without one, so that this error changes no input.
void keep_messages_out_of(std::span<const std::string> inputs);

// Throws Error(memory) if the limit of the stack (ulimit -s) is too low for any command. Work that needs much
// stack is done on threads of the library, which have their own.
void check_stack();

// SIGINT, SIGTERM and SIGHUP remove unfinished outputs and end the process with 128 + the signal's
// number, as shells report it. A closed pipe and a file beyond the limit of its size (ulimit -f) are errors
// of write(), not signals. A SIGBUS in a mapped database file that another program has shortened becomes
// Error(database).
void install_signal_handlers();

// Sets what a signal that ends the process says of the outputs, on standard error behind the words "Ended by
// SIGTERM:". With an empty text, and before the first call, the signal says nothing. Texts are never freed,
// so that a command may call this a few times only.
void tell_at_signal(std::string_view outputs);

// As long as it exists, the first SIGINT, SIGTERM or SIGHUP does not end the process: it stops the call that
// gets control(), which throws Interrupted. A second signal ends the process. A signal that comes while the
// outputs get their names, after everything is computed, no longer stops the call.
class StopBySignal {
 public:
  explicit StopBySignal(RunControl control);
  ~StopBySignal();
  StopBySignal(const StopBySignal&) = delete;
  StopBySignal& operator=(const StopBySignal&) = delete;

  const RunControl& control() const { return control_; }
  static int exit_code();  // the exit code after a signal has stopped the call

 private:
  std::stop_source source_;
  RunControl control_;
};

// Sets leak, or a promise does not hold: the answer of a command that has done its work.
inline constexpr int kDoesNotHoldExit = 10;
inline constexpr int kClosedPipeExit = 141;  // 128 + SIGPIPE: what shells report of `sort | head`

}  // namespace alnus::cli
