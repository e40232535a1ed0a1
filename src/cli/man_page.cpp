#include <algorithm>
#include <cctype>
#include <fmt/chrono.h>
#include <fmt/ranges.h>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/help.h"

namespace alnus::cli {
namespace {

constexpr std::size_t kWidth = 70;  // most columns of a source line, before escapes

// Escapes the characters that troff would interpret. It would show a plain '-' as a hyphen that shells do not
// read as a dash.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '\\')
      safe += "\\e";
    else if (letter == '-')
      safe += "\\-";
    else if (letter == '~')
      safe += "\\(ti";
    else
      safe += letter;
  }
  return safe;
}

// Escapes text for a macro's line, where double quotes group words.
std::string in_macro(std::string_view text) {
  std::string safe = escaped(text);
  for (std::size_t at = safe.find('"'); at != safe.npos; at = safe.find('"', at))
    safe.replace(at, 1, "\\(dq");
  return safe;
}

// Wraps and escapes running text. Each sentence begins a new line. A line that begins with '.' or an
// apostrophe is escaped, since troff would take it for a macro.
std::string prose(std::string text) {
  for (std::size_t at = 0; (at = text.find(". ", at)) != text.npos; ++at) text[at + 1] = '\n';
  std::string lines;
  std::istringstream sentences(text);
  for (std::string sentence; std::getline(sentences, sentence);) {
    std::istringstream wrapped(wrap(sentence, kWidth, 0));
    for (std::string line; std::getline(wrapped, line);)
      lines += (line.starts_with('.') || line.starts_with('\'') ? "\\&" : "") + escaped(line) + "\n";
  }
  return lines;
}

// Escapes a word of a macro's line. mdoc would take a word such as "|" for punctuation.
std::string word(std::string_view text) {
  return (text.size() == 1 && std::ispunct(static_cast<unsigned char>(text.front())) ? "\\&" : "") +
         in_macro(text);
}

// The names of an option in mdoc: "Fl o", "Fl -output".
std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> flags;
  for (const std::string& name : option.get_snames()) flags.push_back("Fl " + name);
  for (const std::string& name : option.get_lnames()) flags.push_back("Fl -" + in_macro(name));
  return flags;
}

std::string item(const CLI::Option& option) {
  std::string line = option.get_positional() ? ".It Ar " + word(option.get_name())
                                             : fmt::format(".It {}", fmt::join(flags_of(option), " , "));
  if (!option.get_positional() && takes_value(option)) line += " Ar " + word(option.get_type_name());
  return line + "\n" + prose(described(option));
}

std::string list(const std::vector<const CLI::Option*>& options) {
  std::string text = ".Bl -tag -width Ds\n";
  for (const CLI::Option* option : options) text += item(*option);
  return text + ".El\n";
}

std::string without_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}
std::string sentence(const std::string& text) { return without_stop(text) + "."; }

std::string synopsis(const CLI::App& app) {
  std::string text = ".Nm " + full_name(app) + "\n";
  if (is_group(app)) return text + ".Ar COMMAND\n.Op Ar options\n.Ar FILES\n";
  text += ".Op Ar options\n";
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional() && option->get_required())
      text += fmt::format(".{} Ar {}\n", flags_of(*option).front(), word(option->get_type_name()));
  for (const CLI::Option* argument : arguments_of(app)) {
    const std::string name =
        word(argument->get_name()) + (argument->get_items_expected_max() > 1 ? " ..." : "");
    text += (argument->get_required() ? ".Ar " : ".Op Ar ") + name + "\n";
  }
  return text;
}

// The parts of a help text's footer: notes, and the indented shell lines after "Example:".
struct Footer {
  std::string notes;
  std::vector<std::string> examples;
};
Footer read_footer(const std::string& text) {
  constexpr std::string_view kHead = "Example:\n", kIndent = "  ";
  Footer footer;
  const std::size_t at = text.find(kHead);
  footer.notes = text.substr(0, at);
  std::ranges::replace(footer.notes, '\n', ' ');
  footer.notes.erase(footer.notes.find_last_not_of(' ') + 1);
  if (at == text.npos) return footer;
  std::istringstream lines(text.substr(at + kHead.size()));
  for (std::string line; std::getline(lines, line);)
    footer.examples.push_back(line.substr(line.starts_with(kIndent) ? kIndent.size() : 0));
  return footer;
}

// The section SEE ALSO: the pages of the app's own commands, of its group, and of the group's other commands.
std::string see_also(const CLI::App& app) {
  std::vector<const CLI::App*> others = commands_of(app);
  if (const CLI::App* group = app.get_parent()) {
    others.push_back(group);
    for (const CLI::App* other : commands_of(*group))
      if (other != &app) others.push_back(other);
  }
  std::vector<std::string> names;
  names.reserve(others.size());
  for (const CLI::App* other : others) names.push_back(page_name(*other));
  std::ranges::sort(names);
  std::string text = ".Sh SEE ALSO\n";
  for (const std::string& name : names)
    text += fmt::format(".Xr {} 1{}\n", in_macro(name), name == names.back() ? "" : " ,");
  return text;
}

constexpr std::string_view kEnvironment = R"(.Sh ENVIRONMENT
.Bl -tag -width Ds
.It Ev XDG_CACHE_HOME
Calibrations are stored in the folder
.Pa alnus
below this one.
Without it they are in
.Pa \(ti/.cache/alnus .
.It Ev CUDA_VISIBLE_DEVICES
The GPUs that alnus sees, as for every program that uses CUDA.
.El
)";

constexpr std::string_view kExitStatus = R"(.Sh EXIT STATUS
.Bl -tag -width Ds
.It 0
Fine, also when nothing was found.
.It 1
A query, an option, or another input is wrong.
.It 2
The database is wrong or cannot be written.
.It 3
A device cannot do it, or is not there.
.It 4
There is not enough memory.
.It 255
Anything else, such as an output that cannot be written.
.It 129 , 130 , 143
Ended by a signal; unfinished outputs are removed, but those of a run with
.Fl \-checkpoint
stay.
.It 141
The reader of standard output went away.
.El
)";

}  // namespace

std::string page_name(const CLI::App& app) {
  std::string name = full_name(app);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page(const CLI::App& app, const std::tm& date) {
  const std::string name = page_name(app);
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char letter) { return std::toupper(letter); });
  std::string text =
      fmt::format(".Dd {0:%B} {1}, {0:%Y}\n.Dt {2} 1\n.Os\n.Sh NAME\n.Nm {3}\n.Nd {4}\n", date, date.tm_mday,
                  in_macro(title), in_macro(name), in_macro(without_stop(app.get_description())));
  const Footer footer = read_footer(app.get_footer());
  text += ".Sh SYNOPSIS\n" + synopsis(app) + ".Sh DESCRIPTION\n" + prose(sentence(app.get_description()));
  if (!footer.notes.empty()) text += ".Pp\n" + prose(footer.notes);
  if (const auto arguments = arguments_of(app); !arguments.empty()) text += list(arguments);
  if (is_group(app)) {
    text += ".Bl -tag -width Ds\n";
    for (const CLI::App* command : commands_of(app))
      text += fmt::format(".It Xr {} 1\n{}", in_macro(page_name(*command)),
                          prose(sentence(command->get_description())));
    text += ".El\n";
  }
  text += ".Sh OPTIONS\n";
  for (const std::string& group : groups_of(app)) {
    const auto options = options_of(app, group);
    if (options.empty()) continue;
    if (group != "Options" && group != "OPTIONS") text += ".Ss " + in_macro(group) + "\n";
    text += list(options);
  }
  text += kEnvironment;
  text += kExitStatus;
  if (!footer.examples.empty()) {
    text += ".Sh EXAMPLES\n.Bd -literal -offset indent\n";
    for (const std::string& line : footer.examples) text += escaped(line) + "\n";
    text += ".Ed\n";
  }
  return text + see_also(app);
}

}  // namespace alnus::cli
