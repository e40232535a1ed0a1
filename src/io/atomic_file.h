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
// it to NAME and syncs the directory; without commit() the destructor removes it, unless it was synced:
// then it stays as NAME.alnus-part, for a process that resumes it. In a child after fork() the destructor
// leaves the file alone: it is the parent's.
// An output that exists and is no regular file (/dev/null, a pipe) is written as it is, and a
// symbolic link stays a link: the file that it points to is replaced, or made where it points to none.
// All throw Error(`kind`) naming the output and the system's reason.
class AtomicFile {
 public:
  enum class Begin { empty, resumed };  // resumed: there must be a NAME.alnus-part, and it is left as it is

  explicit AtomicFile(const std::string& path, ErrorKind kind = ErrorKind::other, Begin begin = Begin::empty);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int fd() const;
  const std::string& path() const;  // as given
  const std::string& part() const;  // the unfinished file; empty where the output is written as it is

  void write(const void* data, std::size_t bytes);                           // at the end
  void write_at(std::uint64_t offset, const void* data, std::size_t bytes);  // any order, gaps are zero
  // Makes the file `bytes` long and takes the room on disk, where the file system can do that beforehand.
  void reserve(std::uint64_t bytes);
  // Forgets what was written from `bytes` on, which is the end now. Throws if the file is shorter.
  void cut(std::uint64_t bytes);
  void sync();    // what is written is on disk, and stays whatever happens to this process
  void commit();  // nothing may be written after it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Where the bytes of an output go before commit(). Throws std::system_error.
std::string part_name(const std::string& path);
// True if an unfinished file of this output is there.
bool has_unfinished_file(const std::string& path);

}  // namespace alnus::io
