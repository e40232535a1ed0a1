#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/help.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

// The kind of a value or an argument. The name of its type in the help text tells it.
enum class Kind { word, file, folder };
Kind kind_of(const std::string& type) {
  if (type == "DIR") return Kind::folder;
  const bool is_file = type.find("FILE") != type.npos || type.find('.') != type.npos;  // NAME.alnus
  return is_file ? Kind::file : Kind::word;
}
Kind kind_of_value(const CLI::Option& option) { return kind_of(option.get_type_name()); }

// The kind of a command's arguments: folders if all of them are, else files; empty if it takes none.
std::optional<Kind> arguments_kind(const CLI::App& app) {
  const std::vector<const CLI::Option*> arguments = arguments_of(app);
  if (arguments.empty()) return std::nullopt;
  const bool folders = std::ranges::all_of(
      arguments, [](const CLI::Option* argument) { return kind_of(argument->get_name()) == Kind::folder; });
  return folders ? Kind::folder : Kind::file;
}

bool may_be_repeated(const CLI::Option& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  return split_at_commas(option.get_name(false, true));
}

std::vector<const CLI::Option*> all_options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_positional(); });
}

// The names of the options for which `wanted` is true, with blanks between them.
template <class Wanted>
std::string names_of_options(const CLI::App& app, Wanted wanted) {
  std::vector<std::string> all;
  for (const CLI::Option* option : all_options_of(app))
    if (wanted(*option)) std::ranges::copy(names_of(*option), std::back_inserter(all));
  return fmt::format("{}", fmt::join(all, " "));
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

// The app, and all groups and commands below it.
std::vector<const CLI::App*> all_of(const CLI::App& app) {
  std::vector<const CLI::App*> all = {&app};
  for (const CLI::App* command : commands_of(app))
    std::ranges::copy(all_of(*command), std::back_inserter(all));
  return all;
}

// The description up to its first semicolon or full stop, for a list; at most about kMost characters, cut at
// a blank.
std::string brief(const std::string& description) {
  constexpr std::size_t kMost = 80;
  std::string text = description.substr(0, std::min(description.find("; "), description.find(". ")));
  if (text.size() > kMost) text = text.substr(0, text.rfind(' ', kMost)) + " ...";
  return text;
}

std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string safe;
  for (const char letter : text) {
    if (special.find(letter) != special.npos) safe += '\\';
    safe += letter;
  }
  return safe;
}

}  // namespace

std::string single_quoted(std::string_view text) {
  std::string safe = "'";
  for (const char letter : text) {
    if (letter == '\'')
      safe += "'\\''";
    else
      safe += letter;
  }
  return safe + "'";
}

std::string bash_completion(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* app : all_of(program)) {
    const std::string name = full_name(*app);
    if (app != &program) names += fmt::format("{}'{}'", names.empty() ? "" : " | ", name);
    const auto with = [&](Kind kind) {
      return names_of_options(*app, [&](const CLI::Option& option) {
        return takes_value(option) && kind_of_value(option) == kind;
      });
    };
    std::string words;
    for (const CLI::Option* option : all_options_of(*app))
      if (const std::string& of_option = option->get_option_text(); !of_option.empty())
        for (const std::string& option_name : names_of(*option))
          words += fmt::format("{}[{}]='{}'", words.empty() ? "" : " ", option_name, of_option);
    const std::optional<Kind> arguments = arguments_kind(*app);
    constexpr std::string_view kCase = R"(    '{}')
      commands='{}'
      options='{}'
      with_file=' {} '
      with_folder=' {} '
      with_word=' {} '
      words=({})
      arguments={} ;;
)";
    cases += fmt::format(kCase, name, fmt::join(names_of_commands(*app), " "),
                         names_of_options(*app, [](const CLI::Option&) { return true; }), with(Kind::file),
                         with(Kind::folder), with(Kind::word), words,
                         !arguments                   ? "none"
                         : *arguments == Kind::folder ? "folders"
                                                      : "files");
  }
  return fmt::format(R"(# Completion for alnus in bash.
_alnus() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=alnus commands options with_file with_folder with_word arguments i wanted=
  local -A words
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${{COMP_WORDS[i]}}" in
      {}) command+=" ${{COMP_WORDS[i]}}" ;;
    esac
    if [[ ${{COMP_WORDS[i]}} == -- ]]; then wanted=arguments; fi
  done
  case $command in
{}  esac
  COMPREPLY=()
  if [[ -n $wanted ]]; then
    wanted=$arguments
  elif [[ $before == -* && -n ${{words[$before]}} ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${{words[$before]}}" -- "$word")
    if [[ $with_file == *" $before "* ]]; then wanted=files; fi
  elif [[ $with_word == *" $before "* ]]; then
    wanted=none
  elif [[ $with_file == *" $before "* ]]; then
    wanted=files
  elif [[ $with_folder == *" $before "* ]]; then
    wanted=folders
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif [[ -n $commands ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  else
    wanted=$arguments
  fi
  case $wanted in
    files) compopt -o filenames; mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$word") ;;
    folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
  esac
}}
complete -F _alnus alnus
)",
                     names, cases);
}

std::string zsh_completion(const CLI::App& program) {
  std::string text = "#compdef alnus\n# Completion for alnus in zsh.\n";
  std::vector<const CLI::App*> all = all_of(program);
  std::ranges::reverse(all);  // the program's function comes last
  const auto function = [](const CLI::App& app) {
    std::string name = "_" + full_name(app);
    std::ranges::replace(name, ' ', '_');
    return name;
  };
  const auto action = [](Kind kind) -> std::string {
    return kind == Kind::file ? "_files" : kind == Kind::folder ? "_files -/" : "";
  };
  const auto action_of_value = [&](const CLI::Option& option) -> std::string {
    const Kind kind = kind_of_value(option);
    const std::string& words = option.get_option_text();
    if (words.empty()) return action(kind);
    if (kind == Kind::word) return fmt::format("({})", words);
    return fmt::format(" _alternative \"words\\:word\\:({})\" \"files\\:file\\:{}\"", words, action(kind));
  };
  for (const CLI::App* app : all) {
    text += fmt::format("\n{}() {{\n", function(*app));
    if (is_group(*app))
      text +=
          "  local curcontext=\"$curcontext\" context state state_descr line\n  typeset -A opt_args\n"
          "  _arguments -C \\\n";
    else
      text += "  _arguments -s -S \\\n";
    for (const CLI::Option* option : all_options_of(*app)) {
      const std::vector<std::string> names = names_of(*option);
      std::string others;
      if (may_be_repeated(*option))
        others = "'*'";
      else if (names.size() > 1)
        others = fmt::format("'({})'", fmt::join(names, " "));
      std::string spec = fmt::format("[{}]", with_backslashes(brief(option->get_description()), "[]\\"));
      if (takes_value(*option))
        spec += fmt::format(":{}:{}", with_backslashes(option->get_type_name(), ":[]\\"),
                            action_of_value(*option));
      for (const std::string& name : names) {
        const bool is_long = name.starts_with("--");
        const std::string_view joined = !takes_value(*option) ? "" : is_long ? "=" : "+";
        text += fmt::format("    {}{}{}{} \\\n", others, name, joined, single_quoted(spec));
      }
    }
    if (!is_group(*app)) {
      const std::optional<Kind> arguments = arguments_kind(*app);
      text +=
          fmt::format("    {}\n}}\n", arguments ? fmt::format("'*: :{}'", action(*arguments)) : "&& return");
      continue;
    }
    text +=
        "    '1: :->command' '*:: :->arguments'\n  case $state in\n    command)\n      local -a commands=(\n";
    for (const CLI::App* command : commands_of(*app))
      text += fmt::format("        {}\n",
                          single_quoted(command->get_name() + ":" +
                                        with_backslashes(brief(command->get_description()), ":\\")));
    text += "      )\n      _describe command commands ;;\n    arguments)\n      case $line[1] in\n";
    for (const CLI::App* command : commands_of(*app))
      text += fmt::format("        {}) {} ;;\n", command->get_name(), function(*command));
    text += "      esac ;;\n  esac\n}\n";
  }
  return text + "\n_alnus \"$@\"\n";
}

std::string fish_completion(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* app : all_of(program))
    if (app != &program) names.push_back(fmt::format("'{}'", full_name(*app)));
  std::string text = fmt::format(R"(# Completion for alnus in fish.

# The words of the line that name a command, such as "alnus bench search".
function __alnus_command
  set -l command alnus
  for word in (commandline -opc)[2..-1]
    contains -- "$command $word" {}; or break
    set command "$command $word"
  end
  echo $command
end

complete -c alnus -f
)",
                                 fmt::join(names, " "));
  for (const CLI::App* app : all_of(program)) {
    const std::string here = fmt::format("test (__alnus_command) = \"{}\"", full_name(*app));
    for (const CLI::App* command : commands_of(*app))
      text += fmt::format("complete -c alnus -n '{}' -a {} -d '{}'\n", here, command->get_name(),
                          with_backslashes(brief(command->get_description()), "'\\"));
    if (const std::optional<Kind> arguments = arguments_kind(*app))
      text += fmt::format("complete -c alnus -n '{}' {}\n", here,
                          *arguments == Kind::folder ? "-a '(__fish_complete_directories)'" : "-F");
    for (const CLI::Option* option : all_options_of(*app)) {
      std::string flags;
      for (const std::string& name : option->get_snames()) flags += " -s " + name;
      for (const std::string& name : option->get_lnames()) flags += " -l " + name;
      if (takes_value(*option)) {
        const Kind kind = kind_of_value(*option);
        flags += kind == Kind::file     ? " -r -F"
                 : kind == Kind::folder ? " -x -a '(__fish_complete_directories)'"
                                        : " -x";
        const std::string& words = option->get_option_text();
        if (!words.empty()) flags += fmt::format(" -a '{}'", words);
      }
      text += fmt::format("complete -c alnus -n '{}'{} -d '{}'\n", here, flags,
                          with_backslashes(brief(option->get_description()), "'\\"));
    }
  }
  return text;
}

}  // namespace alnus::cli
