#include "io/row_text.h"

#include <array>
#include <cmath>
#include <fmt/compile.h>
#include <string>

namespace alnus::io {
namespace {

// Returns the integer nearest to an exact number, which is not known: `product`, a product of doubles,
// differs from it by less than kDoubt. Empty if the exact number may be half-way between two integers, for
// products of kLargest or more, and for NaN.
std::optional<std::uint32_t> nearest_integer(double product) {
  constexpr double kLargest = 1 << 30, kDoubt = 1e-6;
  if (!(product < kLargest)) return {};
  const auto whole = static_cast<std::uint32_t>(product);
  const double rest = product - whole;
  if (std::abs(rest - 0.5) < kDoubt) return {};
  return whole + (rest > 0.5 ? 1 : 0);
}

// Writes `count` digits with leading zeros; returns their end.
char* put_digits(char* begin, std::uint32_t number, int count) {
  for (int k = count; k-- > 0; number /= 10) begin[k] = static_cast<char>('0' + number % 10);
  return begin + count;
}

// Powers of ten up to 10^kPowers, each with a relative error below 10^-13.
constexpr int kPowers = 190;
constexpr std::array<double, kPowers + 1> kPowersOfTen = [] {
  std::array<double, kPowers + 1> powers{1};
  for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * 10;
  return powers;
}();

// Appends a number as printf("%.2e") prints it, for 1e-180 <= number < 0.01.
void append_scientific(Text& text, double number) {
  const auto times_power = [number](int power) {
    return number * kPowersOfTen[static_cast<std::size_t>(power)];
  };
  constexpr double kLog = 0.30102999566398120;                              // log10(2)
  int exponent = -static_cast<int>(std::floor(std::ilogb(number) * kLog));  // may be one too high
  if (times_power(exponent) >= 10) --exponent;
  std::optional<std::uint32_t> digits = nearest_integer(times_power(exponent + 2));
  if (!digits) {
    fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.2e}"), number);
    return;
  }
  if (*digits == 1000) {
    digits = 100;
    --exponent;
  }
  constexpr std::size_t kMost = 9;
  append_by(text, kMost, [&](char* at) {
    *at++ = static_cast<char>('0' + *digits / 100);
    *at++ = '.';
    at = put_digits(at, *digits % 100, 2);
    *at++ = 'e';
    *at++ = '-';
    return put_digits(at, static_cast<std::uint32_t>(exponent), exponent < 100 ? 2 : 3);
  });
}

}  // namespace

template <int kDecimals>
void append_fixed(Text& text, double number) {
  constexpr std::array<std::uint32_t, 7> kUnits = {1, 10, 100, 1000, 10'000, 100'000, 1'000'000};
  constexpr std::uint32_t kUnit = kUnits[kDecimals];
  const std::optional<std::uint32_t> digits = nearest_integer(std::abs(number) * kUnit);
  if (!digits) {
    fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.{}f}"), number, kDecimals);
    return;
  }
  constexpr std::size_t kMost = 12;  // ten digits, sign and point
  append_by(text, kMost, [&](char* at) {
    if (std::signbit(number)) *at++ = '-';
    at = std::to_chars(at, at + kMost, *digits / kUnit).ptr;
    if constexpr (kDecimals > 0) {
      *at++ = '.';
      at = put_digits(at, *digits % kUnit, kDecimals);
    }
    return at;
  });
}

template void append_fixed<0>(Text& text, double number);
template void append_fixed<1>(Text& text, double number);
template void append_fixed<2>(Text& text, double number);
template void append_fixed<3>(Text& text, double number);
template void append_fixed<6>(Text& text, double number);

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

void replace_separators(Text& text, std::size_t field_begin) {
  std::replace_if(
      text.begin() + field_begin, text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; },
      ' ');
}

void append_evalue(Text& text, std::optional<double> evalue, NumberStyle style) {
  if (!evalue) {
    append(text, kNotAvailable);
  } else if (*evalue < 1.0e-180) {
    append(text, "0.0");
  } else if (*evalue < 0.0009) {
    if (style == NumberStyle::table)
      append_scientific(text, *evalue);
    else
      fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.0e}"), *evalue);
  } else if (*evalue < 0.1) {
    append_fixed<3>(text, *evalue);
  } else if (*evalue < 1) {
    append_fixed<2>(text, *evalue);
  } else if (*evalue < 10) {
    append_fixed<1>(text, *evalue);
  } else {
    append_fixed<0>(text, *evalue);
  }
}

void append_bits(Text& text, std::optional<double> bits) {
  if (!bits)
    append(text, kNotAvailable);
  else if (*bits > 99999)
    fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.3e}"), *bits);
  else if (*bits > 99.9)
    append(text, static_cast<std::int64_t>(*bits));
  else
    append_fixed<1>(text, *bits);
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

}  // namespace alnus::io
