// SHA-256 and SHA-512 (FIPS 180-4), computed by libsodium.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/stop_flag.h"

namespace alnus::io {

// The SHA-256 of bytes in their order.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void add(std::string_view bytes);
  std::string hex();  // 64 hexadecimal digits; the object cannot be used any more

 private:
  struct State;
  std::unique_ptr<State> state_;
};

using Sha256Bytes = std::array<unsigned char, 32>;
Sha256Bytes sha256_bytes(std::string_view bytes);
std::string sha256(std::string_view bytes);  // 64 hexadecimal digits
// The SHA-256 of a file's bytes as they are, compressed or not. Throws what open_stream() throws, and
// Interrupted.
std::string sha256_of_file(const std::string& path, const StopFlag& stop = StopFlag::never());
bool is_sha256(std::string_view text);  // 64 hexadecimal digits in lower case

using Sha512Bytes = std::array<unsigned char, 64>;
Sha512Bytes sha512(std::string_view bytes);
// GA4GH's sha512t24u: the first 24 bytes of the SHA-512 in 32 letters of base64url.
std::string sha512t24u(std::string_view bytes);

}  // namespace alnus::io
