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

BytesRead read_at(int fd, std::uint64_t offset, void* data, std::size_t bytes) {
  BytesRead read;
  while (read.bytes < bytes) {
    const ssize_t found = ::pread(fd, static_cast<char*>(data) + read.bytes, bytes - read.bytes,
                                  static_cast<off_t>(offset + read.bytes));
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) read.error = errno;
    if (found <= 0) break;
    read.bytes += static_cast<std::size_t>(found);
  }
  return read;
}

}  // namespace alnus::io
