// An array of bytes that grows without a copy if the system can move its pages instead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace alnus::io {

// std::vector would hold the old and the new bytes at once whenever it grows, and would write zeros first.
// realloc() moves large arrays through their page tables, and bytes that are not written take no memory.
template <typename Byte>
class GrowingArray {
  static_assert(sizeof(Byte) == 1 && std::is_trivially_copyable_v<Byte>);

 public:
  // Makes room for `count` more bytes and returns where the room begins. Bytes that are written there count
  // after added().
  Byte* room(std::size_t count) {
    if (capacity_ - size_ < count) reallocate(std::max({size_ + count, 2 * capacity_, kSmallest}));
    return bytes_.get() + size_;
  }
  void added(std::size_t count) { size_ += count; }
  void cut(std::size_t size) { size_ = size; }

  void shrink_to_fit() {
    if (size_ > 0 && size_ < capacity_) reallocate(size_);
  }
  std::size_t size() const { return size_; }
  std::span<Byte> span() { return {bytes_.get(), size_}; }
  std::span<const Byte> span() const { return {bytes_.get(), size_}; }

 private:
  static constexpr std::size_t kSmallest = 4096;
  struct Free {
    void operator()(Byte* bytes) const { std::free(bytes); }
  };

  void reallocate(std::size_t capacity) {
    void* moved = std::realloc(bytes_.get(), capacity);
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(static_cast<Byte*>(moved));
    capacity_ = capacity;
  }

  std::unique_ptr<Byte, Free> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace alnus::io
