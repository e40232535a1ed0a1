// What an output of an earlier run held, and checks that the output still holds the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "core/stop_flag.h"

namespace alnus::io {

// The size of a file in bytes, and a digest of its contents: a Digest of its bytes or, for a matrix of values
// (.npy), a PlacedDigest of its values.
struct FileState {
  std::uint64_t bytes = 0;
  std::string digest;
  bool operator==(const FileState&) const = default;
};

// A file of an earlier run, open for reading. Throws as refuse_contents() does if the file is missing or
// cannot be opened.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

// Hands over the bytes [offset, offset + bytes) of an open file in pieces of 1 MiB; the last piece may be
// shorter. Throws Interrupted, and as refuse_contents() does if the file ends before these bytes do or cannot
// be read. `path` is for messages.
using TakeBytes = std::function<void(const void* data, std::size_t bytes)>;
void read_pieces(int fd, const std::string& path, std::uint64_t offset, std::uint64_t bytes,
                 const StopFlag& stop, const TakeBytes& take);

// Throws Error(input), which says that the file is not as the run left it, and what to do.
[[noreturn]] void refuse_contents(const std::string& path, const std::string& reason);
void require_digest(const std::string& path, const std::string& digest, const std::string& expected);

// Reads the whole file. Throws as refuse_contents() does unless the file has this size and this Digest.
void require_file(const std::string& path, const FileState& expected, const StopFlag& stop);

}  // namespace alnus::io
