// Values of JSON texts that may come from anybody are accepted up to their limits.
#include "io/json_values.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "alnus/scoring.h"

namespace alnus::io {
namespace {

using Json = nlohmann::json;

// True if reading the value of this text succeeds. Whatever is refused is an Error(input).
template <class Read>
bool accepts(const std::string& text, Read read) {
  try {
    read(Json::parse(text));
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return false;
  }
}

template <class T>
bool is_whole(const std::string& text, T lowest = std::numeric_limits<T>::min(),
              T highest = std::numeric_limits<T>::max()) {
  return accepts(text,
                 [&](const Json& json) { EXPECT_EQ(std::to_string(whole<T>(json, lowest, highest)), text); });
}

TEST(JsonValues, WholeNumbersAreThoseOfTheirType) {
  for (const char* text : {"0", "1", "4294967295"}) EXPECT_TRUE(is_whole<std::uint32_t>(text)) << text;
  for (const char* text :
       {"-1", "4294967296", "18446744073709551615", "1.0", "1e3", "\"1\"", "null", "true", "[]"})
    EXPECT_FALSE(is_whole<std::uint32_t>(text)) << text;
  for (const char* text : {"-2147483648", "-1", "0", "2147483647"})
    EXPECT_TRUE(is_whole<std::int32_t>(text)) << text;
  for (const char* text : {"-2147483649", "2147483648", "18446744073709551615"})
    EXPECT_FALSE(is_whole<std::int32_t>(text)) << text;
  EXPECT_TRUE(is_whole<std::uint64_t>("18446744073709551615"));
  EXPECT_TRUE(is_whole<std::int64_t>("-9223372036854775808"));
  EXPECT_FALSE(is_whole<std::int64_t>("9223372036854775808"));
}

TEST(JsonValues, WholeNumbersAreWithinTheirLimits) {
  for (int value = -9; value <= 9; ++value) {
    const std::string text = std::to_string(value);
    EXPECT_EQ(is_whole<std::int32_t>(text, 2, 5), 2 <= value && value <= 5) << value;
    EXPECT_EQ(is_whole<std::int32_t>(text, -5, -2), -5 <= value && value <= -2) << value;
    EXPECT_EQ(is_whole<std::int64_t>(text, -3, 3), -3 <= value && value <= 3) << value;
    EXPECT_EQ(is_whole<std::uint32_t>(text, 0, 1), value == 0 || value == 1) << value;
  }
}

TEST(JsonValues, NumbersAreWithinTheirLimits) {
  const auto is_number = [](const std::string& text, double lowest, double highest) {
    return accepts(text, [&](const Json& json) { number(json, lowest, highest); });
  };
  for (const char* text : {"0", "1", "0.5", "1e-300"}) EXPECT_TRUE(is_number(text, 0, 1)) << text;
  for (const char* text : {"-1e-300", "1.0000000000000002", "-1", "2", "\"0\"", "null", "false"})
    EXPECT_FALSE(is_number(text, 0, 1)) << text;
  for (const char* text : {"-1.7976931348623157e308", "1.7976931348623157e308", "7"})
    EXPECT_TRUE(accepts(text, [](const Json& json) { number(json); })) << text;
  EXPECT_THROW(number(Json(std::numeric_limits<double>::infinity())), Error);
  EXPECT_THROW(number(Json(std::numeric_limits<double>::quiet_NaN())), Error);
}

TEST(JsonValues, WordsAreThoseOfTheEnumeration) {
  EXPECT_EQ(of_word<Mode>(Json("global")), Mode::global);
  for (const char* text : {"\"globl\"", "\"\"", "1", "null"})
    EXPECT_FALSE(accepts(text, [](const Json& json) { of_word<Mode>(json); })) << text;
}

TEST(JsonValues, LongTextsAreRefused) {
  std::string text(kLongestText, 'x');
  text.front() = text.back() = '"';
  EXPECT_EQ(parsed<Json>(text).get<std::string>().size(), kLongestText - 2);
  text += ' ';
  EXPECT_THROW(parsed<Json>(text), Error);
}

}  // namespace
}  // namespace alnus::io
