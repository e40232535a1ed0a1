// Numbers as users read them.
#pragma once

#include <cstdint>
#include <string>

namespace alnus::cli {

std::string format_count(std::uint64_t number);  // "1,391,911"
std::string format_count(std::uint64_t number, const char* singular, const char* plural);
std::string format_cells(double cells);                  // "361.2 billion"
std::string format_speed(double cells, double seconds);  // "92.1 GCUPS", "1.23 TCUPS"
std::string format_seconds(double seconds);              // "0.42 s", "3:05", "1:02:03"
std::string format_bytes(double bytes);                  // "512 bytes", "1.5 GiB"

}  // namespace alnus::cli
