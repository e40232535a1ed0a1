// Exact decimal numbers, as users write scores: "-4", "0.5".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alnus {

// The largest absolute value that matrix scores and gap costs may have after scaling, so that sums over a
// sequence of 65,535 residues fit in 32 bits.
inline constexpr std::int64_t kLargestScaledValue = 32767;

inline constexpr std::size_t kMostDecimals = 6;  // digits after the point of a decimal

// numerator / denominator in lowest terms; the denominator divides a power of ten.
struct Decimal {
  std::int64_t numerator = 0, denominator = 1;
};
Decimal operator+(const Decimal& a, const Decimal& b);
Decimal operator-(const Decimal& a, const Decimal& b);

// Reads a decimal: an optional sign, and digits with at most one point before, between or after them. It has
// one to nine digits, and at most kMostDecimals of them after the point. The result is empty for any other
// text.
std::optional<Decimal> parse_decimal(std::string_view text);

// value * scale, which must be a whole number. Empty if the scale, or the size of the result, is above
// kLargestScaledValue.
std::optional<std::int32_t> scale_exactly(const Decimal& value, std::int64_t scale);

// Writes numerator / denominator as a decimal without trailing zeros: (83, 2) is "41.5". The denominator must
// divide a power of ten.
std::string format_decimal(std::int64_t numerator, std::int64_t denominator);

}  // namespace alnus
