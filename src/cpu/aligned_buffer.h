// Memory for vectors, grown as needed and kept.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace alnus::cpu {

class AlignedBuffer {
 public:
  // At least that many bytes, aligned to a page. What was there before is lost when it grows. Throws
  // Error(memory).
  std::uint8_t* at_least(std::uint64_t bytes);

 private:
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint8_t, Free> data_;
  std::uint64_t size_ = 0;
};

}  // namespace alnus::cpu
