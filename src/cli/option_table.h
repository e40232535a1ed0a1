// Options that the library's tables describe (alnus/option_table.h).
#pragma once

#include <fmt/ranges.h>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "alnus/option_table.h"
#include "cli/log.h"
#include "cli/word_options.h"

namespace alnus::cli {

// What help says of an option.
struct OptionHelp {
  std::string type, description, default_text, group;
};

// Adds an option that takes a number, which is passed to `read`. Parsing throws Error(input) for what is no
// such number.
CLI::Option* add_number(CLI::App& command, const std::string& flag, const OptionHelp& help,
                        const Takes& takes, const std::function<void(double)>& read);
// Adds an option that takes one of these words, which completions offer, and passes the word to `read`.
CLI::Option* add_one_of(CLI::App& command, const std::string& flag, const OptionHelp& help,
                        std::span<const std::string_view> words,
                        const std::function<void(const std::string&)>& read);
// Adds an option that takes the name of a file, which is passed to `read`.
CLI::Option* add_file(CLI::App& command, const std::string& flag, const OptionHelp& help,
                      const std::function<void(const std::string&)>& read);
// Adds an option without a value. If it is given, `set` is called.
CLI::Option* add_flag(CLI::App& command, const std::string& flag, const OptionHelp& help,
                      const std::function<void()>& set);

// Adds the options of kOptions<Options>. Their values go to `options()`, which is called when an option is
// given.
template <class Options>
void add_options(CLI::App& command, const char* group, const std::function<Options&()>& options) {
  for_each_option<Options>([&](const auto& option) {
    using Value = typename std::decay_t<decltype(option)>::Value;
    const std::string flag = flag_of(option.name);
    const OptionHelp help{std::string(option.type), std::string(option.help),
                          std::string(option.default_text), group};
    if constexpr (std::is_enum_v<Value>)
      add_one_of(command, flag, help, alnus::words_of<Value>(),
                 [=](const std::string& word) { options().*(option.member) = chosen<Value>(flag, word); });
    else if constexpr (std::is_same_v<Value, std::string>)
      add_file(command, flag, help, [=](const std::string& name) { options().*(option.member) = name; });
    else if constexpr (std::is_same_v<Value, bool>)
      add_flag(command, flag, help, [=] { options().*(option.member) = true; });
    else
      add_number(command, flag, help, option.takes,
                 [=](double number) { options().*(option.member) = static_cast<Value>(number); });
  });
}

// Appends to `given` the limits among kOptions<Options> that are given, as words for the log: "--min-score
// 50". A limit is a number without a default. `judged`: false if there are no statistics, whose limits then
// left nothing out.
template <class Options>
void add_limits(std::vector<std::string>& given, const Options& options, bool judged = true) {
  for_each_option<Options>([&](const auto& option) {
    using Value = typename std::decay_t<decltype(option)>::Value;
    const auto& member = options.*(option.member);
    if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, std::decay_t<decltype(member)>>)
      if (member && (judged || !std::holds_alternative<StatisticsLimit>(option.takes)))
        given.push_back(fmt::format("{} {}", flag_of(option.name), *member));
  });
}

}  // namespace alnus::cli
