// The help texts: arguments, options by group with their defaults, an example.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alnus::cli {

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

// "alnus", "alnus search", "alnus bench search"
std::string full_name(const CLI::App& app);

// Whether it holds commands, and does nothing without one.
bool is_group(const CLI::App& app);

// "alnus search [options] QUERIES DB"
std::string usage(const CLI::App& app);

// The headings of its options, in the order of the help text, and the options of one; or its arguments.
std::vector<std::string> groups_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app, const std::string& group);
std::vector<const CLI::Option*> arguments_of(const CLI::App& app);

// The commands of a group, in the order of the help text.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

bool takes_value(const CLI::Option& option);

// Its description, with its default in brackets.
std::string described(const CLI::Option& option);

}  // namespace alnus::cli
