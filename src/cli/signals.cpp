#include "cli/signals.h"

#include <csignal>
#include <unistd.h>

#include "alnus/output.h"

namespace alnus::cli {
namespace {

// Async-signal-safe.
void end_process(int signal) {
  remove_unfinished_files();
  if (::isatty(STDERR_FILENO) == 1) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, "\n", 1);  // the progress line ends
  }
  ::_exit(128 + signal);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaction(signal, &ignore, nullptr);  // writing fails instead

  struct sigaction end {};
  end.sa_handler = end_process;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    ::sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) ::sigaction(signal, &end, nullptr);  // nohup stays nohup
  }
}

}  // namespace alnus::cli
