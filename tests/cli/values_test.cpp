// Values of options as the command line reads them, and the lines of its help.
#include "cli/values.h"

#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cli/help.h"

namespace alnus::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The value that `read` returns; empty if it refuses the text, as an Error(input) that names the option.
template <class Read>
auto read_by(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), ::testing::StartsWith("--x "));
    return std::nullopt;
  }
}

TEST(OptionValues, AreDividedAtCommas) {
  EXPECT_THAT(split_at_commas(""), ElementsAre(""));
  EXPECT_THAT(split_at_commas("a"), ElementsAre("a"));
  EXPECT_THAT(split_at_commas("a,bc"), ElementsAre("a", "bc"));
  EXPECT_THAT(split_at_commas(",a,,b,"), ElementsAre("", "a", "", "b", ""));
}

TEST(OptionValues, SizesHaveUnits) {
  constexpr std::uint64_t kGiB = 1ULL << 30;
  const std::vector<std::pair<const char*, std::uint64_t>> sizes = {
      {"1K", 1024},
      {"1k", 1024},
      {"3M", 3ULL << 20},
      {"3m", 3ULL << 20},
      {"8G", 8 * kGiB},
      {"8g", 8 * kGiB},
      {"2T", 2048 * kGiB},
      {"2t", 2048 * kGiB},
      {"+5M", 5ULL << 20},
      {"1.5G", kGiB + kGiB / 2},
      {".5K", 512},
      {"0.0009765625K", 1},
      {"1048576", 1048576},
      {"1048577", 1048577},
      {"18446744073709551615", UINT64_MAX},
      {"16777215T", 16777215ULL << 40},
      {"8388607.5T", (8388607ULL << 40) + (1ULL << 39)}};
  for (const auto& [text, expected] : sizes)
    EXPECT_EQ(read_by([&, t = text] { return parse_size("--x", t); }), expected) << text;
  for (const char* text : {"0K", "0.0009K", "1048575", "1", "16777216T", "8388608.5T", "18446744073709551616",
                           "-5M", "+-5M", "1.5", "1.5.5G", "K", "", "1e3M", "5 M"})
    EXPECT_FALSE(read_by([&] { return parse_size("--x", text); })) << text;
  for (const auto& [text, advice] : {std::pair("7", "7 byte"),
                                     {"7", "such as 7G or 7M"},
                                     {"999", "999G"},
                                     {"1000", "4G or 4M"},
                                     {"1", "1 byte,"}})
    try {
      parse_size("--x", text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(advice));
    }
}

TEST(OptionValues, NumbersAreWithinTheirLimits) {
  for (int number = -3; number <= 15; ++number) {
    const std::string text = std::to_string(number);
    const bool fits = number >= 2 && number <= 10;
    EXPECT_EQ(read_by([&] { return parse_count("--x", text, 2, 10); }).has_value(), fits) << text;
    EXPECT_EQ(read_by([&] { return parse_number("--x", text, 2, 10); }).has_value(), fits) << text;
    EXPECT_EQ(read_by([&] { return parse_evalue("--x", text); }).has_value(), number >= 0) << text;
    EXPECT_EQ(read_by([&] { return parse_score("--x", text); }), number) << text;
  }
  EXPECT_EQ(read_by([] { return parse_count("--x", "+7", 2, 10); }), 7u);
  EXPECT_EQ(read_by([] { return parse_number("--x", "9.75", 2, 10); }), 9.75);
  EXPECT_EQ(read_by([] { return parse_evalue("--x", "1e-5"); }), 1e-5);
  EXPECT_EQ(read_by([] { return parse_score("--x", "-41.5"); }), -41.5);
  for (const char* text : {"inf", "nan", "", "1e400", "-1e-300", "x", "5x", "+-5"})
    EXPECT_FALSE(read_by([&] { return parse_evalue("--x", text); })) << text;
  for (const char* text : {"1.99", "10.01", "nan", "inf", ""})
    EXPECT_FALSE(read_by([&] { return parse_number("--x", text, 2, 10); })) << text;
  for (const char* text : {"1e2", "inf", "nan", "", "-", "3-4", "+-3"})
    EXPECT_FALSE(read_by([&] { return parse_score("--x", text); })) << text;
}

// Lines are as long as they can be: the next word never fits, and only a single word is longer than the
// width.
TEST(Wrap, FillsLines) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t width = 1 + random() % 40, indent = random() % (width + 1);
    std::string text;
    for (auto words = random() % 30; words > 0; --words)
      text +=
          (text.empty() ? "" : " ") + std::string(1 + random() % 12, static_cast<char>('a' + random() % 26));
    const std::string wrapped = std::string(indent, ' ') + wrap(text, width, indent);
    std::string joined, line;
    std::size_t before = 0;  // columns of the line before
    for (std::size_t begin = 0; begin <= wrapped.size(); begin += line.size() + 1) {
      line = wrapped.substr(begin, wrapped.find('\n', begin) - begin);
      ASSERT_EQ(line.substr(0, indent), std::string(indent, ' '));
      const std::string words = line.substr(indent);
      EXPECT_TRUE(line.size() <= width || words.find(' ') == words.npos) << wrapped;
      const std::size_t first = std::min(words.find(' '), words.size());
      EXPECT_TRUE(begin == 0 || before + 1 + first > width) << wrapped << ' ' << width;
      joined += (begin == 0 ? "" : " ") + words;
      before = line.size();
    }
    EXPECT_EQ(joined, text);
  }
}

}  // namespace
}  // namespace alnus::cli
