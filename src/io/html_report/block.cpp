#include "io/html_report/block.h"

#include <libdeflate.h>
#include <memory>
#include <new>
#include <sodium.h>

namespace alnus::io {
namespace {

constexpr int kLevel = 6;  // zlib's default: higher levels take twice the time for 2% of the size

std::string deflated(std::string_view bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
  if (!compressor) throw std::bad_alloc();
  std::string stream(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()), '\0');
  stream.resize(
      libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), stream.data(), stream.size()));
  return stream;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  text.pop_back();  // the NUL at the end
  return text;
}

std::string report_block(std::string_view name, std::string_view bytes) {
  std::string line = R"(<script type="application/vnd.alnus.report" id=")";
  line.append(name).append(R"(">)").append(base64(deflated(bytes))).append("</script>\n");
  return line;
}

}  // namespace alnus::io
