#include "io/text.h"

#include <fmt/compile.h>
#include <string>

namespace alnus::io {

void quote_for_csv(Text& text, std::size_t field_begin) {
  const std::string_view field = view(text, field_begin);
  if (field.find_first_of(",\"\r\n") == field.npos) return;
  const std::string plain(field);
  text.resize(field_begin);
  append(text, '"');
  for (const char letter : plain) {
    if (letter == '"') append(text, '"');
    append(text, letter);
  }
  append(text, '"');
}

void append_evalue(Text& text, std::optional<double> evalue, NumberStyle style) {
  const fmt::appender out(text);
  if (!evalue) {
    append(text, kNotAvailable);
  } else if (*evalue < 1.0e-180) {
    append(text, "0.0");
  } else if (*evalue < 0.0009) {
    if (style == NumberStyle::table)
      fmt::format_to(out, FMT_COMPILE("{:.2e}"), *evalue);
    else
      fmt::format_to(out, FMT_COMPILE("{:.0e}"), *evalue);
  } else if (*evalue < 0.1) {
    fmt::format_to(out, FMT_COMPILE("{:.3f}"), *evalue);
  } else if (*evalue < 1) {
    fmt::format_to(out, FMT_COMPILE("{:.2f}"), *evalue);
  } else if (*evalue < 10) {
    fmt::format_to(out, FMT_COMPILE("{:.1f}"), *evalue);
  } else {
    fmt::format_to(out, FMT_COMPILE("{:.0f}"), *evalue);
  }
}

void append_bits(Text& text, std::optional<double> bits) {
  const fmt::appender out(text);
  if (!bits)
    append(text, kNotAvailable);
  else if (*bits > 99999)
    fmt::format_to(out, FMT_COMPILE("{:.3e}"), *bits);
  else if (*bits > 99.9)
    append(text, static_cast<std::int64_t>(*bits));
  else
    fmt::format_to(out, FMT_COMPILE("{:.1f}"), *bits);
}

int percent_of_matches(std::int64_t part, std::int64_t whole) {
  if (part == whole) return whole == 0 ? 0 : 100;
  return std::min(
      99, static_cast<int>(std::lround(100.0 * static_cast<double>(part) / static_cast<double>(whole))));
}

int percent_covered(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return 0;
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return static_cast<int>(percent < 99 ? std::lround(percent) : static_cast<long>(percent));
}

void append_distance(Text& text, double distance) {
  fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.6f}"), distance);
}

}  // namespace alnus::io
