// A file in memory as the system maps it, which another program may shorten meanwhile.
#pragma once

#include <cstddef>

#include "alnus/database.h"

namespace alnus::io {

// The first bytes of an open file, to be read only. Every mapping of the process is known to
// zero_lost_pages() (alnus/database.h) for as long as it lives.
class Mapping {
 public:
  Mapping(int fd, std::size_t size);  // throws std::system_error
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const unsigned char* data() const;
  bool has_lost_pages() const;  // zeros are in their place

 private:
  friend bool alnus::zero_lost_pages(const void* address) noexcept;
  struct Entry;
  Entry* const entry_;
  const std::size_t size_;
};

}  // namespace alnus::io
