// Where results go: stdout, or a file that appears complete or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace alnus::io {

// "" or "-" is stdout. A file is written beside its final name, locked against a second instance
// that writes the same output, and renamed by commit(); without commit() nothing is left behind.
// A name that ends in .gz or .zst is compressed, on another thread.
// Throws Error(other) naming the file and the system's reason (full disk, no permission). A reader of
// stdout that went away (EPIPE) throws ClosedPipe, which the command line turns into a quiet exit.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();  // flushes, syncs, renames
  const std::string& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct ClosedPipe {};

}  // namespace alnus::io
