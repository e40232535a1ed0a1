// Texts compressed and not.
#pragma once

#include <string>
#include <string_view>

namespace alnus::test {

std::string gzipped(std::string_view text);
std::string zstandard(std::string_view text);
// What gzip or zstd made of a text, with all members and frames; a failure where it is damaged.
std::string unpacked(const std::string& path);

}  // namespace alnus::test
