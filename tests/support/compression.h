// Data for tests, compressed as other programs do it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <zlib.h>
#include <zstd.h>

namespace alnus::test {

struct GzipOptions {
  int level = 6;
  int strategy = Z_DEFAULT_STRATEGY;
  bool long_header = false;  // with extra field, file name, comment and header checksum
};

// Returns one gzip member.
inline std::string gzip(std::string_view text, const GzipOptions& options = {}) {
  constexpr int kGzipWrapper = 16;
  z_stream stream{};
  deflateInit2(&stream, options.level, Z_DEFLATED, MAX_WBITS + kGzipWrapper, 8, options.strategy);
  std::string extra(20, 'e'), name = "proteins.fasta", comment = "a comment";
  gz_header header{};
  if (options.long_header) {
    header.extra = reinterpret_cast<Bytef*>(extra.data());
    header.extra_len = static_cast<uInt>(extra.size());
    header.name = reinterpret_cast<Bytef*>(name.data());
    header.comment = reinterpret_cast<Bytef*>(comment.data());
    header.hcrc = 1;
    deflateSetHeader(&stream, &header);
  }
  std::string packed(deflateBound(&stream, text.size()) + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// Returns gzip members of at most 65,280 bytes of text each, whose headers have their sizes, and an empty one
// at the end.
inline std::string bgzf(std::string_view text) {
  constexpr std::size_t kBlock = 65280;
  std::string packed;
  for (std::size_t at = 0; at <= text.size() + kBlock - 1; at += kBlock) {
    const std::string_view block = at < text.size() ? text.substr(at, kBlock) : std::string_view();
    const std::string member = gzip(block);
    const std::string deflated = member.substr(10, member.size() - 18);
    const std::size_t size = 18 + deflated.size() + 8 - 1;
    packed += std::string("\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0", 16);
    packed += static_cast<char>(size & 0xff);
    packed += static_cast<char>(size >> 8);
    packed += deflated + member.substr(member.size() - 8);
    if (block.empty()) break;
  }
  return packed;
}

// Returns one zstd frame with a checksum.
inline std::string zstd(std::string_view text) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

inline std::string zstd_skippable(std::string_view content) {
  std::string frame("\x50\x2a\x4d\x18", 4);
  for (int shift = 0; shift < 32; shift += 8)
    frame += static_cast<char>(static_cast<std::uint32_t>(content.size()) >> shift);
  return frame + std::string(content);
}

// Returns the text of all members or frames of a file NAME.gz or NAME.zst. The test fails if the file is
// damaged.
std::string unpacked(const std::string& path);

}  // namespace alnus::test
