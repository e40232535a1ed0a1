#include "cli/signals.h"

#include <csignal>
#include <unistd.h>

#include "alnus/database.h"
#include "alnus/output.h"

namespace alnus::cli {
namespace {

// Removes unfinished outputs and ends the process. Async-signal-safe.
void end_process(int signal) {
  remove_unfinished_files();
  if (::isatty(STDERR_FILENO) == 1) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, "\n", 1);  // ends the progress line
  }
  ::_exit(128 + signal);
}

// Handles SIGBUS. If another program has shortened a mapped database, the call that reads it ends with an
// error. Any other SIGBUS gets the default action.
void lost_pages(int signal, siginfo_t* info, void*) {
  const bool by_an_instruction = info->si_code > 0;
  if (by_an_instruction && zero_lost_pages(info->si_addr)) return;
  ::signal(signal, SIG_DFL);
  if (!by_an_instruction) ::raise(signal);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaction(signal, &ignore, nullptr);  // write() fails instead

  struct sigaction lost {};
  lost.sa_sigaction = lost_pages;
  lost.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &lost, nullptr);

  struct sigaction end {};
  end.sa_handler = end_process;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    ::sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) ::sigaction(signal, &end, nullptr);  // keeps nohup's SIG_IGN
  }
}

}  // namespace alnus::cli
