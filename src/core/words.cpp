#include "alnus/words.h"

#include <fmt/format.h>

#include "alnus/text.h"

namespace alnus {

bool is_word(std::string_view given, std::string_view word) {
  const auto dashed = [](char letter) { return letter == '_' ? '-' : letter; };
  return std::ranges::equal(given, word, {}, dashed, dashed);
}

Error unknown_word(std::string_view what, std::string_view given, std::span<const std::string_view> words) {
  return Error(ErrorKind::input,
               fmt::format("There is no {} {}; {}", what, in_quotes(given), suggestion(given, words)));
}

}  // namespace alnus
