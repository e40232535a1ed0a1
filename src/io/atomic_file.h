// A file that appears under its name complete and synced, or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "alnus/error.h"

namespace alnus::io {

// Bytes go to NAME.alnus-part beside NAME, which is also the lock: it is held with flock() while it
// is written, so a second writer of the same output is refused, a crash leaves no lock behind, and
// what a killed process left of the file is taken over by the next. commit() syncs the file, renames
// it to NAME and syncs the directory; without commit() the destructor removes it.
// An output that exists and is no regular file (/dev/null, a pipe) is written as it is, and a
// symbolic link stays a link: the file that it points to is replaced.
// All throw Error(`kind`) naming the output and the system's reason.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path, ErrorKind kind = ErrorKind::other);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int fd() const;
  const std::string& path() const;  // as given

  void write(const void* data, std::size_t bytes);                           // at the end
  void write_at(std::uint64_t offset, const void* data, std::size_t bytes);  // any order, gaps are zero
  void commit();  // nothing may be written after it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Unlinks every file that is begun and not committed. For a handler of SIGINT and SIGTERM that ends
// the process: async-signal-safe, allocates nothing, takes no lock.
void remove_unfinished_files() noexcept;

}  // namespace alnus::io
