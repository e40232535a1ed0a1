// The bytes of an input file, decompressed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/stop_flag.h"
#include "core/thread_pool.h"

namespace alnus::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The next `capacity` bytes; fewer at the end only, and then 0 for ever. Waiting for them ends when `stop`
  // is requested. Throws Error(input) naming the file, Interrupted, and std::bad_alloc.
  virtual std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) = 0;
};

// "-" is standard input, and called so in messages.
std::string display_name(const std::string& path);

// A file, pipe or "-", gzip and zstd recognised by their first bytes. While the source waits for a pipe, the
// reading thread's permit of `pool`, if there is a pool, is given back. Throws Error(input) for what cannot
// be read, and Interrupted.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, ThreadPool* pool = nullptr,
                                       const StopFlag& stop = StopFlag::never());

// Plain bytes as they come: read() waits for some, and returns what is there. Throws as open_bytes().
std::unique_ptr<ByteSource> open_stream(const std::string& path, ThreadPool* pool = nullptr);

// A whole file as text. Throws as open_bytes() and ByteSource::read() do.
std::string read_text(const std::string& path, const StopFlag& stop = StopFlag::never());

// Reads a file ahead on another thread, so that reading and decompressing run beside computing.
class ReadAhead {
 public:
  static constexpr std::size_t kBlockBytes = 1 << 19;

  // Throws as open_bytes().
  ReadAhead(const std::string& path, ThreadPool& pool, const StopFlag& stop = StopFlag::never());
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The next kBlockBytes, fewer at the end only; then empty. Valid until the next call. Throws what
  // ByteSource::read() throws. Waits without the permit of this thread.
  std::string_view next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::io
