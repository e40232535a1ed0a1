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
  // Reads the next bytes, and returns their number. This is `capacity`, except at the end of the input: there
  // it is smaller, and 0 in all later calls. Throws Interrupted if `stop` is requested while the function
  // waits, Error(input) naming the file, and std::bad_alloc.
  virtual std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) = 0;
};

// The name of a path in messages: "standard input" for "-".
std::string display_name(const std::string& path);

// An input: a file, a pipe, "-" (standard input), or a text in memory. The text must live until it has been
// read.
struct Input {
  template <std::convertible_to<std::string> Path>
  Input(Path&& file) : path(std::forward<Path>(file)) {}  // NOLINT: a path is an input
  Input(std::string_view bytes, std::string name) : path(std::move(name)), text(bytes) {}

  std::string path;                      // for a text: the name that messages call it
  std::optional<std::string_view> text;  // empty: the input is the file, pipe or standard input at `path`
};

std::string name_of(const Input& input);  // the name that messages call the input

// Opens an input; gzip and zstd are recognised by their first bytes, and decompressed. If `pool` is given, a
// thread that waits for a pipe gives back its permit of that pool, its right to compute, meanwhile. Throws
// Error(input) if the input cannot be read, and Interrupted.
std::unique_ptr<ByteSource> open_bytes(const Input& input, ThreadPool* pool = nullptr,
                                       const StopFlag& stop = StopFlag::never());

// Opens a file, a pipe or "-" whose bytes are taken as they are, without decompression. read() of this source
// waits until there is at least one byte, and returns the bytes that there are, also if these are fewer than
// `capacity`. Throws what open_bytes() throws.
std::unique_ptr<ByteSource> open_stream(const std::string& path, ThreadPool* pool = nullptr);

// How long read_text() waits for a program to open a pipe for writing.
inline constexpr std::chrono::milliseconds kPatience{10'000};

// Reads a whole file as text. Throws what open_bytes() and ByteSource::read() throw, and Error(input) for a
// device that may never end, for a pipe that no program opens for writing within `patience`, and for a pipe
// of more than 1 GiB.
std::string read_text(const std::string& path, const StopFlag& stop = StopFlag::never(),
                      std::chrono::milliseconds patience = kPatience);

// Reads an input ahead on another thread, so that reading and decompressing run beside computing.
class ReadAhead {
 public:
  static constexpr std::size_t kBlockBytes = 1 << 19;

  // Throws what open_bytes() throws.
  ReadAhead(const Input& input, ThreadPool& pool, const StopFlag& stop = StopFlag::never());
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Returns the next kBlockBytes bytes of the input, decompressed. At its end there are fewer, and in all
  // later calls none. The view is valid until the next call. The calling thread gives back its permit, its
  // right to compute, while it waits. Throws what ByteSource::read() throws.
  std::string_view next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::io
