// The words that users write for the values of enumerations, in options, arguments and files, and that
// messages and results have for them. An enumeration has its words in a table next to it:
//
//   enum class Mode : std::uint8_t { local, global };
//   template <>
//   inline constexpr std::array kWords<Mode> = {Word{"local", Mode::local}, Word{"global", Mode::global}};
//
// All functions below read that table, and so does everything that lists, reads or writes the words.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "alnus/export.h"

namespace alnus {

template <class Value>
struct Word {
  std::string_view word;
  Value value;
  constexpr Word(std::string_view its_word, Value its_value) : word(its_word), value(its_value) {}
};

// The words of an enumeration, in the order in which help and messages list them: lower-case letters and
// digits, with '_' between the words of a term.
template <class Value>
inline constexpr std::array<Word<Value>, 0> kWords{};

// True if a user who writes `given` means `word`: '-' and '_' are the same.
ALNUS_API bool is_word(std::string_view given, std::string_view word);
// The Error(input) for a word that is none of `words`: "There is no mode 'x'; did you mean ...?", with "mode"
// as `what`.
ALNUS_API Error unknown_word(std::string_view what, std::string_view given,
                             std::span<const std::string_view> words);

template <class Value>
inline std::vector<std::string_view> words_of() {
  std::vector<std::string_view> words;
  words.reserve(kWords<Value>.size());
  for (const Word<Value>& one : kWords<Value>) words.push_back(one.word);
  return words;
}

// The word of a value; empty if the value has none.
template <class Value>
constexpr std::string_view word_of(Value value) {
  const auto* const found = std::ranges::find(kWords<Value>, value, &Word<Value>::value);
  return found == kWords<Value>.end() ? std::string_view() : found->word;
}

// The value of a word; empty if there is no such word.
template <class Value>
inline std::optional<Value> find_word(std::string_view given) {
  const auto* const found =
      std::ranges::find_if(kWords<Value>, [&](const Word<Value>& one) { return is_word(given, one.word); });
  if (found == kWords<Value>.end()) return std::nullopt;
  return found->value;
}

// The value of a word. Throws unknown_word() if there is no such word.
template <class Value>
inline Value parse_word(std::string_view what, std::string_view given) {
  if (const std::optional<Value> value = find_word<Value>(given)) return *value;
  throw unknown_word(what, given, words_of<Value>());
}

}  // namespace alnus
