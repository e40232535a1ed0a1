#include "io/compressor.h"

#include <new>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace alnus::io {
namespace {

constexpr std::size_t kOutputBytes = 1 << 18;

// zlib, because its output is the same on every processor.
class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() : output_(kOutputBytes) {
    constexpr int kGzipWrapper = 16;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipWrapper, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }

  void compress(std::string_view bytes, bool last, const Write& write) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
      stream_.avail_out = static_cast<uInt>(output_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      write({output_.data(), output_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
    if (last) deflateReset(&stream_);
  }

 private:
  z_stream stream_{};
  std::vector<char> output_;
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx), output_(ZSTD_CStreamOutSize()) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  void compress(std::string_view bytes, bool last, const Write& write) override {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer output{output_.data(), output_.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context_.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) throw std::bad_alloc();  // the only way to fail with these parameters
      write({output_.data(), output.pos});
      done = last ? left == 0 : input.pos == input.size;
    }
  }

 private:
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::vector<char> output_;
};

}  // namespace

std::unique_ptr<Compressor> compressor_for(std::string_view name) {
  if (name.ends_with(".gz")) return std::make_unique<GzipCompressor>();
  if (name.ends_with(".zst")) return std::make_unique<ZstdCompressor>();
  return nullptr;
}

}  // namespace alnus::io
