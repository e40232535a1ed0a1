// Reads argv: finds the subcommand, answers --help and --version, and throws errors that name what was
// probably meant.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "alnus/error.h"
#include "cli/command.h"

namespace alnus::cli {

// An Error(input) about the command line, whose text may have several lines. What the user wrote is quoted in
// it (in_quotes()).
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ErrorKind::input, message) {}
};

// A function that adds commands, or a group with its commands, to the program, and returns the commands.
using AddCommands = std::vector<Command> (*)(CLI::App& program);

class CommandLine {
 public:
  explicit CommandLine(std::initializer_list<AddCommands> commands);
  ~CommandLine();

  // The subcommand to run, or a text (help, version) to print. Throws Error(input).
  std::variant<const Command*, std::string> parse(int argc, const char* const* argv);

 private:
  const CLI::App& chosen() const;  // the command that was chosen, or its group if none was
  [[noreturn]] void refuse_extras(const std::vector<std::string>& extras) const;

  std::unique_ptr<CLI::App> program_;
  std::vector<Command> commands_;
};

// The words as one line, quoted for a shell.
std::string join_words(int argc, const char* const* argv);

}  // namespace alnus::cli
