// The bytes of an input file, decompressed if need be.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/stop_flag.h"
#include "core/thread_pool.h"

namespace alnus::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Reads the next `capacity` bytes, and returns how many there were: fewer at the end only, and then always
  // 0. Stops waiting when `stop` is requested. Throws Error(input) naming the file, Interrupted, and
  // std::bad_alloc.
  virtual std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) = 0;
};

// The name of a path in messages: "standard input" for "-".
std::string display_name(const std::string& path);

// What is read: a file, a pipe or "-" (standard input), or a text in memory, which must live as long as it is
// read.
struct Input {
  template <std::convertible_to<std::string> Path>
  Input(Path&& file) : path(std::forward<Path>(file)) {}  // NOLINT: a path is an input
  Input(std::string_view bytes, std::string name) : path(std::move(name)), text(bytes) {}

  std::string path;                      // of a text: its name in messages
  std::optional<std::string_view> text;  // empty: the path names what is read
};

std::string name_of(const Input& input);  // in messages

// Opens an input; gzip and zstd are recognised by their first bytes and
// decompressed. While the source waits for a pipe, the reading thread gives back its permit of `pool`, if
// there is a pool. Throws Error(input) for what cannot be read, and Interrupted.
std::unique_ptr<ByteSource> open_bytes(const Input& input, ThreadPool* pool = nullptr,
                                       const StopFlag& stop = StopFlag::never());

// Opens a file, a pipe or "-" for plain bytes as they come: read() waits for some bytes, and returns what is
// there. Throws as open_bytes() does.
std::unique_ptr<ByteSource> open_stream(const std::string& path, ThreadPool* pool = nullptr);

// How long read_text() waits for a program to open a pipe for writing.
inline constexpr std::chrono::milliseconds kPatience{10'000};

// Reads a whole file as text. Throws as open_bytes() and ByteSource::read() do, and Error(input) for a device
// that may never end, for a pipe that no program opens for writing within `patience`, and for a pipe of more
// than 1 GiB.
std::string read_text(const std::string& path, const StopFlag& stop = StopFlag::never(),
                      std::chrono::milliseconds patience = kPatience);

// Reads an input ahead on another thread, so that reading and decompressing run beside computing.
class ReadAhead {
 public:
  static constexpr std::size_t kBlockBytes = 1 << 19;

  // Throws as open_bytes() does.
  ReadAhead(const Input& input, ThreadPool& pool, const StopFlag& stop = StopFlag::never());
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The next kBlockBytes of the file, fewer at the end only; then an empty view. The view is valid until the
  // next call. Throws what ByteSource::read() throws. Waits without this thread's permit.
  std::string_view next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::io
