// A lock on a directory in which one run works at a time.
#pragma once

#include <string>
#include <sys/types.h>

namespace alnus::io {

// The name of the lock's file in a directory.
std::string lock_file(const std::string& directory);

// Holds flock() on the lock's file, which stays in the directory. The system releases the lock when the
// process ends, however it ends, so that nobody waits for a dead process. A child after fork() shares the
// lock until the parent's destructor releases it. Over NFS the lock keeps processes on different machines
// apart if the file system is mounted with locks; mounted with `nolock` or `local_lock`, only processes on
// one machine. Throws Error(other) when another run holds the lock, when its file cannot be opened, or when
// the file system has no locks.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int fd_;
  pid_t process_;  // the process that took the lock
};

}  // namespace alnus::io
