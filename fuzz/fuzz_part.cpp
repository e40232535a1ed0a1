// Arbitrary bytes as the file of a part, and as the arrays of a chunk: the readers must refuse them, or give
// chunks and arrays of the sizes that the bytes say.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "io/packed.h"
#include "io/part_file.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

namespace {

using namespace alnus::io;

// A part has a magic, chunks and a chunk that ends it (docs/part-files.md); another part may follow it.
constexpr std::size_t kMagic = kPartMagic.size();

// Corrects the magic, and the sizes and digests of chunks and of the chunks that end parts, so that mutations
// reach the code behind the checks of these fields.
void seal(std::uint8_t* data, std::size_t size) {
  if (size >= kMagic) kPartMagic.copy(reinterpret_cast<char*>(data), kMagic);
  constexpr std::uint64_t kMost = 1 << 20;  // seal() makes headers tell fewer bytes of contents, unpacked
  std::optional<ChunkList> chunks(std::in_place);
  for (std::size_t at = kMagic; at < size && size - at >= sizeof(ChunkHeader);) {
    ChunkHeader header;
    std::memcpy(&header, data + at, sizeof header);
    if (header.kind == ChunkKind::end) {
      const ChunkHeader end = chunks->end();
      std::memcpy(data + at, &end, sizeof end);
      chunks.emplace();
      at += sizeof end + kMagic;
      continue;
    }
    header.reserved = 0;
    header.stored = std::min<std::uint64_t>(header.stored, size - at - sizeof header);
    header.bytes = std::min(header.bytes % kMost, kMostCompression * header.stored);
    header.digest_with(data + at + sizeof header).copy(header.digest, sizeof header.digest);
    std::memcpy(data + at, &header, sizeof header);
    chunks->add(header);
    at += sizeof header + header.stored;
  }
}

volatile std::uint64_t sum_of_bytes;  // keeps the compiler from leaving the reading out

template <class T>
void add_all(std::span<const T> values) {
  std::uint64_t sum = 0;
  for (const std::byte byte : std::as_bytes(values)) sum += static_cast<std::uint64_t>(byte);
  sum_of_bytes = sum_of_bytes + sum;
}

// Takes arrays of several types, until the bytes end or the unpacker refuses them.
void unpack(std::span<const std::byte> bytes) {
  try {
    Unpacker from(bytes);
    add_all(from.take<std::uint32_t>());
    add_all(from.take<std::uint8_t>());
    add_all(from.take<double>());
    add_all(std::span<const char>(from.take_text()));
    add_all(from.take<std::uint64_t>(2));
    from.require_end();
  } catch (const alnus::Error&) {
  }
}

void read(const std::string& path, std::size_t size) {
  try {
    for (std::uint64_t begin = 0;;) {
      PartFileReader part(path, begin);
      for (; !part.at_end(); part.next()) {
        const ChunkBytes chunk = part.read();
        if (chunk.bytes().size() != chunk.size) std::abort();
        add_all(chunk.bytes());
        unpack(chunk.bytes());
      }
      if (part.end() <= begin || part.end() > size) std::abort();
      if (!part.has_more()) break;
      begin = part.end();
    }
  } catch (const alnus::Error& error) {
    if (error.kind() != alnus::ErrorKind::input) std::abort();
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                               unsigned int seed) {
  // Changes the whole file, or in 3 of 4 cases only what follows the first magic. Then corrects sizes and
  // digests in 15 of 16 cases.
  const bool behind = seed % 4 != 0 && size > kMagic;
  const std::size_t fixed = behind ? kMagic : 0;
  const std::size_t result = fixed + LLVMFuzzerMutate(data + fixed, size - fixed, capacity - fixed);
  if (seed % 16 != 0) seal(data, result);
  return result;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = ::memfd_create("part", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  read(path, size);
  // A copy of the bytes that begins at a word, because arrays in a chunk begin at words.
  std::vector<std::uint64_t> words(size / kWord + 1);
  if (size > 0) std::memcpy(words.data(), data, size);
  unpack(std::as_bytes(std::span(words)).first(size));
  return 0;
}
