// Copies many small arrays to the device as one.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "cuda/runtime.h"

namespace alnus::cuda {

class Staging {
 public:
  // The place of an array that add() took. After upload(), at() gives the array's address on the device.
  template <class T>
  struct Place {
    std::size_t offset = 0;
  };

  void clear() { bytes_.clear(); }

  template <class T>
  Place<T> add(std::span<const T> values) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t offset = (bytes_.size() + kAlignment - 1) / kAlignment * kAlignment;
    bytes_.resize(offset + values.size_bytes());
    if (!values.empty()) std::memcpy(bytes_.data() + offset, values.data(), values.size_bytes());
    return {offset};
  }
  template <class T>
  Place<T> add(const std::vector<T>& values) {
    return add(std::span<const T>(values));
  }

  // Copies all arrays to the device, on the stream. The pinned copy on the host is in use until the stream
  // has done this.
  void upload(cudaStream_t stream) {
    std::byte* const pinned = pinned_.reserve(bytes_.size());
    if (!bytes_.empty()) std::memcpy(pinned, bytes_.data(), bytes_.size());
    copy_to_device(device_.reserve(bytes_.size()), pinned, bytes_.size(), stream);
  }

  // The device address of an array, valid until the next upload().
  template <class T>
  const T* at(Place<T> place) const {
    return reinterpret_cast<const T*>(device_.data() + place.offset);
  }

 private:
  std::vector<std::byte> bytes_;
  PinnedArray<std::byte> pinned_;
  DeviceArray<std::byte> device_;
};

}  // namespace alnus::cuda
