// Options whose value is one of some words. The words are read strictly, and shells complete them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/words.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace alnus::cli {

// Makes completions offer these words for the option's value. The option's description says what they mean.
void set_words(CLI::Option& option, std::span<const std::string_view> words);

// Throws Error(input), which names the nearest of the words, as the command line spells them.
[[noreturn]] void refuse_word(std::string_view option, std::string_view given,
                              std::span<const std::string_view> words);

// The value of an enumeration whose word was given to an option. Throws as refuse_word() for any other word.
template <class Value>
Value chosen(std::string_view option, std::string_view given) {
  if (const std::optional<Value> value = find_word<Value>(given)) return *value;
  refuse_word(option, given, alnus::words_of<Value>());
}

// Adds an option that takes one of these words, which completions offer with dashes for '_'. The value goes
// to `read`.
CLI::Option* add_text_of_words(CLI::App& command, const std::string& name, const char* type,
                               const char* description, std::span<const std::string_view> words,
                               const std::function<void(const std::string&)>& read);

// Adds an option that takes a word of an enumeration, and passes its value to `read`. Parsing throws as
// chosen(). The help calls the value `type`.
template <class Value>
CLI::Option* add_word(CLI::App& command, const std::string& name, const char* type, const char* description,
                      const std::function<void(Value)>& read) {
  return add_text_of_words(command, name, type, description, alnus::words_of<Value>(),
                           [=](const std::string& text) { read(chosen<Value>(name, text)); });
}

}  // namespace alnus::cli
