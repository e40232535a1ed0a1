#include "cli/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "alnus/error.h"
#include "alnus/text.h"

namespace alnus::cli {
namespace {

// Reads all of the text as a number, which may begin with a sign.
template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Reads a decimal number without an exponent.
std::optional<double> parse_decimal(std::string_view text) {
  if (text.find_first_not_of("+-.0123456789") != text.npos) return std::nullopt;
  return parse_whole<double>(text);
}

// The bytes that a suffix stands for; 0: no such suffix.
std::uint64_t unit_of(char suffix) {
  switch (suffix) {
    case 'K':
    case 'k':
      return 1ULL << 10;
    case 'M':
    case 'm':
      return 1ULL << 20;
    case 'G':
    case 'g':
      return 1ULL << 30;
    case 'T':
    case 't':
      return 1ULL << 40;
    default:
      return 0;
  }
}

constexpr std::uint64_t kFewestBytes = 1ULL << 20;  // the least size that may lack a unit

}  // namespace

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::uint64_t parse_size(std::string_view option, const std::string& text) {
  std::string_view number = text;
  std::uint64_t unit = 1;
  if (!number.empty() && unit_of(number.back()) != 0) {
    unit = unit_of(number.back());
    number.remove_suffix(1);
  }
  if (const auto bytes = parse_whole<std::uint64_t>(number);
      bytes && *bytes > 0 && *bytes <= UINT64_MAX / unit) {
    if (unit == 1 && *bytes < kFewestBytes) {
      const std::uint64_t example = *bytes < 1000 ? *bytes : 4;
      throw Error(ErrorKind::input,
                  fmt::format("{} {} is {}, which is too little. Write a unit, such as {}G or {}M.", option,
                              *bytes, format_count(*bytes, "byte", "bytes"), example, example));
    }
    return *bytes * unit;
  }
  if (const auto decimal = parse_decimal(number); decimal && unit > 1) {
    const double bytes = *decimal * static_cast<double>(unit);
    if (bytes >= 1 && bytes < 0x1p63) return static_cast<std::uint64_t>(bytes);
  }
  throw Error(ErrorKind::input, fmt::format("{} takes a number of bytes such as 512M, 8G or 1.5G, not {}.",
                                            option, in_quotes(text)));
}

std::uint64_t parse_count(std::string_view option, const std::string& text, std::uint64_t lowest,
                          std::uint64_t highest, std::string_view word) {
  if (!word.empty() && text == word) return highest;
  const auto number = parse_whole<std::uint64_t>(text);
  if (!number || *number < lowest || *number > highest)
    throw Error(ErrorKind::input,
                fmt::format("{} takes a whole number from {} to {}{}, not {}.", option, lowest, highest,
                            word.empty() ? "" : fmt::format(", or {}", word), in_quotes(text)));
  return *number;
}

double parse_evalue(std::string_view option, const std::string& text) {
  const auto number = parse_whole<double>(text);
  if (!number || !std::isfinite(*number) || *number < 0)
    throw Error(ErrorKind::input, fmt::format("{} takes a number not below 0, such as 10 or 1e-5, not {}.",
                                              option, in_quotes(text)));
  return *number;
}

double parse_number(std::string_view option, const std::string& text, double lowest, double highest) {
  const auto number = parse_whole<double>(text);
  if (!number || !(*number >= lowest && *number <= highest))
    throw Error(ErrorKind::input, fmt::format("{} takes a number from {} to {}, not {}.", option, lowest,
                                              highest, in_quotes(text)));
  return *number;
}

double parse_score(std::string_view option, const std::string& text) {
  const auto score = parse_decimal(text);
  if (!score)
    throw Error(ErrorKind::input,
                fmt::format("{} takes a number such as 60 or 41.5, not {}.", option, in_quotes(text)));
  return *score;
}

}  // namespace alnus::cli
