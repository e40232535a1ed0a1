// A file that is mapped into memory, and which another program may shorten meanwhile.
#pragma once

#include <cstddef>

#include "alnus/database.h"

namespace alnus::io {

// Maps the first `size` bytes of an open file for reading. zero_lost_pages() (alnus/database.h) knows every
// mapping of the process as long as the mapping lives.
class Mapping {
 public:
  Mapping(int fd, std::size_t size);  // throws std::system_error
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const unsigned char* data() const;
  bool has_lost_pages() const;  // true if zeros have taken the place of pages that the file lost

 private:
  friend bool alnus::zero_lost_pages(const void* address) noexcept;
  struct Entry;
  Entry* const entry_;
  const std::size_t size_;
};

}  // namespace alnus::io
