#include "cli/word_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alnus/error.h"
#include "alnus/text.h"

namespace alnus::cli {
namespace {

std::vector<std::string> dashed(std::span<const std::string_view> words) {
  std::vector<std::string> result(words.begin(), words.end());
  for (std::string& word : result) std::ranges::replace(word, '_', '-');
  return result;
}

}  // namespace

CLI::Option* add_text_of_words(CLI::App& command, const std::string& name, const char* type,
                               const char* description, std::span<const std::string_view> words,
                               const std::function<void(const std::string&)>& read) {
  CLI::Option* option = command.add_option_function<std::string>(name, read, description);
  const std::vector<std::string> spelled = dashed(words);
  set_words(*option, std::vector<std::string_view>(spelled.begin(), spelled.end()));
  return option->type_name(type);
}

// CLI11 has a text about the option's value, which HelpFormatter does not show. The words are kept there.
void set_words(CLI::Option& option, std::span<const std::string_view> words) {
  option.option_text(fmt::format("{}", fmt::join(words, " ")));
}

void refuse_word(std::string_view option, std::string_view given, std::span<const std::string_view> words) {
  const std::vector<std::string> spelled = dashed(words);
  throw Error(ErrorKind::input,
              fmt::format("{} {} is not known; {}", option, in_quotes(given), suggestion(given, spelled)));
}

}  // namespace alnus::cli
