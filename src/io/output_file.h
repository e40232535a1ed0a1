// Where results go: stdout, or a file that appears complete or not at all (alnus/output.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/thread_pool.h"
#include "io/file_state.h"

namespace alnus::io {

bool is_standard_output(const std::string& path);

// A name that ends in .gz or .zst is compressed on another thread of the pool, which holds a permit while it
// compresses, and by as many more threads as there are permits for. Whoever waits for that thread does it
// without a permit of its own. In a child after fork(), write(), sync() and commit() throw Error(other), and
// the destructor leaves the file to the parent.
class OutputFile {
 public:
  OutputFile(ThreadPool& pool, const std::string& path, std::uint64_t resume_at = 0);
  // Goes on behind what an earlier process synced, which is read back: throws what require_digest() throws.
  // Without bytes in `synced` the file is begun. state() is for files that were opened so. This and write()
  // throw Interrupted once `stop`, which must live as long, is requested; sync() and commit() do not.
  OutputFile(ThreadPool& pool, const std::string& path, const FileState& synced, const StopFlag& stop);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  std::uint64_t sync();     // the file's bytes so far; its compressed streams end here
  void commit();            // flushes, syncs, renames
  FileState state() const;  // what is in the file, after sync() or commit()
  const std::string& path() const;
  ThreadPool& threads() const;  // of the session that the file belongs to

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::io
