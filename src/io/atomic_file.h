// A file that appears under its name complete and synced, or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "alnus/error.h"

namespace alnus::io {

// Bytes go to NAME.alnus-part beside NAME, which is locked with flock() while it is written. A second writer
// of the same output is thus refused, a crash leaves no lock behind, and the next process takes over what a
// killed process left of the file. commit() syncs the file, renames it to NAME and syncs the directory.
// Without commit() the destructor removes the file, unless it was synced: a synced file stays as
// NAME.alnus-part, for a process that resumes it. In a child after fork() the destructor leaves the file to
// the parent.
// An output that exists and is no regular file (/dev/null, a pipe) is written as it is. A symbolic link stays
// a link: the file that it points to is replaced, or made if there is none.
// All functions throw Error(`kind`) naming the output and the system's reason.
class AtomicFile {
 public:
  enum class Begin { empty, resumed };  // resumed: a NAME.alnus-part must be there, and keeps its contents

  explicit AtomicFile(const std::string& path, ErrorKind kind = ErrorKind::other, Begin begin = Begin::empty);
  ~AtomicFile();
  // Throws if the file of this name cannot be made, as far as that is known without making it.
  static void check_place(const std::string& path, ErrorKind kind = ErrorKind::other);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int fd() const;
  const std::string& path() const;  // as the caller gave it
  const std::string& part() const;  // the unfinished file; empty for a device or pipe

  void write(const void* data, std::size_t bytes);                           // appends
  void write_at(std::uint64_t offset, const void* data, std::size_t bytes);  // in any order; gaps are zeros
  // Makes the file `bytes` long, and takes the room on disk if the file system can reserve it.
  void reserve(std::uint64_t bytes);
  // Drops everything from byte `bytes` on; the next write() goes there. Throws if the file is shorter.
  void cut(std::uint64_t bytes);
  void sync();     // what is written is on disk then, and stays whatever happens to this process
  void commit();   // nothing may be written afterwards
  void discard();  // removes the file, although it was synced; nothing may be written afterwards

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The name of the file that an output's bytes go to before commit(). Throws std::system_error.
std::string part_name(const std::string& path);
// Returns true if an unfinished file of this output is on disk, also if it is being written.
bool has_unfinished_file(const std::string& path);

}  // namespace alnus::io
