#include "cli/process.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "alnus/error.h"
#include "alnus/output.h"

namespace alnus::cli {

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

}  // namespace alnus::cli
