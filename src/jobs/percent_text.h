// Percentages in sentences and tables for people.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace alnus::jobs {

// "12.50%"; "-" of nothing.
inline std::string percent_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.2f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace alnus::jobs
