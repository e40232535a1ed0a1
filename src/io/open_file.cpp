#include "io/open_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace alnus::io {

int open_file(const std::string& path, int flags, mode_t mode) {
  return above_standard(::open(path.c_str(), flags | O_CLOEXEC, mode));
}

int above_standard(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int above = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(fd);
  errno = error;
  return above;
}

}  // namespace alnus::io
