// Text that a writer collects, and numbers in the style of BLAST.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>

#include "alnus/alphabet.h"

namespace alnus::io {

using Text = fmt::memory_buffer;

// Appends up to `most` bytes: `write` gets the place of the first byte and returns the end of the last.
template <typename Write>
void append_by(Text& text, std::size_t most, Write write) {
  text.reserve(text.size() + most);
  const char* const end = write(text.data() + text.size());
  text.resize(static_cast<std::size_t>(end - text.data()));
}

inline void append(Text& text, std::string_view piece) {
  append_by(text, piece.size(), [piece](char* begin) {
    if (!piece.empty()) std::memcpy(begin, piece.data(), piece.size());
    return begin + piece.size();
  });
}
inline void append(Text& text, char letter) { text.push_back(letter); }
template <std::integral Number>
requires(!std::same_as<Number, char>) void append(Text& text, Number number) {
  constexpr std::size_t kMost = 20;  // digits of 64 bits, with a sign
  append_by(text, kMost, [number](char* begin) { return std::to_chars(begin, begin + kMost, number).ptr; });
}
// Appends a number right-aligned in a field of `width`; a longer number takes more.
inline void append_right(Text& text, std::integral auto number, std::size_t width) {
  const fmt::format_int digits(number);
  for (std::size_t k = digits.size(); k < width; ++k) text.push_back(' ');
  text.append(digits.data(), digits.data() + digits.size());
}
inline void append_repeated(Text& text, std::size_t times, char letter) {
  const std::size_t old = text.size();
  text.resize(old + times);
  std::fill_n(text.data() + old, times, letter);
}
inline void append_letters(Text& text, std::span<const Residue> residues, const Alphabet& alphabet) {
  const std::size_t old = text.size();
  text.resize(old + residues.size());
  std::transform(residues.begin(), residues.end(), text.data() + old,
                 [&](Residue residue) { return alphabet.decode(residue); });
}
inline std::string_view view(const Text& text, std::size_t from = 0) {
  return {text.data() + from, text.size() - from};
}

inline constexpr std::string_view kNotAvailable = "NA";
inline void append_or_na(Text& text, std::string_view piece) {
  append(text, piece.empty() ? kNotAvailable : piece);
}

// Quotes a field by RFC 4180: if the text from `field_begin` on has a comma, a quote or a line end, it is put
// in quotes, and its quotes are doubled.
void quote_for_csv(Text& text, std::size_t field_begin);
// Replaces tabs and line ends in a field of a table with tabs, which they would break, by blanks.
void replace_separators(Text& text, std::size_t field_begin);

// Appends a number with kDecimals digits after the point, rounded as exactly as printf() rounds "%.*f".
template <int kDecimals>
void append_fixed(Text& text, double number);

// Numbers by BLAST's rules, where the digits depend on the size. An E-value below 0.0009 has one significant
// digit in reports, and three in tables. Bit scores have one decimal up to 99.9, are cut to integers up to
// 99,999, and have an exponent above that.
enum class NumberStyle { report, table };
void append_evalue(Text& text, std::optional<double> evalue, NumberStyle style);
void append_bits(Text& text, std::optional<double> bits);

// 100 * part / whole, rounded as BLAST does: the result is 100 only if `part` equals `whole`.
int percent_of_matches(std::int64_t part, std::int64_t whole);  // Identities, Positives, Gaps of a report
int percent_covered(std::int64_t part, std::int64_t whole);     // qcovhsp; 0 for an empty sequence

}  // namespace alnus::io
