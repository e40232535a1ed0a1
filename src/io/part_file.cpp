#include "io/part_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zstd.h>

#include "io/open_file.h"
#include "io/packed.h"

namespace alnus::io {
namespace {

// zstd's fastest level but the negative ones: a part may have taken some seconds to compute, and compressing
// it must take little time beside that.
constexpr int kCompressionLevel = 1;

// The head of a frame that zstd skips: its magic number and the bytes that follow.
struct SkippedFrame {
  std::uint32_t magic = ZSTD_MAGIC_SKIPPABLE_START, bytes = 0;
};

// Appends skipped frames to the compressed form of `bytes` bytes of contents, until it has the least size
// that readers take (kMostCompression).
void fill_up(std::vector<std::byte>& stored, std::uint64_t bytes) {
  const std::uint64_t least = (bytes + kMostCompression - 1) / kMostCompression;
  constexpr std::uint64_t kMostOfFrame = 1 << 30;
  while (stored.size() < least) {
    SkippedFrame frame;
    frame.bytes = static_cast<std::uint32_t>(std::min(least - stored.size(), kMostOfFrame));
    const auto head = std::as_bytes(std::span(&frame, 1));
    stored.insert(stored.end(), head.begin(), head.end());
    stored.resize(stored.size() + frame.bytes);
  }
}

[[noreturn]] void refuse_file(const std::string& path, const std::string& what) {
  throw PartError(fmt::format("{} {}", path, what));
}

}  // namespace

std::string ChunkHeader::digest_with(const void* stored_bytes) const {
  const std::uint64_t numbers[] = {static_cast<std::uint64_t>(kind), bytes, stored};
  Digest of_chunk;
  of_chunk.add(numbers, sizeof numbers);
  of_chunk.add(stored_bytes, stored);
  return of_chunk.text();
}

void ChunkList::add(const ChunkHeader& header) {
  ++count_;
  digest_.add(&header, sizeof header);
}

ChunkHeader ChunkList::end() const {
  ChunkHeader header{ChunkKind::end, 0, count_, 0, {}};
  std::ranges::copy(digest_.text(), header.digest);
  return header;
}

PartFileWriter::PartFileWriter(const PartTarget& target) {
  if (target.appended)
    appended_.emplace(target.path);
  else
    file_.emplace(target.path);
  write(kPartMagic.data(), kPartMagic.size());
}

void PartFileWriter::write(const void* data, std::size_t bytes) {
  if (file_)
    file_->write(data, bytes);
  else
    appended_->write(data, bytes);
}

void PartFileWriter::commit() {
  const ChunkHeader end = chunks_.end();
  write(&end, sizeof end);
  if (file_)
    file_->commit();
  else
    appended_->commit();
}

void PartFileWriter::add(ChunkKind kind, std::span<const std::byte> bytes) {
  std::vector<std::byte> stored(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(stored.data(), stored.size(), bytes.data(), bytes.size(), kCompressionLevel);
  if (ZSTD_isError(size) != 0U) throw std::bad_alloc();
  stored.resize(size);
  fill_up(stored, bytes.size());
  ChunkHeader header{kind, 0, bytes.size(), stored.size(), {}};
  std::ranges::copy(header.digest_with(stored.data()), header.digest);
  chunks_.add(header);
  write(&header, sizeof header);
  write(stored.data(), stored.size());
}

void PartFileWriter::add(ChunkKind kind, std::string_view text) { add(kind, std::as_bytes(std::span(text))); }

PartFileReader::PartFileReader(std::string path, std::uint64_t begin) : path_(std::move(path)), next_(begin) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  fd_ = open_file(path_, O_RDONLY | O_NONBLOCK);
  if (fd_ < 0)
    refuse_file(path_, fmt::format("cannot be opened: {}.", std::generic_category().message(errno)));
  try {
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode))
      refuse_file(path_, "is no file: a part is one that alnus wrote.");
    size_ = static_cast<std::uint64_t>(status.st_size);
    if (begin > size_) refuse("the file ends before that");
    char magic[kPartMagic.size()] = {};
    read_at(begin, magic, std::min<std::uint64_t>(kPartMagic.size(), size_ - begin));
    const std::string_view found(magic, kPartMagic.size());
    constexpr std::string_view kAnyVersion = kPartMagic.substr(0, 11);
    if (!found.starts_with(kAnyVersion)) {
      if (begin > 0) refuse("no part begins there");
      constexpr std::string_view kGzip = "\x1f\x8b", kZstd = "\x28\xb5\x2f\xfd";
      if (found.starts_with(kGzip) || found.starts_with(kZstd))
        refuse_file(path_,
                    fmt::format("is compressed ({0}), and parts are read as alnus wrote them. Decompress "
                                "it first ({0} -d).",
                                found.starts_with(kGzip) ? "gzip" : "zstd"));
      refuse_file(path_, fmt::format("is no part of a job: parts are what {} I/N writes.", option("part")));
    }
    if (found != kPartMagic)
      refuse_file(path_, "was written by another version of alnus, in another format. Compute it again.");
    next_ = begin + kPartMagic.size();
    read_header();
    if (header_.kind == ChunkKind::end) refuse("no chunk begins there");
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

PartFileReader::~PartFileReader() { ::close(fd_); }

void PartFileReader::refuse(const std::string& damage) const {
  refuse_file(path_, fmt::format("is damaged from byte {} on: {}. Compute this part again.", next_, damage));
}

void PartFileReader::read_at(std::uint64_t offset, void* data, std::uint64_t bytes) const {
  const BytesRead read = io::read_at(fd_, offset, data, bytes);
  if (read.error != 0)
    refuse_file(path_, fmt::format("cannot be read: {}.", std::generic_category().message(read.error)));
  if (read.bytes < bytes) refuse("it became shorter while it was read");
}

void PartFileReader::read_header() {
  if (size_ - next_ < sizeof header_) refuse("the file ends in the middle of a chunk");
  read_at(next_, &header_, sizeof header_);
  if (header_.reserved != 0 || header_.kind < ChunkKind::job || header_.kind > ChunkKind::end)
    refuse("no chunk begins there");
  if (header_.kind == ChunkKind::end) return;
  if (header_.stored > size_ - next_ - sizeof header_) refuse("the file ends in the middle of a chunk");
  if (header_.bytes > kMostCompression * header_.stored) refuse("its contents are longer than they can be");
  chunks_.add(header_);
}

void PartFileReader::check_end() const {
  const ChunkHeader expected = chunks_.end();
  if (std::memcmp(&header_, &expected, sizeof expected) != 0)
    refuse(
        "the digest of all chunks does not match, as if chunks were missing, or came twice or in another "
        "order");
}

void PartFileReader::next() {
  const bool was_last = header_.kind == ChunkKind::summary;
  next_ += sizeof header_ + header_.stored;
  if (next_ == size_)
    refuse("the file ends before the part does, as if its task had been killed or were still at work");
  read_header();
  if (was_last != (header_.kind == ChunkKind::end))
    refuse(was_last ? "the part does not end behind its summary" : "the part ends without its summary");
  if (!was_last) return;
  check_end();
  next_ += sizeof header_;
  at_end_ = true;
}

ChunkBytes PartFileReader::read() const {
  std::vector<std::byte> stored(header_.stored);
  read_at(next_ + sizeof header_, stored.data(), stored.size());
  if (header_.digest_with(stored.data()) != std::string_view(header_.digest, sizeof header_.digest))
    refuse("its digest does not match");
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != header_.bytes)
    refuse("it cannot be decompressed");
  auto owner = std::make_shared<std::vector<std::uint64_t>>((header_.bytes + kWord - 1) / kWord);
  const std::size_t size =
      ZSTD_decompress(owner->data(), owner->size() * kWord, stored.data(), stored.size());
  if (ZSTD_isError(size) != 0U || size != header_.bytes) refuse("it cannot be decompressed");
  return {std::move(owner), size};
}

}  // namespace alnus::io
