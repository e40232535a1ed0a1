#include "io/digest.h"

#include <fmt/format.h>
#include <new>

#define XXH_INLINE_ALL  // inline, because PlacedDigest calls it for each value
#include <xxhash.h>

namespace alnus::io {

struct Digest::State {
  XXH3_state_t* hash = XXH3_createState();
  State() {
    if (hash == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(hash);
  }
  ~State() { XXH3_freeState(hash); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::~Digest() = default;

void Digest::add(const void* data, std::size_t bytes) { XXH3_128bits_update(state_->hash, data, bytes); }

std::string Digest::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->hash);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

void PlacedDigest::add(std::uint64_t place, std::span<const std::uint32_t> values) {
  for (const std::uint32_t value : values) {
    const std::uint64_t placed[] = {place++, value};
    sum_ += XXH3_64bits(placed, sizeof placed);
  }
}

std::string PlacedDigest::text() const { return fmt::format("{:016x}", sum_); }

}  // namespace alnus::io
