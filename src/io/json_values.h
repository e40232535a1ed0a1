// Values of JSON texts that may come from anybody: each is checked before it is used. All functions throw
// Error(input), or an exception of the JSON library, for a value that is not as the caller says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "alnus/error.h"
#include "alnus/words.h"

namespace alnus::io {

[[noreturn]] inline void refuse_value() {
  throw Error(ErrorKind::input, "a value of its text is not one that alnus writes");
}

// Parses a text. A text of more than kLongestText bytes is refused, because parsed values take many times as
// much memory as their text.
inline constexpr std::size_t kLongestText = 1 << 20;
template <class Json>
Json parsed(std::string_view text) {
  if (text.size() > kLongestText) throw Error(ErrorKind::input, "its text is longer than any of alnus");
  return Json::parse(text);
}

// A whole number within [lowest, highest].
template <class T, class Json>
T whole(const Json& json, T lowest = std::numeric_limits<T>::min(),
        T highest = std::numeric_limits<T>::max()) {
  const auto within = [&](auto value) {
    return std::cmp_greater_equal(value, lowest) && std::cmp_less_equal(value, highest);
  };
  if (json.is_number_unsigned()) {
    const auto value = json.template get<std::uint64_t>();
    if (within(value)) return static_cast<T>(value);
  } else if (json.is_number_integer()) {
    const auto value = json.template get<std::int64_t>();
    if (within(value)) return static_cast<T>(value);
  }
  refuse_value();
}

// The value of an enumeration whose word (alnus/words.h) the JSON string is.
template <class Enum, class Json>
Enum of_word(const Json& json) {
  if (!json.is_string()) refuse_value();
  const std::optional<Enum> value = find_word<Enum>(json.template get<std::string>());
  if (!value) refuse_value();
  return *value;
}

// A number within [lowest, highest].
template <class Json>
double number(const Json& json, double lowest = std::numeric_limits<double>::lowest(),
              double highest = std::numeric_limits<double>::max()) {
  if (!json.is_number()) refuse_value();
  const auto value = json.template get<double>();
  if (!(value >= lowest && value <= highest)) refuse_value();
  return value;
}

}  // namespace alnus::io
