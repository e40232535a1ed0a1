#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <string_view>

#include "alnus/devices.h"
#include "alnus/error.h"
#include "alnus/text.h"
#include "cli/help.h"
#include "cli/values.h"

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
  return fmt::format("{} {} missing; see {} --help.\nUsage: {}", fmt::join(missing, " and "),
                     missing.size() == 1 ? "is" : "are", full_name(command), usage(command));
}

}  // namespace

std::vector<Command> add_commands(CLI::App& program) {
  return {add_search(program), add_align(program),     add_allpairs(program), add_makedb(program),
          add_dbinfo(program), add_calibrate(program), add_devices(program)};
}

CommandLine::CommandLine(std::initializer_list<AddCommands> commands)
    : program_(std::make_unique<CLI::App>(
          "Exact sequence alignment: every pair that is asked for, with no heuristic before it.", "alnus")) {
  program_->formatter(std::make_shared<HelpFormatter>());
  program_->set_help_flag("-h,--help", "This text; alnus COMMAND --help for a command's options");
  program_->set_version_flag("-V,--version", "alnus " + std::string(version()), "The version");
  program_->require_subcommand(1);
  for (const AddCommands add : commands) std::ranges::move(add(*program_), std::back_inserter(commands_));
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
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
      if (is_group(chosen())) fail("No command was given.\n\n" + help());
      fail(missing_arguments(chosen()));
    }
    const std::string message = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
      fail(fmt::format("Option {} needs a value; see {} --help.", message.substr(0, message.find(':')),
                       full_name(chosen())));
    fail(message + ".");
  }
  if (is_group(chosen())) return chosen().help();
  return &*std::find_if(commands_.begin(), commands_.end(),
                        [&](const Command& command) { return command.app == &chosen(); });
}

const CLI::App& CommandLine::chosen() const {
  const CLI::App* app = program_.get();
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

void CommandLine::refuse_extras(const std::vector<std::string>& extras) const {
  const auto option = std::find_if(extras.begin(), extras.end(), looks_like_option);
  const std::string word = option != extras.end() ? *option : extras.front();
  const std::string name = word.substr(0, word.find('='));
  const CLI::App& app = chosen();
  bool before_command = is_group(app);
  for (const CLI::App* group = app.get_parent(); group != nullptr; group = group->get_parent())
    before_command |= !group->remaining().empty();

  if (option != extras.end() && before_command) {
    for (const Command& command : commands_) {
      const std::string meant = full_name(is_group(app) ? *command.app : app);
      if (has_option(*command.app, name) && meant.starts_with(full_name(app)))
        fail(fmt::format("Option {} stands after the command: {} {} ...", name, meant, name));
    }
    fail(fmt::format("There is no option {}; {}", alnus::quoted(name),
                     suggestion(name, option_names(*program_))));
  }
  if (option != extras.end())
    fail(fmt::format("{} has no option {}; {}", full_name(app), alnus::quoted(name),
                     suggestion(name, option_names(app))));
  if (!is_group(app))
    fail(fmt::format("{} does not take the argument {}.\nUsage: {}", full_name(app), alnus::quoted(word),
                     usage(app)));
  std::vector<std::string> names = option_names(app);
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  fail(fmt::format("There is no command {}; {} See {} --help.", alnus::quoted(word), suggestion(word, names),
                   full_name(app)));
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
