#include "io/compressor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "io/output_name.h"

namespace alnus::io {
namespace {

// Compresses one block with zlib, whose output is the same on every processor.
class BlockDeflater {
 public:
  BlockDeflater() {
    constexpr int kNoWrapper = -1;  // the stream has one head and one checksum for all blocks
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kNoWrapper * MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~BlockDeflater() { deflateEnd(&stream_); }
  BlockDeflater(const BlockDeflater&) = delete;
  BlockDeflater& operator=(const BlockDeflater&) = delete;

  // `before` is the end of the text before the block, at most 32 KiB; the compressed block may refer to it.
  void deflate_block(const TextBlock& block, std::string_view before) {
    deflateReset(&stream_);
    if (!before.empty()) deflateSetDictionary(&stream_, bytes_of(before), static_cast<uInt>(before.size()));
    stream_.next_in = bytes_of(block.text);
    stream_.avail_in = static_cast<uInt>(block.text.size());
    packed_.clear();
    do {
      constexpr std::size_t kOutputBytes = 1 << 17;
      packed_.resize(packed_.size() + kOutputBytes);
      stream_.next_out = reinterpret_cast<Bytef*>(packed_.data() + packed_.size() - kOutputBytes);
      stream_.avail_out = static_cast<uInt>(kOutputBytes);
      deflate(&stream_, block.last ? Z_FINISH : Z_SYNC_FLUSH);
      packed_.resize(packed_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    checksum_ = crc32_z(0, bytes_of(block.text), block.text.size());
  }
  const std::string& packed() const { return packed_; }
  uLong checksum() const { return checksum_; }  // of the block's text

 private:
  static Bytef* bytes_of(std::string_view text) {
    return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  }

  z_stream stream_{};
  std::string packed_;
  uLong checksum_ = 0;
};

// Makes a gzip member (RFC 1952) of each stream. The blocks of a stream are compressed independently of each
// other, each with the text before it as zlib's dictionary, and are written into the member one after the
// other.
class GzipCompressor final : public Compressor {
 public:
  void compress(std::span<const TextBlock> blocks, ThreadPool& pool, const StopFlag& stop,
                const Write& write) override {
    while (deflaters_.size() < blocks.size()) deflaters_.push_back(std::make_unique<BlockDeflater>());
    pool.for_each(blocks.size(), [&](std::size_t k) {
      stop.throw_if_requested();
      deflaters_[k]->deflate_block(blocks[k], k == 0 ? std::string_view(before_) : end_of(blocks[k - 1]));
    });
    for (std::size_t k = 0; k < blocks.size(); ++k) append(blocks[k], *deflaters_[k], write);
    if (!blocks.empty()) before_ = end_of(blocks.back());
  }

 private:
  // The end of the block's text, to which the next block of the stream may refer; empty after the last block.
  static std::string_view end_of(const TextBlock& block) {
    constexpr std::size_t kWindow = 1 << MAX_WBITS;
    if (block.last) return {};
    const std::string_view text = block.text;
    return text.substr(text.size() - std::min(text.size(), kWindow));
  }

  void append(const TextBlock& block, const BlockDeflater& deflated, const Write& write) {
    // The head of a gzip member: no name, no time, made on Unix.
    constexpr std::string_view kHead("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    if (!begun_) write(kHead);
    begun_ = !block.last;
    write(deflated.packed());
    checksum_ = crc32_combine(checksum_, deflated.checksum(), static_cast<z_off_t>(block.text.size()));
    bytes_ += static_cast<std::uint32_t>(block.text.size());
    if (!block.last) return;
    std::array<char, 8> end{};
    for (std::size_t k = 0; k < 4; ++k) {
      end[k] = static_cast<char>(checksum_ >> 8 * k & 255);
      end[4 + k] = static_cast<char>(bytes_ >> 8 * k & 255);
    }
    write({end.data(), end.size()});
    checksum_ = 0;
    bytes_ = 0;
  }

  std::vector<std::unique_ptr<BlockDeflater>> deflaters_;  // as many as a call had blocks at most
  std::string before_;
  // The stream that has begun: the CRC-32 of its text so far, and the text's bytes modulo 2^32.
  bool begun_ = false;
  uLong checksum_ = 0;
  std::uint32_t bytes_ = 0;
};

// Compresses a TextBlock into a zstd frame of its own.
class BlockFramer {
 public:
  BlockFramer() : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void compress(std::string_view text) {
    frame_.resize(ZSTD_compressBound(text.size()));
    const std::size_t size =
        ZSTD_compress2(context_.get(), frame_.data(), frame_.size(), text.data(), text.size());
    if (ZSTD_isError(size)) throw std::bad_alloc();  // the only failure with these parameters
    frame_.resize(size);
  }
  const std::string& frame() const { return frame_; }

 private:
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::string frame_;
};

// Makes a series of zstd frames of each stream, one for each block with text. A stream without text is an
// empty frame.
class ZstdCompressor final : public Compressor {
 public:
  void compress(std::span<const TextBlock> blocks, ThreadPool& pool, const StopFlag& stop,
                const Write& write) override {
    while (framers_.size() < blocks.size()) framers_.push_back(std::make_unique<BlockFramer>());
    pool.for_each(blocks.size(), [&](std::size_t k) {
      stop.throw_if_requested();
      framers_[k]->compress(blocks[k].text);
    });
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const TextBlock& block = blocks[k];
      if (!block.text.empty() || (block.last && !begun_)) write(framers_[k]->frame());
      begun_ = !block.last && (begun_ || !block.text.empty());
    }
  }

 private:
  std::vector<std::unique_ptr<BlockFramer>> framers_;  // as many as a call had blocks at most
  bool begun_ = false;                                 // the stream has a frame
};

}  // namespace

std::unique_ptr<Compressor> compressor_for(std::string_view name) {
  if (has_ending(name, ".gz")) return std::make_unique<GzipCompressor>();
  if (has_ending(name, ".zst")) return std::make_unique<ZstdCompressor>();
  return nullptr;
}

}  // namespace alnus::io
