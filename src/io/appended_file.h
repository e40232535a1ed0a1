// A file that one process appends to. What was committed stays, whatever happens later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace alnus::io {

// Opens the file, or makes it, and holds flock() on it as long as this object lives. What is written behind
// the file's end is on disk after commit(). Without a commit() the destructor cuts it off again; if the
// process was killed, it stays in the file, and readers must recognise it as incomplete. Throws Error(other)
// naming the file and the reason, also if another process holds the lock.
class AppendedFile {
 public:
  explicit AppendedFile(const std::string& path);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* action, int error) const;

  std::string path_;
  int fd_ = -1;
  std::uint64_t committed_ = 0;  // bytes of the file that are committed
};

}  // namespace alnus::io
