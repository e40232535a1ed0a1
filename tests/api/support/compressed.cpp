#include "api/support/compressed.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "support/temp_dir.h"

namespace alnus::test {
namespace {

std::string gunzipped(const std::string& path) {
  const gzFile in = gzopen(path.c_str(), "rb");
  std::string text, buffer(1 << 16, '\0');
  for (int n = 0; (n = gzread(in, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;)
    text.append(buffer, 0, static_cast<std::size_t>(n));
  int error = 0;
  gzerror(in, &error);
  EXPECT_EQ(error, Z_OK) << path;
  gzclose(in);
  return text;
}

std::string unzstandard(const std::string& path) {
  const std::string packed = read_file(path);
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::string text, buffer(1 << 16, '\0');
  std::size_t left = 1;
  while (in.pos < in.size) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    left = ZSTD_decompressStream(context, &out, &in);
    if (ZSTD_isError(left)) break;
    text.append(buffer, 0, out.pos);
  }
  EXPECT_EQ(left, 0u) << path;
  ZSTD_freeDCtx(context);
  return text;
}

}  // namespace

std::string gzipped(std::string_view text) {
  constexpr int kGzipWrapper = 16;
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + kGzipWrapper, 8, Z_DEFAULT_STRATEGY);
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

std::string zstandard(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

std::string unpacked(const std::string& path) {
  return path.ends_with(".zst") ? unzstandard(path) : gunzipped(path);
}

}  // namespace alnus::test
