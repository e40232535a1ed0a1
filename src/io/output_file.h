// Where results go: stdout, or a file that appears complete or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace alnus::io {

// "" or "-" is stdout. A file is written beside its final name, locked against a second instance
// that writes the same output, and renamed by commit(); without commit() nothing is left behind.
// A name that ends in .gz or .zst is compressed, on another thread.
// What sync() has brought to disk outlives this process: an OutputFile that is given what sync() returned
// goes on from there. The bytes of a file depend on its text and, when it is compressed, on where syncs were.
// Throws Error(other) naming the file and the system's reason (full disk, no permission). A reader of
// stdout that went away (EPIPE) throws ClosedPipe, which the command line turns into a quiet exit.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path, std::uint64_t resume_at = 0);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  std::uint64_t sync();  // the file's bytes so far; its compressed streams end here
  void commit();         // flushes, syncs, renames
  const std::string& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct ClosedPipe {};

}  // namespace alnus::io
