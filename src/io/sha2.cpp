#include "io/sha2.h"

#include <algorithm>
#include <sodium.h>
#include <vector>

#include "io/byte_source.h"

namespace alnus::io {
namespace {

const unsigned char* as_unsigned(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

struct Sha256::State {
  crypto_hash_sha256_state sodium;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { crypto_hash_sha256_init(&state_->sodium); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes) {
  crypto_hash_sha256_update(&state_->sodium, as_unsigned(bytes), bytes.size());
}

std::string Sha256::hex() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256_final(&state_->sodium, digest.data());
  std::string text(2 * digest.size() + 1, '\0');  // libsodium ends it with a byte 0
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  text.pop_back();
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

Sha256Bytes sha256_bytes(std::string_view bytes) {
  Sha256Bytes digest{};
  static_assert(digest.size() == crypto_hash_sha256_BYTES);
  crypto_hash_sha256(digest.data(), as_unsigned(bytes), bytes.size());
  return digest;
}

std::string sha256_of_file(const std::string& path, const StopFlag& stop) {
  constexpr std::size_t kPiece = 1 << 18;
  const std::unique_ptr<ByteSource> source = open_stream(path);
  std::vector<char> piece(kPiece);
  Sha256 digest;
  for (;;) {
    stop.throw_if_requested();
    const std::size_t count = source->read(piece.data(), piece.size(), stop);
    if (count == 0) return digest.hex();
    digest.add({piece.data(), count});
  }
}

bool is_sha256(std::string_view text) {
  constexpr std::size_t kDigits = 2 * crypto_hash_sha256_BYTES;
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

Sha512Bytes sha512(std::string_view bytes) {
  Sha512Bytes digest{};
  static_assert(digest.size() == crypto_hash_sha512_BYTES);
  crypto_hash_sha512(digest.data(), as_unsigned(bytes), bytes.size());
  return digest;
}

std::string sha512t24u(std::string_view bytes) {
  constexpr std::size_t kKept = 24;  // bytes
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  const Sha512Bytes digest = sha512(bytes);
  std::string text(sodium_base64_ENCODED_LEN(kKept, kVariant), '\0');  // with a byte 0 at its end
  sodium_bin2base64(text.data(), text.size(), digest.data(), kKept, kVariant);
  text.pop_back();
  return text;
}

}  // namespace alnus::io
