// A temporary file for bytes that do not fit in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "core/stop_flag.h"

namespace alnus::io {

// A file without a name in `directory`, which is gone when it is closed or the process ends. Throws
// Error(`kind`) naming the directory and the system's reason, with `advice` as its last sentence, and
// Interrupted.
class SpillFile {
 public:
  SpillFile(const std::string& directory, ErrorKind kind, std::string advice, const StopFlag& stop);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  void append(const void* data, std::size_t bytes);  // buffered
  void flush();
  void read_at(std::uint64_t offset, void* data, std::size_t bytes) const;  // only of what is flushed
  std::uint64_t size() const { return written_ + buffer_.size(); }

 private:
  void write(const unsigned char* from, std::size_t bytes);
  [[noreturn]] void fail(const char* action, int error) const;

  const std::string directory_, advice_;
  const ErrorKind kind_;
  const StopFlag& stop_;
  int fd_ = -1;
  std::uint64_t written_ = 0;
  std::vector<unsigned char> buffer_;
};

}  // namespace alnus::io
