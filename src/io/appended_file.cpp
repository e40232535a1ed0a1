#include "io/appended_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "alnus/error.h"
#include "io/open_file.h"

namespace alnus::io {

void AppendedFile::fail(const char* action, int error) const {
  throw Error(ErrorKind::other,
              fmt::format("Cannot {} {}: {}.", action, path_, std::generic_category().message(error)));
}

AppendedFile::AppendedFile(const std::string& path)
    : path_(path), fd_(open_file(path, O_RDWR | O_CREAT | O_APPEND, 0666)) {
  if (fd_ < 0) fail("open", errno);
  try {
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        throw Error(ErrorKind::other,
                    fmt::format("Another process appends to {}: choose another file.", path_));
      fail("lock", errno);
    }
    struct stat status {};
    if (::fstat(fd_, &status) != 0) fail("look at", errno);
    if (!S_ISREG(status.st_mode)) fail("append to", EINVAL);
    committed_ = static_cast<std::uint64_t>(status.st_size);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

AppendedFile::~AppendedFile() {
  struct stat status {};
  if (::fstat(fd_, &status) == 0 && static_cast<std::uint64_t>(status.st_size) > committed_) [[maybe_unused]]
    const int cut = ::ftruncate(fd_, static_cast<off_t>(committed_));
  ::close(fd_);
}

void AppendedFile::write(const void* data, std::size_t bytes) {
  constexpr std::size_t kLargestWrite = std::size_t{1} << 30;  // Linux writes at most 2 GiB at once
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t count = ::write(fd_, from, std::min(bytes, kLargestWrite));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("write", errno);
    from += count;
    bytes -= static_cast<std::size_t>(count);
  }
}

void AppendedFile::commit() {
  if (::fsync(fd_) != 0) fail("sync", errno);
  struct stat status {};
  if (::fstat(fd_, &status) != 0) fail("look at", errno);
  committed_ = static_cast<std::uint64_t>(status.st_size);
}

}  // namespace alnus::io
