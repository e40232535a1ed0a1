// Options whose value is one of some words. The words are read strictly, and shells complete them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace alnus::cli {

// Adds an option that takes one of these words, and passes the index of the word to `read`. Parsing throws
// Error(input), which names the nearest word, for any other value. The help calls the value `type`. The
// memory of `words` must outlive the parsing.
CLI::Option* add_word(CLI::App& command, const std::string& name, const char* type, const char* description,
                      std::span<const std::string_view> words, const std::function<void(std::size_t)>& read);

// Makes completions offer these words for the option's value. The option's description says what they mean.
void set_words(CLI::Option& option, std::span<const std::string_view> words);
// The words that set_words() or add_word() gave the option.
std::vector<std::string> words_of(const CLI::Option& option);

}  // namespace alnus::cli
