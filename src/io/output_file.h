// Where results go: standard output, or a file that appears complete or not at all (alnus/output.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/thread_pool.h"
#include "io/file_state.h"

namespace alnus::io {

bool is_standard_output(const std::string& path);

// A file whose name ends in .gz or .zst is compressed on another thread of the pool. That thread holds a
// permit while it compresses, and as many more threads help as there are permits for. A caller that waits for
// the thread gives back its own permit meanwhile. In a child after fork(), write(), sync() and commit() throw
// Error(other), and the destructor leaves the file to the parent.
class OutputFile {
 public:
  OutputFile(ThreadPool& pool, const std::string& path, std::uint64_t resume_at = 0);
  // Goes on behind what an earlier process synced, after reading it back: throws what require_digest()
  // throws. If `synced` has no bytes, the file is begun. state() is for files that were opened in this way.
  // This constructor and write() throw Interrupted once `stop` is requested; sync() and commit() do not.
  // `stop` must live as long as this object.
  OutputFile(ThreadPool& pool, const std::string& path, const FileState& synced, const StopFlag& stop);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  std::uint64_t sync();  // ends the compressed stream; returns the file's size in bytes
  // Hands all text to the system and ends the compressed stream, so that a full disk is noticed before any of
  // several files has its name. Nothing may be written after it.
  void finish();
  void commit();            // finishes, syncs, renames
  FileState state() const;  // size and digest of the file, after sync() or commit()
  const std::string& path() const;
  ThreadPool& threads() const;  // the pool of the session that the file belongs to

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::io
