#include "alnus/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/utf8.h"

namespace alnus {

std::string format_count(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string format_count(std::uint64_t number, const char* singular, const char* plural) {
  return fmt::format("{} {}", format_count(number), number == 1 ? singular : plural);
}

std::string format_cells(double cells) {
  if (cells < 1e6) return fmt::format("{:.0f}", cells);
  if (cells < 1e9) return fmt::format("{:.1f} million", cells / 1e6);
  if (cells < 1e12) return fmt::format("{:.1f} billion", cells / 1e9);
  return fmt::format("{:.1f} trillion", cells / 1e12);
}

std::string format_speed(double cells, double seconds) {
  const double gcups = seconds > 0 ? cells / seconds / 1e9 : 0;
  if (gcups >= 1000) return fmt::format("{:.2f} TCUPS", gcups / 1000);
  if (gcups >= 1) return fmt::format("{:.1f} GCUPS", gcups);
  return fmt::format("{:.3g} GCUPS", gcups);
}

std::string format_seconds(double seconds) {
  if (seconds < 59.95) return fmt::format("{:.{}f} s", seconds, seconds < 9.995 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string format_bytes(double bytes) {
  if (bytes < 1024) return format_count(static_cast<std::uint64_t>(std::llround(bytes)), "byte", "bytes");
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string result = "'";
  for (const char c : text.substr(0, kShown)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return result + (text.size() > kShown ? "...'" : "'");
}

namespace {

// True for a character that controls a terminal: those below the blank, DEL, and U+0080 to U+009F.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first < ' ' || first == 0x7f;
  return character.size() == 2 && first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = utf8_character_bytes(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(bytes, 1));
    if (bytes > 0 && !is_control(character)) {
      result += character;
    } else {
      for (const char byte : character) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace alnus
