// The bytes of an input file, decompressed.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace alnus::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The next `capacity` bytes; fewer at the end only, and then 0 for ever.
  // Throws Error(input) naming the file, and std::bad_alloc.
  virtual std::size_t read(char* to, std::size_t capacity) = 0;
};

// "-" is standard input, and called so in messages.
std::string display_name(const std::string& path);

// A file, pipe or "-", gzip and zstd recognised by their first bytes. Waiting for a pipe ends when
// `stop` is requested. Throws Error(input) for what cannot be read.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::stop_token stop = {});

// Plain bytes as they come: read() waits for some, and returns what is there. Throws as open_bytes().
std::unique_ptr<ByteSource> open_stream(const std::string& path);

// A whole file as text. Throws as open_bytes() and ByteSource::read() do.
std::string read_text(const std::string& path);

// Reads a file ahead on a thread of its own, so that reading and decompressing run beside computing.
class ReadAhead {
 public:
  static constexpr std::size_t kBlockBytes = 1 << 19;

  explicit ReadAhead(const std::string& path);  // throws as open_bytes()
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The next kBlockBytes, fewer at the end only; then empty. Valid until the next call. Throws what
  // ByteSource::read() throws.
  std::string_view next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::io
