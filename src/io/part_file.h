// The container for what one process computed of a job: chunks, each of them compressed and with a digest,
// and an end with a digest over all of them (docs/part-files.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "alnus/parts.h"
#include "io/appended_file.h"
#include "io/atomic_file.h"
#include "io/digest.h"
#include "io/format_hash.h"

namespace alnus::io {

// The first bytes of a part: the version of the format, a line end, and three bytes of a hash of the columns
// and options (docs/part-files.md).
inline constexpr std::array kPartMagicBytes = [] {
  constexpr std::string_view kVersion = "alnus part 7\n";
  Fnv1a hash;
  add_columns(hash);
  add_options(hash);
  std::array<char, kVersion.size() + 3> bytes{};
  char* to = std::ranges::copy(kVersion, bytes.begin()).out;
  for (std::uint32_t left = hash.value(); to != bytes.end(); left >>= 8)
    *to++ = static_cast<char>(left & 0xff);
  return bytes;
}();
inline constexpr std::string_view kPartMagic(kPartMagicBytes.data(), kPartMagicBytes.size());

// What a chunk holds. A part begins with its job, and its last chunk is its summary. The end is no chunk, but
// looks like the header of one.
enum class ChunkKind : std::uint32_t { job = 1, sequences, hits, stripe, edges, summary, end };

// The header of a chunk, as it is in the file. The end of a part has the number of its chunks for `bytes`,
// nothing stored, and the digest of the headers of all chunks in their order.
struct ChunkHeader {
  ChunkKind kind{};
  std::uint32_t reserved = 0;
  std::uint64_t bytes = 0, stored = 0;  // size of the contents, and of their compressed form in the file
  char digest[32] = {};                 // of the header's numbers and of the compressed contents

  // The digest of a chunk whose stored bytes are these.
  std::string digest_with(const void* stored_bytes) const;
};

// The chunks of a part so far: how many there are, and the digest of their headers.
class ChunkList {
 public:
  void add(const ChunkHeader& header);
  ChunkHeader end() const;  // the end of a part that has these chunks

 private:
  std::uint64_t count_ = 0;
  Digest digest_;
};

// A chunk's contents are at most this many times as long as its stored bytes, so that reading a file takes no
// more memory than the file's size allows. Bytes without a meaning fill up what compresses better.
inline constexpr std::uint64_t kMostCompression = 64;

// Writes a part, either to a file that appears under its name complete and synced or not at all, or behind
// the end of a file that may have parts already: after commit() that file has the whole part, without
// commit() nothing of it (io/appended_file.h). The last chunk must be a summary. Throws Error(other) naming
// the file.
class PartFileWriter {
 public:
  explicit PartFileWriter(const PartTarget& target);
  void add(ChunkKind kind, std::span<const std::byte> bytes);
  void add(ChunkKind kind, std::string_view text);
  void commit();

 private:
  void write(const void* data, std::size_t bytes);

  std::optional<AtomicFile> file_;
  std::optional<AppendedFile> appended_;
  ChunkList chunks_;
};

// The bytes of a chunk, at an address that is a multiple of 8.
struct ChunkBytes {
  std::shared_ptr<const std::vector<std::uint64_t>> owner;
  std::size_t size = 0;

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(*owner)).first(size); }
  std::string_view text() const { return {reinterpret_cast<const char*>(owner->data()), size}; }
};

// What PartFileReader throws: an Error(input) that names the file and, if the file is damaged, the byte where
// the damaged chunk begins.
class PartError : public Error {
 public:
  explicit PartError(const std::string& message) : Error(ErrorKind::input, message) {}
};

// Reads the chunks of a part in their order. Throws PartError, which names the file, the byte and what to
// do, for a file that is no part, has another format, was cut off or is damaged. A part that lacks chunks, or
// has them twice or in another order, is refused by the next() that comes to its end.
class PartFileReader {
 public:
  // Opens the part that begins at this byte of the file.
  explicit PartFileReader(std::string path, std::uint64_t begin = 0);
  ~PartFileReader();
  PartFileReader(const PartFileReader&) = delete;
  PartFileReader& operator=(const PartFileReader&) = delete;

  const std::string& path() const { return path_; }
  bool at_end() const { return at_end_; }                // after the last chunk of the part
  ChunkKind kind() const { return header_.kind; }        // of the current chunk
  std::uint64_t bytes() const { return header_.bytes; }  // of the current chunk's contents
  ChunkBytes read() const;                               // of the current chunk
  void next();                                           // goes to the next chunk, or to the end
  // At the end of the part: the byte behind the part, and whether more bytes follow in the file, as another
  // part does.
  std::uint64_t end() const { return next_; }
  bool has_more() const { return next_ < size_; }
  // Throws PartError for what is wrong in the contents of the current chunk.
  [[noreturn]] void refuse(const std::string& damage) const;

 private:
  void read_header();
  void check_end() const;
  void read_at(std::uint64_t offset, void* data, std::uint64_t bytes) const;

  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;  // bytes of the file
  std::uint64_t next_ = 0;  // byte where the header of the current chunk begins
  bool at_end_ = false;
  ChunkHeader header_;
  ChunkList chunks_;  // the chunks up to the current one
};

}  // namespace alnus::io
