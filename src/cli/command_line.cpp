#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string_view>

#include "alnus/error.h"
#include "cli/help.h"
#include "cli/values.h"
#include "core/decimal.h"

namespace alnus::cli {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

bool has_option(const CLI::App& app, const std::string& name) {
  return !name.empty() && app.get_option_no_throw(name) != nullptr;
}

bool looks_like_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// CLI11 would take the next word for the value of "--option=".
void refuse_empty_values(std::span<const char* const> words) {
  for (const std::string_view word : words) {
    if (word == "--") return;
    if (word.starts_with("--") && word.ends_with('='))
      fail(fmt::format("Option {} has an empty value.", alnus::quoted(word.substr(0, word.size() - 1))));
  }
}

std::string missing_arguments(const CLI::App& command) {
  std::vector<std::string> missing;
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0) missing.push_back(option->get_name());
  return fmt::format("{} {} missing; see alnus {} --help.\nUsage: {}", fmt::join(missing, " and "),
                     missing.size() == 1 ? "is" : "are", command.get_name(), usage(command));
}

}  // namespace

CommandLine::CommandLine()
    : program_(std::make_unique<CLI::App>(
          "Exact sequence alignment: every pair that is asked for, with no heuristic before it.", "alnus")) {
  program_->formatter(std::make_shared<HelpFormatter>());
  program_->set_help_flag("-h,--help", "This text; alnus COMMAND --help for a command's options");
  program_->set_version_flag("-V,--version", "alnus " ALNUS_VERSION, "The version");
  program_->require_subcommand(1);
  commands_ = {add_search(*program_), add_align(*program_), add_makedb(*program_), add_dbinfo(*program_),
               add_devices(*program_)};
  for (const Command& command : commands_)
    command.app->set_help_flag("-h,--help", "This text")->group("Other options");
  program_->footer("Example:\n  alnus search proteins.fasta uniprot.fasta.gz -o hits.tsv");
}

CommandLine::~CommandLine() = default;

std::string CommandLine::help() const { return program_->help(); }

std::variant<const Command*, std::string> CommandLine::parse(int argc, const char* const* argv) {
  refuse_empty_values({argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0))});
  try {
    program_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> extras = program_->remaining(true);
    if (!extras.empty()) refuse_extras(extras);
    if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return program_->help();
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) return std::string(error.what()) + "\n";
    const std::vector<CLI::App*> chosen = program_->get_subcommands();
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
      if (chosen.empty()) fail("No command was given.\n\n" + help());
      fail(missing_arguments(*chosen.front()));
    }
    const std::string message = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
      fail(fmt::format("Option {} needs a value; see alnus {} --help.", message.substr(0, message.find(':')),
                       chosen.empty() ? "" : chosen.front()->get_name()));
    fail(message + ".");
  }
  const CLI::App* chosen = program_->get_subcommands().front();
  return &*std::find_if(commands_.begin(), commands_.end(),
                        [&](const Command& command) { return command.app == chosen; });
}

void CommandLine::refuse_extras(const std::vector<std::string>& extras) const {
  const auto option = std::find_if(extras.begin(), extras.end(), looks_like_option);
  const std::string word = option != extras.end() ? *option : extras.front();
  const std::string name = word.substr(0, word.find('='));
  const std::vector<CLI::App*> chosen = program_->get_subcommands();
  const bool before_command = chosen.empty() || !program_->remaining().empty();

  if (option != extras.end() && before_command) {
    for (const Command& command : commands_)
      if (has_option(*command.app, name))
        fail(fmt::format("Option {} stands after the command: alnus {} {} ...", name,
                         chosen.empty() ? command.app->get_name() : chosen.front()->get_name(), name));
    fail(fmt::format("There is no option {}; {}", alnus::quoted(name),
                     suggestion(name, option_names(*program_))));
  }
  if (option != extras.end())
    fail(fmt::format("alnus {} has no option {}; {}", chosen.front()->get_name(), alnus::quoted(name),
                     suggestion(name, option_names(*chosen.front()))));
  if (!chosen.empty())
    fail(fmt::format("alnus {} does not take the argument {}.\nUsage: {}", chosen.front()->get_name(),
                     alnus::quoted(word), usage(*chosen.front())));
  std::vector<std::string> names = {"--help", "--version"};
  for (const Command& command : commands_) names.push_back(command.app->get_name());
  fail(fmt::format("There is no command {}; {} See alnus --help.", alnus::quoted(word),
                   suggestion(word, names)));
}

std::string join_words(int argc, const char* const* argv) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
  std::string line;
  for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc))) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char letter : word) {
      if (letter == '\'') line += "'\\'";
      line += letter;
    }
    line += '\'';
  }
  return line;
}

}  // namespace alnus::cli
