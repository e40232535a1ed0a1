#include "cli/process.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "alnus/error.h"

namespace alnus::cli {

void open_closed_descriptors() {
  // The modes are the opposite of what the descriptors are for. GNU's programs do the same.
  constexpr std::array kModes = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int fd = 0; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", kModes[static_cast<unsigned>(fd)]);
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
