// A buffer for vectors that grows when needed and keeps its memory.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace alnus::cpu {

class AlignedBuffer {
 public:
  // Returns at least `bytes` bytes, aligned to a page (4096 bytes). When the buffer grows, its contents are
  // lost. Throws Error(memory) if the allocation fails.
  std::uint8_t* at_least(std::uint64_t bytes);

 private:
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint8_t, Free> data_;
  std::uint64_t size_ = 0;
};

}  // namespace alnus::cpu
