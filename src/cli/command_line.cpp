#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "alnus/error.h"
#include "alnus/text.h"
#include "cli/help.h"
#include "cli/other_programs.h"

namespace alnus::cli {
namespace {

[[noreturn]] void refuse_usage(const std::string& message) { throw UsageError(message); }

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

bool looks_like_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

const CLI::App* find_command(const CLI::App& group, std::string_view name) {
  for (const CLI::App* command : group.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

// The option that a word names; what follows a '=' is ignored. Null if there is no such option.
const CLI::Option* find_option(const CLI::App& app, std::string_view word) {
  const std::string name(word.substr(0, word.find('=')));
  return name.empty() ? nullptr : app.get_option_no_throw(name);
}

// True for a word with one dash that CLI11 would read otherwise than the user means it: -outfmt as -o with
// the file "utfmt". False for a letter and a number, such as -t8, if the option takes a number.
bool is_of_other_program(const CLI::App& app, std::string_view word) {
  if (word.size() < 3 || word[1] == '-') return false;
  const CLI::Option* option = find_option(app, word.substr(0, 2));
  const bool is_number = is_digit(word[2]) && option != nullptr && option->get_type_name() == "N";
  return !is_number;
}

// The end of a message about an option that the command does not have: what to write instead.
std::string replacement(const CLI::App& app, std::string_view word) {
  std::string name(word.substr(std::min(word.find_first_not_of('-'), word.size())));
  name = name.substr(0, name.find('='));
  std::ranges::replace(name, '_', '-');
  if (const CLI::Option* option = find_option(app, "--" + name))
    return fmt::format("write --{}{}{}.", name, takes_value(*option) ? " " : "",
                       takes_value(*option) ? option->get_type_name() : "");
  const HasOption has = [&](std::string_view option) { return find_option(app, option) != nullptr; };
  std::optional<std::string_view> known = option_for(name, has);
  if (!known) known = option_for(std::string_view(name).substr(0, name.find_first_of("0123456789")), has);
  if (known == "") return fmt::format("there is no equivalent; see {} --help.", full_name(app));
  if (known) return fmt::format("{}{}.", known->starts_with('-') ? "write " : "", *known);
  if (const std::string near = nearest("--" + name, option_names(app)); !near.empty())
    return fmt::format("did you mean {}?", near);
  const CLI::Option* letter = word[1] == '-' ? nullptr : find_option(app, word.substr(0, 2));
  if (letter != nullptr && takes_value(*letter))
    return fmt::format("a blank stands before the value: {} {}.", word.substr(0, 2),
                       word.substr(word[2] == '=' ? 3 : 2));
  return fmt::format("see {} --help.", full_name(app));
}

// Throws Error(input) for "--option=", where CLI11 would take the next word for the value.
void refuse_empty_values(std::span<const char* const> words) {
  for (const std::string_view word : words) {
    if (word == "--") return;
    if (word.starts_with("--") && word.ends_with('='))
      refuse_usage(fmt::format("Option {} has an empty value.", in_quotes(word.substr(0, word.size() - 1))));
  }
}

// Throws one Error(input) for all of these options, which are written as in other programs.
void refuse_other_options(const CLI::App& app, std::span<const std::string_view> words) {
  if (words.empty()) return;
  if (words.size() == 1)
    refuse_usage(fmt::format("{} has no option {}; {}", full_name(app), in_quotes(words.front()),
                             replacement(app, words.front())));
  std::string message = fmt::format("{} does not have these options:", full_name(app));
  for (const std::string_view word : words)
    message += fmt::format("\n  {}  {}", in_quotes(word), replacement(app, word));
  refuse_usage(message);
}

// Throws Error(input) for commands and options of other programs, which CLI11 would misunderstand, and for
// empty arguments and values.
void refuse_other_habits(const CLI::App& program, std::span<const char* const> words) {
  const CLI::App* app = &program;
  std::vector<std::string_view> options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--") break;
    if (!looks_like_option(word)) {
      if (word.empty()) refuse_usage(fmt::format("An argument of {} is empty.", full_name(*app)));
      if (!is_group(*app)) continue;
      const CLI::App* command = find_command(*app, word);
      if (const std::string_view known = command_for(word); command == nullptr && !known.empty())
        refuse_usage(fmt::format("There is no command {}; {}{}.", in_quotes(word),
                                 known.find(';') == known.npos ? "write " : "", known));
      if (command == nullptr) return;
      app = command;
      continue;
    }
    const CLI::Option* option = find_option(*app, word);
    const bool is_dashes = word.size() > 2 && word.find_first_not_of('-') == word.npos;
    const bool is_early = is_group(*app) && word.size() > 2 && is_digit(word[2]);  // -t8 before the command
    if (is_dashes || (is_of_other_program(*app, word) && !is_early)) {
      options.push_back(word);
    } else if (option != nullptr && takes_value(*option) && word.find('=') == word.npos) {
      if (++i == words.size()) break;
      const std::string_view value = words[i];
      if (value.empty()) refuse_usage(fmt::format("Option {} has an empty value.", in_quotes(word)));
      if (value.starts_with("--") && find_option(*app, value) != nullptr)  // as in --threads $NOT_SET --json
        refuse_usage(fmt::format("Option {} needs a value, and {} stands in its place.", word, value));
    }
  }
  refuse_other_options(*app, options);
}

// Throws Error(input) for an option that takes one value and has several.
void refuse_repeated_options(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 1 && takes_value(*option) && option->get_expected_max() == 1 &&
        option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
      refuse_usage(fmt::format("{} is given {}, and takes one value. Leave out {}.", option->get_name(),
                               option->count() == 2 ? "twice" : fmt::format("{} times", option->count()),
                               option->count() == 2 ? "one of them" : "all but one"));
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
  return {add_search(program), add_align(program),  add_allpairs(program),  add_cluster(program),
          add_split(program),  add_audit(program),  add_verify(program),    add_merge(program),
          add_makedb(program), add_dbinfo(program), add_calibrate(program), add_devices(program),
          add_pages(program)};
}

CommandLine::CommandLine(std::initializer_list<AddCommands> commands)
    : program_(std::make_unique<CLI::App>(
          "Exact sequence alignment: every pair that is asked for, with no heuristic before it.", "alnus")) {
  program_->formatter(std::make_shared<HelpFormatter>());
  program_->set_help_flag("-h,--help", "This text; alnus COMMAND --help for a command's options");
  program_->set_version_flag("-V,--version", std::string(),
                             "Print the version; with --json also how the program was built");
  program_->add_flag("--json")->description(
      "With --version: print JSON, with libraries and devices, for bug reports");
  program_->require_subcommand(1);
  for (const AddCommands add : commands) std::ranges::move(add(*program_), std::back_inserter(commands_));
  for (const Command& command : commands_)
    command.app->set_help_flag("-h,--help", "This text")->group("Other options");
  program_->footer("Example:\n  alnus search proteins.fasta uniprot.fasta.gz -o hits.tsv");
}

CommandLine::~CommandLine() = default;

std::variant<const Command*, std::string> CommandLine::parse(int argc, const char* const* argv) {
  const std::span<const char* const> words(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
  refuse_empty_values(words);
  refuse_other_habits(*program_, words);
  try {
    program_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> extras = program_->remaining(true);
    if (!extras.empty()) refuse_extras(extras);
    if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return program_->help();
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr)
      return program_->count("--json") > 0 ? version_json() : build_name() + "\n";
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
      if (is_group(chosen())) refuse_usage("No command was given.\n\n" + program_->help());
      refuse_usage(missing_arguments(chosen()));
    }
    refuse_repeated_options(chosen());
    const std::string message = printable(error.what());
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
      refuse_usage(fmt::format("Option {} needs a value; see {} --help.",
                               message.substr(0, message.find(':')), full_name(chosen())));
    refuse_usage(message + ".");
  }
  if (program_->count("--json") > 0)
    refuse_usage(
        "Option --json stands behind --version, or behind a command that has it: alnus devices --json.");
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
  const auto dashes = std::find(extras.begin(), extras.end(), "--");  // what stands behind "--" is no option
  const auto option = std::find_if(extras.begin(), dashes, looks_like_option);
  const bool is_option = option != dashes;
  const auto argument = std::find_if(extras.begin(), extras.end(), [](const auto& w) { return w != "--"; });
  const std::string word = is_option ? *option : argument != extras.end() ? *argument : extras.front();
  const std::string name = word.substr(0, word.find('='));
  // Of "-t8" the letter is "-t".
  const std::string letter = name.size() > 2 && name[1] != '-' ? name.substr(0, 2) : std::string();
  const CLI::App& app = chosen();
  bool before_command = is_group(app);
  for (const CLI::App* group = app.get_parent(); group != nullptr; group = group->get_parent())
    before_command |= !group->remaining().empty();

  if (is_option && before_command) {
    for (const Command& command : commands_) {
      const std::string meant = full_name(is_group(app) ? *command.app : app);
      if ((find_option(*command.app, name) || find_option(*command.app, letter)) &&
          meant.starts_with(full_name(app)))
        refuse_usage(fmt::format("Option {} stands after the command: {} {} ...", name, meant, name));
    }
    refuse_usage(fmt::format("There is no option {}; {}", in_quotes(name), replacement(*program_, name)));
  }
  if (is_option)
    refuse_usage(
        fmt::format("{} has no option {}; {}", full_name(app), in_quotes(name), replacement(app, name)));
  if (!is_group(app))
    refuse_usage(fmt::format(
        "{} does not take the argument {}. A name or value with blanks stands in quotation marks.\n"
        "Usage: {}",
        full_name(app), in_quotes(word), usage(app)));
  if (dashes != extras.end())
    refuse_usage(fmt::format("-- stands behind a command and its options: {} ... -- FILES.", full_name(app)));
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  refuse_usage(fmt::format("There is no command {}; {} See {} --help.", in_quotes(word),
                           suggestion(word, names), full_name(app)));
}

std::string join_words(int argc, const char* const* argv) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
  std::string line;
  for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc))) {
    if (!line.empty()) line += ' ';
    const bool is_plain = !word.empty() && word.find_first_not_of(kPlain) == word.npos;
    line += is_plain ? std::string(word) : single_quoted(word);
  }
  return line;
}

}  // namespace alnus::cli
