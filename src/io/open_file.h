// Opens files for the library.
#pragma once

#include <string>
#include <sys/types.h>

namespace alnus::io {

// As open(), with O_CLOEXEC, but the descriptor is never 0, 1 or 2. A process may have closed one of these,
// and what it writes to standard output or standard error afterwards must not reach the file.
int open_file(const std::string& path, int flags, mode_t mode = 0);

}  // namespace alnus::io
