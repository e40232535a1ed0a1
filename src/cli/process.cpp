#include "cli/process.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <forward_list>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "alnus/database.h"
#include "alnus/error.h"
#include "alnus/output.h"

namespace alnus::cli {
namespace {

constexpr int kSignalled = 128;  // what shells add to the number of a signal

std::atomic<bool> stops_call = false;                    // a StopBySignal exists
std::atomic<int> received = 0;                           // the signal that the StopBySignal got; 0: none
std::atomic<const std::string*> outputs_text = nullptr;  // the text of tell_at_signal()
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<const std::string*>::is_always_lock_free);

void write_to_stderr(std::string_view text) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

// Removes unfinished outputs and ends the process, or leaves it to a StopBySignal to stop the call.
// Async-signal-safe.
void stop_or_end(int signal) {
  int none = 0;
  if (stops_call && received.compare_exchange_strong(none, signal)) return;
  remove_unfinished_files();
  if (::isatty(STDERR_FILENO) == 1) write_to_stderr("\n");  // ends the progress line
  if (const std::string* text = outputs_text) {
    write_to_stderr(signal == SIGINT    ? "alnus: Ended by SIGINT: "
                    : signal == SIGTERM ? "alnus: Ended by SIGTERM: "
                                        : "alnus: Ended by SIGHUP: ");
    write_to_stderr(*text);
  }
  ::_exit(kSignalled + signal);
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

void open_closed_descriptors() {
  // The modes are the opposite of what the descriptors are for. GNU's programs do the same.
  constexpr std::array kModes = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int fd = 0; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", kModes[static_cast<unsigned>(fd)]);
}

void keep_messages_out_of(std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    if (!is_standard_error(input)) continue;
    int terminal = ::open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) terminal = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(terminal, STDERR_FILENO);
    ::close(terminal);
    throw Error(
        ErrorKind::input,
        fmt::format("Standard error goes to one of the inputs, {}, to which messages would be appended. "
                    "Let it go to another file.",
                    input == "-" ? "the file of standard input" : input));
  }
}

void check_stack() {
  constexpr rlim_t kLeast = 64 << 10;
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kLeast)
    return;
  throw Error(
      ErrorKind::memory,
      fmt::format("The stack may take only {} bytes, and alnus needs {}. Raise the limit: ulimit -s 8192.",
                  limit.rlim_cur, kLeast));
}

// A handler must not request the stop, which takes a lock, so that the call looks for a signal as often as it
// tells its progress.
StopBySignal::StopBySignal(RunControl control) : control_(std::move(control)) {
  control_.stop = source_.get_token();
  control_.on_progress = [this, show = std::move(control_.on_progress)](const Progress& progress) {
    if (received != 0) source_.request_stop();
    if (show) show(progress);
  };
  stops_call = true;
}

StopBySignal::~StopBySignal() { stops_call = false; }

int StopBySignal::exit_code() { return kSignalled + received; }

// All texts are kept until the process ends, because a handler may read one at any moment.
void tell_at_signal(std::string_view outputs) {
  static auto& texts = *new std::forward_list<std::string>;
  outputs_text = outputs.empty() ? nullptr : &texts.emplace_front(std::string(outputs) + '\n');
}

void install_signal_handlers() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaction(signal, &ignore, nullptr);  // write() fails instead

  struct sigaction lost {};
  lost.sa_sigaction = lost_pages;
  lost.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &lost, nullptr);

  struct sigaction end {};
  end.sa_handler = stop_or_end;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    ::sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) ::sigaction(signal, &end, nullptr);  // keeps nohup's SIG_IGN
  }
}

}  // namespace alnus::cli
