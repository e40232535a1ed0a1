#include "cli/words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <sstream>

#include "cli/values.h"

namespace alnus::cli {

CLI::Option* add_word(CLI::App& command, const std::string& name, const char* type, const char* description,
                      std::span<const std::string_view> words, const std::function<void(std::size_t)>& read) {
  CLI::Option* option = command.add_option_function<std::string>(
      name, [=](const std::string& text) { read(choose(name, text, words)); }, description);
  set_words(*option, words);
  return option->type_name(type);
}

// CLI11 has a text about the option's value, which HelpFormatter does not show. The words are kept there.
void set_words(CLI::Option& option, std::span<const std::string_view> words) {
  option.option_text(fmt::format("{}", fmt::join(words, " ")));
}

std::vector<std::string> words_of(const CLI::Option& option) {
  std::istringstream text(option.get_option_text());
  return {std::istream_iterator<std::string>(text), {}};
}

}  // namespace alnus::cli
