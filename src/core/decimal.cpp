#include "core/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

namespace alnus {
namespace {

Decimal reduced(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

}  // namespace

Decimal operator+(const Decimal& a, const Decimal& b) {
  return reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

Decimal operator-(const Decimal& a, const Decimal& b) { return a + Decimal{-b.numerator, b.denominator}; }

std::optional<Decimal> parse_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  if (point < text.size()) digits += text.substr(point + 1);
  const std::size_t decimals = digits.size() - point;
  if (digits.empty() || digits.size() > 9 || decimals > kMostDecimals) return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;

  std::int64_t numerator = 0, denominator = 1;
  std::from_chars(digits.data(), digits.data() + digits.size(), numerator);
  for (std::size_t i = 0; i < decimals; ++i) denominator *= 10;
  return reduced(negative ? -numerator : numerator, denominator);
}

std::optional<std::int32_t> scale_exactly(const Decimal& value, std::int64_t scale) {
  if (scale > kLargestScaledValue) return std::nullopt;
  const std::int64_t factor = scale / value.denominator;
  if (std::abs(value.numerator) > kLargestScaledValue / factor) return std::nullopt;
  return static_cast<std::int32_t>(value.numerator * factor);
}

std::string format_decimal(std::int64_t numerator, std::int64_t denominator) {
  std::int64_t power = 1;
  int decimals = 0;
  for (; power % denominator != 0; power *= 10) ++decimals;
  const std::int64_t scaled = std::abs(numerator) * (power / denominator);
  std::string text = fmt::format("{}{}", numerator < 0 ? "-" : "", scaled / power);
  if (decimals > 0) {
    text += fmt::format(".{:0{}}", scaled % power, decimals);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return text;
}

}  // namespace alnus
