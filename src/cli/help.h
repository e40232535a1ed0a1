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

// The name as the user types it: "alnus", "alnus search", "alnus bench search".
std::string full_name(const CLI::App& app);

// True if the app holds commands, one of which must be named.
bool is_group(const CLI::App& app);

// The usage line: "alnus search [options] QUERIES DB".
std::string usage(const CLI::App& app);

// The headings of an app's options in the order of the help text, the options under one heading, and the
// app's arguments.
std::vector<std::string> groups_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app, const std::string& group);
std::vector<const CLI::Option*> arguments_of(const CLI::App& app);

// The commands of a group, in the order of the help text.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

bool takes_value(const CLI::Option& option);

// The option's description, with the default in brackets if there is one.
std::string described(const CLI::Option& option);

}  // namespace alnus::cli
