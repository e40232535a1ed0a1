// Digests of data, computed while the data are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace alnus::io {

// The XXH3-128 of bytes in their order.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void add(const void* data, std::size_t bytes);
  std::string text() const;  // 32 hexadecimal digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A digest of 32-bit values, each at a place, in any order: the sum of the XXH3-64 of each place with its
// value.
class PlacedDigest {
 public:
  void add(std::uint64_t place,
           std::span<const std::uint32_t> values);  // at `place` and the places behind it
  std::string text() const;                         // 16 hexadecimal digits

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace alnus::io
