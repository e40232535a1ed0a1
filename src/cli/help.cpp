#include "cli/help.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace alnus::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kNameColumn = 30;  // the column where descriptions begin

constexpr char kUnbroken = '\x01';  // stands for a blank at which no line may be broken

std::string entry(std::string name, const std::string& description) {
  name = "  " + name;
  if (name.size() + 2 > kNameColumn) {
    name += "\n" + std::string(kNameColumn, ' ');
  } else {
    name.resize(kNameColumn, ' ');
  }
  std::string wrapped = wrap(description, kWidth, kNameColumn);
  std::replace(wrapped.begin(), wrapped.end(), kUnbroken, ' ');
  return name + wrapped + "\n";
}

std::string option_entry(const CLI::Option& option) {
  std::string name = option.get_name(false, true);
  const std::size_t comma = name.find(',');
  if (comma != name.npos) {
    name.replace(comma, 1, ", ");
  } else if (!option.get_positional()) {
    name.insert(0, "    ");
  }
  if (!option.get_positional() && takes_value(option)) name += " " + option.get_type_name();
  return entry(name, described(option, kUnbroken));
}

std::string section(const std::string& title, const std::vector<const CLI::Option*>& options) {
  if (options.empty()) return {};
  std::string text = "\n" + title + ":\n";
  for (const CLI::Option* option : options) text += option_entry(*option);
  return text;
}

}  // namespace

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string wrapped;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      wrapped += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      wrapped += ' ';
      ++column;
    }
    wrapped += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped;
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> groups_of(const CLI::App& app) {
  std::vector<std::string> groups = app.get_groups();
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != "Other options"; });
  return groups;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app, const std::string& group) {
  return app.get_options(
      [&](const CLI::Option* option) { return !option->get_positional() && option->get_group() == group; });
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }

std::string described(const CLI::Option& option, char blank) {
  std::string value = option.get_default_str();
  std::replace(value.begin(), value.end(), ' ', blank);
  return option.get_description() + (value.empty() ? "" : fmt::format(" [{}]", value));
}

bool is_group(const CLI::App& app) { return !app.get_subcommands({}).empty(); }

std::string usage(const CLI::App& app) {
  if (is_group(app)) return full_name(app) + " COMMAND [options] FILES";
  std::string text = full_name(app) + " [options]";
  for (const CLI::Option* option : arguments_of(app)) {
    const std::string name = option->get_name() + (option->get_items_expected_max() > 1 ? "..." : "");
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional() && option->get_required())
      text += fmt::format(" -{} {}", option->get_snames().front(), option->get_type_name());
  return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string /*name*/,
                                     CLI::AppFormatMode /*mode*/) const {
  std::string text = wrap(app->get_description(), kWidth, 0) + "\n\nUsage: " + usage(*app) + "\n";
  text += section("Arguments", arguments_of(*app));
  const std::vector<const CLI::App*> commands = commands_of(*app);
  if (!commands.empty()) text += "\nCommands:\n";
  for (const CLI::App* command : commands) text += entry(command->get_name(), command->get_description());
  for (const std::string& group : groups_of(*app)) text += section(group, options_of(*app, group));
  return text + "\n" + app->get_footer() + "\n";
}

}  // namespace alnus::cli
