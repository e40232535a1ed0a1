// A directory that one run at a time works in.
#pragma once

#include <string>
#include <sys/types.h>

namespace alnus::io {

// The file of a directory's lock.
std::string lock_file(const std::string& directory);

// Holds flock() on that file of the directory, which stays there. The system releases it when the
// process ends, however it ends, so that nobody waits for a dead one. A child after fork() has it as long as
// its parent. Over NFS it keeps processes on different machines apart if the file system is mounted with
// locks; mounted with `nolock` or `local_lock`, only those on one machine. Throws Error(other) when another
// run holds it, or the file system has no locks.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int fd_;
  pid_t process_;  // that took it
};

}  // namespace alnus::io
