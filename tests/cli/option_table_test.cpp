// The tables of options (alnus/option_table.h) beside the options' defaults, the help and the documentation.
#include "alnus/option_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "alnus/all_pairs.h"
#include "alnus/output.h"
#include "alnus/parts.h"
#include "alnus/row_filter.h"
#include "alnus/search.h"
#include "alnus/statistics.h"
#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class OptionTables : public CliTest {
 protected:
  // Calls use(option, its flag) for each option of all tables that `command` has.
  template <class Use>
  static void for_each_of(const std::string& command, const Use& use) {
    const auto with_flag = [&](const auto& option) {
      std::string flag = option.name == "statistics" ? "--stats" : fmt::format("--{}", option.name);
      std::ranges::replace(flag, '_', '-');
      use(option, flag);
    };
    if (command == "search") for_each_option<SearchOptions>(with_flag);
    if (command == "align") for_each_option<AlignOptions>(with_flag);
    if (command == "search" || command == "align") for_each_option<RowFilter>(with_flag);
    if (command == "allpairs") {
      for_each_option<PairFilter>(with_flag);
      for_each_option<MatrixValue>(with_flag);
      for_each_option<PairFiles>(with_flag);
    }
    if (command == "merge") return for_each_option<JobFiles>(with_flag);
    for_each_option<StatisticsOptions>(with_flag);
    for_each_option<ShuffleOptions>(with_flag);
  }
};

TEST_F(OptionTables, AreInTheHelp) {
  for (const std::string command : {"search", "align", "allpairs", "merge"}) {
    const std::string help = alnus({command, "--help"}).out;
    for_each_of(command, [&](const auto& option, const std::string& flag) {
      EXPECT_THAT(help, HasSubstr(fmt::format("{} {}", flag, option.type))) << command;
    });
  }
}

TEST_F(OptionTables, AreInTheDocumentation) {
  std::ifstream file(ALNUS_SOURCE_DIR "/docs/cli.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  ASSERT_FALSE(page.empty());
  for (const std::string command : {"search", "align", "allpairs", "merge"})
    for_each_of(command, [&](const auto&, const std::string& flag) {
      EXPECT_THAT(page, testing::ContainsRegex("`" + flag + "[` ]"));
    });
}

TEST_F(OptionTables, HelpHasTheDefaultsOfTheLibrary) {
  const auto expect_defaults = []<class Options>(const Options& options) {
    for_each_option<Options>([&](const auto& option) {
      const auto& value = options.*(option.member);
      using Value = std::decay_t<decltype(value)>;
      if constexpr (std::is_enum_v<Value>) {
        EXPECT_EQ(option.default_text, word_of(value)) << option.name;
      } else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
        EXPECT_EQ(option.default_text, fmt::format("{}", value)) << option.name;
      }
    });
  };
  expect_defaults(SearchOptions{});
  expect_defaults(AlignOptions{});
  expect_defaults(RowFilter{});
  expect_defaults(PairFilter{});
  expect_defaults(PairFiles{});
  expect_defaults(ShuffleOptions{});
  EXPECT_EQ(std::get<1>(kOptions<SearchOptions>).default_text, fmt::format("{}", kDefaultEvalue));
}

}  // namespace
}  // namespace alnus::test
