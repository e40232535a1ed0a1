// Reads the files in a zip archive.
#pragma once

#include <map>
#include <string>

namespace alnus::test {

// Returns all files by name, after comparing their checksums. Throws std::runtime_error if the archive is
// damaged.
std::map<std::string, std::string> read_zip(const std::string& path);

}  // namespace alnus::test
