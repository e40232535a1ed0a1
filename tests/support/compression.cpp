#include "support/compression.h"

#include <gtest/gtest.h>

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

std::string unpacked(const std::string& path) {
  return path.ends_with(".zst") ? unzstandard(path) : gunzipped(path);
}

}  // namespace alnus::test
