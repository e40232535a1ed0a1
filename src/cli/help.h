// The help texts: arguments, options by group with their defaults, an example.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

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

}  // namespace alnus::cli
