#include "io/decompressor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <new>
#include <string_view>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "alnus/error.h"
#include "io/database_format.h"

namespace alnus::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kInputBytes = 1 << 17;
constexpr std::size_t kMagicBytes = 8;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", name, what));
}

[[noreturn]] void fail_truncated(const std::string& name, const char* format, std::uint64_t position) {
  fail(name, fmt::format("the {} data break off after {} bytes of the compressed file. It is truncated: "
                         "copy or download it again.",
                         format, position));
}

[[noreturn]] void fail_damaged(const std::string& name, const char* format, std::uint64_t position,
                               std::string_view reason) {
  fail(name, fmt::format("the {} data are damaged at or before byte {} of the compressed file ({}). Copy or "
                         "download it again.",
                         format, position, reason));
}

// A source whose first bytes can be looked at before they are read.
class Unread final : public ByteSource {
 public:
  Unread(std::unique_ptr<ByteSource> source, const StopFlag& stop)
      : begin_(kMagicBytes, '\0'), rest_(std::move(source)) {
    begin_.resize(rest_->read(begin_.data(), begin_.size(), stop));
  }

  std::string_view begin() const { return begin_; }

  std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) override {
    const std::size_t count = begin_.copy(to, capacity);
    begin_.erase(0, count);
    return count + rest_->read(to + count, capacity - count, stop);
  }

 private:
  std::string begin_;
  std::unique_ptr<ByteSource> rest_;
};

// The compressed bytes of the source, buffered.
class Compressed {
 public:
  explicit Compressed(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), buffer_(kInputBytes) {}

  // The bytes that are not used yet; empty at the end of the file.
  std::string_view get(const StopFlag& stop) {
    if (unused_.empty()) {
      unused_ = {buffer_.data(), source_->read(buffer_.data(), buffer_.size(), stop)};
      read_ += unused_.size();
    }
    return unused_;
  }
  void use(std::size_t bytes) { unused_.remove_prefix(bytes); }
  std::uint64_t position() const { return read_ - unused_.size(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::string_view unused_;
  std::uint64_t read_ = 0;
};

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> source, std::string name)
      : input_(std::move(source)), name_(std::move(name)) {
    constexpr int kGzipWrapper = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipWrapper) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) override {
    std::size_t size = 0;
    while (size < capacity && (in_member_ || find_member(stop)))
      size += decode(to + size, capacity - size, stop);
    return size;
  }

 private:
  // Goes to the next gzip member, and skips zeros before it. Returns false at the end of the file.
  bool find_member(const StopFlag& stop) {
    for (std::string_view in = input_.get(stop); !in.empty(); in = input_.get(stop)) {
      const std::size_t zeros = std::min(in.find_first_not_of('\0'), in.size());
      input_.use(zeros);
      if (zeros == in.size()) continue;
      if (in[zeros] != '\x1f') {
        fail(name_, fmt::format("byte {} of the compressed file follows the gzip data and is none. Remove "
                                "what was appended, or copy or download the file again.",
                                input_.position()));
      }
      inflateReset(&stream_);
      in_member_ = true;
      return true;
    }
    return false;
  }

  std::size_t decode(char* to, std::size_t capacity, const StopFlag& stop) {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
    const std::string_view in = input_.get(stop);
    const auto room = static_cast<uInt>(std::min(capacity, kMost));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = room;
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    input_.use(in.size() - stream_.avail_in);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_BUF_ERROR) fail_truncated(name_, "gzip", input_.position());  // ends within a member
    if (status != Z_OK && status != Z_STREAM_END) {
      fail_damaged(name_, "gzip", input_.position(),
                   stream_.msg != nullptr ? stream_.msg : "no deflate stream");
    }
    in_member_ = status == Z_OK;
    return room - stream_.avail_out;
  }

  Compressed input_;
  std::string name_;
  z_stream stream_{};
  bool in_member_ = true;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> source, std::string name)
      : input_(std::move(source)), name_(std::move(name)), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
    begin_bytes_ = wanted_bytes_ = ZSTD_initDStream(context_.get());
  }

  std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) override {
    ZSTD_outBuffer out{to, capacity, 0};
    while (out.pos < out.size) {
      const std::string_view bytes = input_.get(stop);
      if (bytes.empty() && !in_frame_) break;
      // Takes at most the bytes that zstd asks for, which end with a block or a checksum, so that errors name
      // a place.
      ZSTD_inBuffer in{bytes.data(), std::min(bytes.size(), wanted_bytes_), 0};
      const std::size_t before = out.pos;
      const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
      input_.use(ZSTD_isError(left) ? in.size : in.pos);
      if (ZSTD_isError(left)) fail_decoding(left);
      in_frame_ = left != 0;
      wanted_bytes_ = in_frame_ ? left : begin_bytes_;
      if (bytes.empty() && out.pos == before) fail_truncated(name_, "zstd", input_.position());
    }
    return out.pos;
  }

 private:
  [[noreturn]] void fail_decoding(std::size_t result) const {
    const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
    if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (code == ZSTD_error_frameParameter_windowTooLarge) {
      fail(name_, "its zstd window is larger than 128 MiB. Compress it again without --long or --ultra.");
    }
    fail_damaged(name_, "zstd", input_.position(), ZSTD_getErrorName(result));
  }

  Compressed input_;
  std::string name_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  std::size_t begin_bytes_ = 0, wanted_bytes_ = 0;
  bool in_frame_ = true;
};

// zstd data may begin with a skippable frame, as pzstd's do.
bool is_zstd(std::string_view begin) {
  return begin.starts_with("\x28\xb5\x2f\xfd"sv) ||
         (begin.size() >= 4 && (begin[0] & 0xf0) == 0x50 && begin.substr(1, 3) == "\x2a\x4d\x18"sv);
}

// True for files of Word, Excel, LibreOffice, Pages and Numbers. The newer ones are zip archives: the name of
// the first file in the archive stands behind 30 bytes, and is read only of archives.
bool is_office_document(Unread& source, const StopFlag& stop) {
  constexpr std::size_t kName = 30;
  constexpr std::array kNames = {"[Content_Types].xml"sv,
                                 "_rels/"sv,
                                 "docProps/"sv,
                                 "word/"sv,
                                 "xl/"sv,
                                 "mimetypeapplication/vnd.oasis"sv,
                                 "Index/Document.iwa"sv,
                                 "preview.jpg"sv,
                                 "preview-"sv};
  if (source.begin().starts_with("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv)) return true;
  if (!source.begin().starts_with("PK\x03\x04"sv)) return false;
  std::array<char, 2 * kName> head{};
  const std::string_view read(head.data(), source.read(head.data(), head.size(), stop));
  const std::string_view name = read.substr(std::min(kName, read.size()));
  return std::ranges::any_of(kNames, [&](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace

std::string_view compressed_by(std::string_view begin) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPrograms = {
      {{"\x1f\x8b"sv, "gzip"},
       {"\xfd\x37zXZ\0"sv, "xz"},
       {"BZh91A"sv, "bzip2"},
       {"PK\x03\x04"sv, "zip"},
       {"\x04\x22\x4d\x18"sv, "lz4"},
       {"\x1f\x9d"sv, "compress"}}};
  if (is_zstd(begin)) return "zstd";
  for (const auto& [magic, program] : kPrograms)
    if (begin.starts_with(magic)) return program;
  return {};
}

std::string_view wide_encoding(std::string_view begin) {
  if (begin.starts_with("\xff\xfe\0\0"sv) || begin.starts_with("\0\0\xfe\xff"sv)) return "UTF-32";
  if (begin.starts_with("\xff\xfe"sv) || begin.starts_with("\xfe\xff"sv)) return "UTF-16";
  return {};
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, const std::string& name,
                                         const StopFlag& stop) {
  auto bytes = std::make_unique<Unread>(std::move(source), stop);
  const std::string_view program = compressed_by(bytes->begin());
  if (is_office_document(*bytes, stop))
    fail(name,
         "it looks like a file of Word, Excel, LibreOffice, Pages or Numbers. Save it as plain text, with "
         "its sequences in "
         "FASTA format.");
  if (!program.empty()) {
    std::unique_ptr<ByteSource> text;
    if (program == "gzip") text = std::make_unique<GzipSource>(std::move(bytes), name);
    if (program == "zstd") text = std::make_unique<ZstdSource>(std::move(bytes), name);
    if (!text)
      fail(name,
           fmt::format("it is compressed by {}; alnus reads gzip and zstd. Decompress it first.", program));
    bytes = std::make_unique<Unread>(std::move(text), stop);
    if (const std::string_view inner = compressed_by(bytes->begin()); !inner.empty())
      fail(name, fmt::format("it is compressed twice, by {} and then by {}; alnus undoes one of them. "
                             "Decompress it first.",
                             inner, program));
  }
  if (const std::string_view encoding = wide_encoding(bytes->begin()); !encoding.empty())
    fail(name,
         fmt::format("it is text in {0}; alnus reads ASCII and UTF-8. Convert it first, as iconv -f {0} "
                     "-t UTF-8 does.",
                     encoding));
  if (bytes->begin() == std::string_view(format::kMagic.data(), format::kMagic.size()))
    fail(name, program.empty()
                   ? "it is a database of alnus makedb. Give its file, not a pipe, where sequences are read."
                   : fmt::format("it is a database of alnus makedb that was compressed by {}. Decompress it, "
                                 "and give its file.",
                                 program));
  return bytes;
}

}  // namespace alnus::io
