// Small files that a directory keeps from one run to the next, and that other users might have written.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace alnus::io {

// Says in a clause why the files of this directory are not trusted, and what to do; empty if they are
// trusted. A directory is trusted if not everybody may write it and if it belongs to this process' user or to
// root. That of another user is trusted, too, unless everybody may write the folder above it, where anybody
// could have made it. The result is also empty if there is no such directory.
std::optional<std::string> distrust_of_directory(const std::string& directory);

// Reads a file in a directory that is trusted; empty if there is no such file. Throws Error(input), whose
// text is a clause, for what is no regular file, for a file that everybody may write, for a file of a user
// who may not write the directory, and for one of more than `most` bytes.
std::optional<std::string> read_kept(const std::string& directory, const std::string& path, std::size_t most);

}  // namespace alnus::io
