// Tables of the options of calls. An option is described once, next to the struct that has its value:
//
//   template <>
//   inline constexpr std::tuple kOptions<SearchOptions> = {
//       CallOption{"max_target_seqs", &SearchOptions::max_target_seqs, Counts{1}, "N", "Most hits ...",
//       "500"},
//   };
//
// The program's options with their help and completions, the arguments of Python, and the description of a
// run, by which parts of one job and a run that goes on from a checkpoint know each other, read these tables.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

#include "alnus/words.h"

namespace alnus {

struct Significance;

// What an option with a number takes.
struct Counts {  // whole numbers
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::string_view word_for_most{};  // a word that users may write for `most`, as "all"; empty: there is none
};
enum class Numbers : std::uint8_t {
  score,    // in the substitution matrix' units
  percent,  // 0 to 100
  size      // 0 or more, also as 1e9, such as a search space
};
// A limit of a number that the statistics give a row. The limit is 0 or more. A row without the number
// passes.
struct StatisticsLimit {
  std::optional<double> Significance::*number;
  bool is_highest;           // rows with a larger number are left out; false: rows with a smaller one
  std::string_view numbers;  // what messages call such numbers, as "E-values"

  bool passes(const Significance& significance, double limit) const;
};
using Takes = std::variant<Counts, Numbers, StatisticsLimit>;

// The type of an option's value: that of its member, without std::optional.
template <class Member>
struct ValueOfMember {
  using type = Member;
};
template <class Value>
struct ValueOfMember<std::optional<Value>> {
  using type = Value;
};

// An option whose value is a member of Options: a number; a value of an enumeration with words; the name of a
// file (std::string), of which an empty one means none; or a flag (bool), which has no value. The member may
// be std::optional; empty then means what `default_text` says.
template <class Options, class Member>
struct CallOption {
  using Value = typename ValueOfMember<Member>::type;

  // The identifier, as option() has it. The program writes "--max-target-seqs" for max_target_seqs.
  std::string_view name;
  Member Options::*member;
  Takes takes;                    // which numbers the option takes; ignored for options without a number
  std::string_view type;          // what help writes in the place of a value: "N"; empty for a flag
  std::string_view help;          // what the option does
  std::string_view default_text;  // what help writes as the default; empty: nothing

  constexpr CallOption(std::string_view its_name, Member Options::*its_member, Takes what,
                       std::string_view its_type, std::string_view its_help,
                       std::string_view its_default = "")
      : name(its_name),
        member(its_member),
        takes(what),
        type(its_type),
        help(its_help),
        default_text(its_default) {}
  constexpr CallOption(std::string_view its_name, Member Options::*its_member, std::string_view its_type,
                       std::string_view its_help, std::string_view its_default = "")
      : CallOption(its_name, its_member, {}, its_type, its_help, its_default) {}
  // The same option in another struct.
  template <class Other, class OtherMember>
  constexpr CallOption(const CallOption<Other, OtherMember>& same, Member Options::*its_member)
      : CallOption(same.name, its_member, same.takes, same.type, same.help, same.default_text) {}
};

// The options of a struct, in the order of the program's help.
template <class Options>
inline constexpr std::tuple<> kOptions{};

// Calls use(option) for each of kOptions<Options>.
template <class Options, class Use>
constexpr void for_each_option(const Use& use) {
  std::apply([&](const auto&... option) { (use(option), ...); }, kOptions<Options>);
}

// Calls use(name, limit, value) for each StatisticsLimit of the table whose value is given.
template <class Options, class Use>
constexpr void for_each_statistics_limit(const Options& options, const Use& use) {
  for_each_option<Options>([&](const auto& option) {
    const auto& value = options.*(option.member);
    if constexpr (std::is_same_v<decltype(value), const std::optional<double>&>)
      if (const auto* const limit = std::get_if<StatisticsLimit>(&option.takes); limit && value)
        use(option.name, *limit, *value);
  });
}

}  // namespace alnus
