#include "cpu/aligned_buffer.h"

#include <fmt/format.h>

#include "alnus/error.h"

namespace alnus::cpu {

std::uint8_t* AlignedBuffer::at_least(std::uint64_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  if (bytes > size_) {
    data_.reset();
    size_ = 0;
    const std::uint64_t rounded = (bytes + kPage - 1) / kPage * kPage;
    data_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(kPage, rounded)));
    if (!data_)
      throw Error(ErrorKind::memory, fmt::format("Out of memory: {} bytes for a tile on the CPU.", bytes));
    size_ = rounded;
  }
  return data_.get();
}

}  // namespace alnus::cpu
