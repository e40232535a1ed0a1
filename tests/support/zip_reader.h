// The files in a zip archive, by name.
#pragma once

#include <map>
#include <string>

namespace alnus::test {

// All of them, their checksums compared. Throws std::runtime_error naming what is damaged.
std::map<std::string, std::string> read_zip(const std::string& path);

}  // namespace alnus::test
