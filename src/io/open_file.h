// Opens files for the library, and reads bytes at a place of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace alnus::io {

// Opens a file as open() does, with O_CLOEXEC, but the descriptor is never 0, 1 or 2. A process may have
// closed one of these, and what it writes to standard output or standard error afterwards must not reach the
// file.
int open_file(const std::string& path, int flags, mode_t mode = 0);

// Returns another descriptor of the same open file in place of 0, 1 or 2, which it closes; if the system
// gives none, a negative number, with errno. Other numbers come back as they are.
int above_standard(int fd);

// What read_at() has read: fewer bytes than were wanted if the file ends before, or after an error.
struct BytesRead {
  std::size_t bytes = 0;
  int error = 0;  // errno of the error; 0: none
};
// Reads `bytes` bytes of a file into `data`, from byte `offset` of the file on.
BytesRead read_at(int fd, std::uint64_t offset, void* data, std::size_t bytes);

}  // namespace alnus::io
