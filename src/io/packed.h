// Arrays one after the other in one buffer, which are read back without copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "alnus/error.h"

namespace alnus::io {

inline constexpr std::size_t kWord = sizeof(std::uint64_t);

// Each array is its number of elements in 8 bytes, then the elements, padded to a multiple of 8 bytes.
// Everything is little-endian, as every machine is that alnus runs on.
class Packer {
 public:
  template <class T>
  void add(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kWord);
    const std::uint64_t count = values.size();
    const std::size_t begin = bytes_.size(), words = (values.size_bytes() + kWord - 1) / kWord;
    bytes_.resize(begin + (1 + words) * kWord);
    std::memcpy(&bytes_[begin], &count, sizeof count);
    if (count > 0) std::memcpy(&bytes_[begin + kWord], values.data(), values.size_bytes());
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::span<const T>(values));
  }
  void add(std::string_view text) { add(std::span<const char>(text)); }

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// Hands the arrays out in the order in which they were added. The buffer must begin at an address that is a
// multiple of 8, and outlive the spans that are handed out. Throws Error(input) if the buffer does not have
// the array that is asked for.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
  std::span<const T> take() {
    std::uint64_t count = 0;
    if (left_.size() < sizeof count) fail();
    std::memcpy(&count, left_.data(), sizeof count);
    left_ = left_.subspan(sizeof count);
    if (count > left_.size() / sizeof(T)) fail();
    const auto* begin = reinterpret_cast<const T*>(left_.data());
    const std::size_t words = (count * sizeof(T) + kWord - 1) / kWord;
    if (words * kWord > left_.size()) fail();
    left_ = left_.subspan(words * kWord);
    return {begin, count};
  }
  // The next array, which must have `count` elements.
  template <class T>
  std::span<const T> take(std::size_t count) {
    const std::span<const T> values = take<T>();
    if (values.size() != count) fail();
    return values;
  }
  std::string_view take_text() {
    const std::span<const char> text = take<char>();
    return {text.data(), text.size()};
  }
  void require_end() const {
    if (!left_.empty()) fail();
  }
  [[noreturn]] static void fail() {
    throw Error(ErrorKind::input, "its arrays have other sizes than they should");
  }

 private:
  std::span<const std::byte> left_;
};

}  // namespace alnus::io
