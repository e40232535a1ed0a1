// The texts that are made of the descriptions of commands and options: help, manual pages, completions.
#pragma once

#include <CLI/CLI.hpp>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace alnus::cli {

// The help texts: arguments, options by group with their defaults, an example.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

// The name of an app's manual page: "alnus-bench-search".
std::string page_name(const CLI::App& app);
// The manual page of the program, a group or a command, for section 1, in the language of mdoc(7).
std::string man_page(const CLI::App& app, const std::tm& date);

// Completion of commands, options and files in shells: scripts for the program with all of its commands.
std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

// The text in single quotes, as shells read it.
std::string single_quoted(std::string_view text);

// Wraps `text` into lines of at most `width` columns. Lines from the second on begin with `indent` blanks.
// The first line gets no blanks, but the caller puts it at column `indent`.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

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

// The option's description, with the default in brackets if there is one. `blank`: what stands for each blank
// of the default.
std::string described(const CLI::Option& option, char blank = ' ');

}  // namespace alnus::cli
