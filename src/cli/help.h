// The help texts: arguments, options by group with their defaults, an example.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace alnus::cli {

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

// "alnus search [options] QUERIES DB"
std::string usage(const CLI::App& app);

}  // namespace alnus::cli
