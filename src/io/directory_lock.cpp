#include "io/directory_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include "alnus/error.h"
#include "io/open_file.h"

namespace alnus::io {

std::string lock_file(const std::string& directory) {
  return (std::filesystem::path(directory) / "lock").string();
}

DirectoryLock::DirectoryLock(const std::string& directory) : process_(::getpid()) {
  const std::string name = lock_file(directory);
  // The file is opened for writing, because NFS locks no other files.
  fd_ = open_file(name, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
  if (fd_ < 0)
    throw Error(ErrorKind::other,
                fmt::format("Cannot open {}: {}.", name, std::generic_category().message(errno)));
  int result = 0;
  do {
    result = ::flock(fd_, LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return;
  const int error = errno;
  ::close(fd_);
  if (error == EWOULDBLOCK)
    throw Error(ErrorKind::other,
                fmt::format("Another run works in the directory {} (it holds {}). Wait until "
                            "it has ended, or name another directory.",
                            directory, name));
  throw Error(ErrorKind::other,
              fmt::format("Cannot lock {}: {}. Name a directory on a file system with locks.", name,
                          std::generic_category().message(error)));
}

// The lock is released by LOCK_UN, not only by close(): a child that was forked meanwhile has the descriptor,
// too, and would keep the lock.
DirectoryLock::~DirectoryLock() {
  if (process_ == ::getpid()) ::flock(fd_, LOCK_UN);
  ::close(fd_);
}

}  // namespace alnus::io
