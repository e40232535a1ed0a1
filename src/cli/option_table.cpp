#include "cli/option_table.h"

#include <CLI/CLI.hpp>
#include <variant>

#include "cli/values.h"

namespace alnus::cli {
namespace {

double parse(const std::string& flag, const std::string& text, const Takes& takes) {
  if (const auto* const counts = std::get_if<Counts>(&takes))
    return static_cast<double>(parse_count(flag, text, counts->least, counts->most, counts->word_for_most));
  if (const auto* const number = std::get_if<Numbers>(&takes)) {
    if (*number == Numbers::score) return parse_score(flag, text);
    if (*number == Numbers::percent) return parse_number(flag, text, 0, 100);
  }
  return parse_evalue(flag, text);
}

CLI::Option* with_help(CLI::Option* option, const OptionHelp& help) {
  return option->type_name(help.type)->default_str(help.default_text)->group(help.group);
}

}  // namespace

CLI::Option* add_number(CLI::App& command, const std::string& flag, const OptionHelp& help,
                        const Takes& takes, const std::function<void(double)>& read) {
  return with_help(
      command.add_option_function<std::string>(
          flag, [=](const std::string& text) { read(parse(flag, text, takes)); }, help.description),
      help);
}

CLI::Option* add_one_of(CLI::App& command, const std::string& flag, const OptionHelp& help,
                        std::span<const std::string_view> words,
                        const std::function<void(const std::string&)>& read) {
  return with_help(add_text_of_words(command, flag, help.type.c_str(), help.description.c_str(), words, read),
                   help);
}

CLI::Option* add_file(CLI::App& command, const std::string& flag, const OptionHelp& help,
                      const std::function<void(const std::string&)>& read) {
  return with_help(command.add_option_function<std::string>(flag, read, help.description), help);
}

CLI::Option* add_flag(CLI::App& command, const std::string& flag, const OptionHelp& help,
                      const std::function<void()>& set) {
  return command.add_flag_callback(flag, set, help.description)->group(help.group);
}

}  // namespace alnus::cli
