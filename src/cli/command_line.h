// From argv to a subcommand: help, version, and errors that name what was probably meant.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cli/command.h"

namespace alnus::cli {

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();

  // The subcommand to run, or a text (help, version) to print. Throws Error(input).
  std::variant<const Command*, std::string> parse(int argc, const char* const* argv);
  std::string help() const;  // of the program

 private:
  const CLI::App& chosen() const;  // a command, or the group of commands where none of it was chosen
  [[noreturn]] void refuse_extras(const std::vector<std::string>& extras) const;

  std::unique_ptr<CLI::App> program_;
  std::vector<Command> commands_;
};

// The words as one line that a shell would take.
std::string join_words(int argc, const char* const* argv);

}  // namespace alnus::cli
