// Words of Python's arguments as values of the library's enumerations.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/database.h"
#include "alnus/identity.h"
#include "alnus/masking.h"
#include "alnus/words.h"

namespace alnus::python {

// A word that Python hands in, or None.
using Words = std::optional<std::string>;

// The value of the word `given`; empty if no word is given. Throws as parse_word().
template <class Value>
std::optional<Value> chosen(std::string_view argument, const Words& given) {
  if (!given) return std::nullopt;
  return parse_word<Value>(argument, *given);
}

// The choice that the word of Python's argument `alphabet` makes. An empty word is AlphabetChoice::unstated.
inline AlphabetChoice alphabet_choice_of(std::string_view word) {
  return word.empty() ? AlphabetChoice::unstated : parse_word<AlphabetChoice>("alphabet", word);
}

inline std::vector<Denominator> denominators_of(const std::vector<std::string>& words,
                                                std::string_view argument) {
  std::vector<Denominator> denominators;
  denominators.reserve(words.size());
  for (const std::string& word : words) denominators.push_back(parse_word<Denominator>(argument, word));
  return denominators;
}

inline Masking masking_of(const std::vector<std::string>& kinds) {
  Masking masking;
  for (const std::string& kind : kinds) masking.*parse_word<bool Masking::*>("mask", kind) = true;
  return masking;
}

}  // namespace alnus::python
