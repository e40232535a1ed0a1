#include "core/decimal.h"

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace alnus {
namespace {

struct Read {
  const char* text;
  std::int64_t numerator, denominator;
};

TEST(Decimal, IsReadInLowestTerms) {
  for (const Read& c : {Read{"0", 0, 1},
                        {"-4", -4, 1},
                        {"+4", 4, 1},
                        {"0.5", 1, 2},
                        {".25", 1, 4},
                        {"3.", 3, 1},
                        {"-0.50", -1, 2},
                        {"2.0", 2, 1},
                        {"007", 7, 1},
                        {"12.34", 617, 50},
                        {"123456789", 123456789, 1},
                        {"-999999999", -999999999, 1},
                        {"0.000001", 1, 1000000},
                        {"123.456789", 123456789, 1000000}}) {
    const std::optional<Decimal> found = parse_decimal(c.text);
    ASSERT_TRUE(found) << c.text;
    EXPECT_EQ(found->numerator, c.numerator) << c.text;
    EXPECT_EQ(found->denominator, c.denominator) << c.text;
  }
}

// A decimal has one to nine digits, and at most six of them after the point.
TEST(Decimal, NoOtherTextIsOne) {
  for (const char* text :
       {"",           "-",          "+",         ".",         "-.",          "--1",        "+-1", "-+1",
        "1-",         "1.2.3",      "1,5",       "1e3",       " 1",          "1 ",         "0x1", "nan",
        "1234567890", "0123456789", "1.0000000", "0.0000001", "123.4567891", "1234.567890"})
    EXPECT_FALSE(parse_decimal(text)) << text;
}

TEST(Decimal, SumsAndDifferencesAreExact) {
  const std::vector<std::string> texts = {"0", "1", "-1", "0.5", "-0.25", "9.5", "11", "0.1", "123.456"};
  for (const std::string& a : texts)
    for (const std::string& b : texts) {
      const Decimal x = *parse_decimal(a), y = *parse_decimal(b), sum = x + y, difference = x - y;
      for (const Decimal& result : {sum, difference})
        EXPECT_EQ(std::gcd(result.numerator, result.denominator), 1) << a << ' ' << b;
      const auto value = [](const Decimal& of) {
        return static_cast<double>(of.numerator) / static_cast<double>(of.denominator);
      };
      EXPECT_NEAR(value(sum), value(x) + value(y), 1e-12) << a << ' ' << b;
      EXPECT_NEAR(value(difference), value(x) - value(y), 1e-12) << a << ' ' << b;
    }
}

TEST(Decimal, ScaledValuesHaveALimit) {
  struct Case {
    const char* text;
    std::int64_t scale;
    std::optional<std::int32_t> expected;
  };
  for (const Case& c : {Case{"0.5", 2, 1},
                        {"0.5", 20, 10},
                        {"-1.5", 2, -3},
                        {"7", 1, 7},
                        {"32767", 1, 32767},
                        {"32768", 1, {}},
                        {"-32767", 1, -32767},
                        {"-32768", 1, {}},
                        {"16383.5", 2, 32767},
                        {"16384", 2, {}},
                        {"16383", 2, 32766},
                        {"-16383.5", 2, -32767},
                        {"1", 32767, 32767},
                        {"0", 32767, 0},
                        {"0", 32768, {}},
                        {"2", 32766, {}}})
    EXPECT_EQ(scale_exactly(*parse_decimal(c.text), c.scale), c.expected) << c.text << ' ' << c.scale;
}

TEST(Decimal, IsWrittenAsItIsRead) {
  for (const std::int64_t denominator : {1, 2, 4, 5, 8, 10, 16, 20, 50, 100, 1000, 1'000'000})
    for (std::int64_t numerator = -250; numerator <= 250; ++numerator) {
      const std::string text = format_decimal(numerator, denominator);
      const std::optional<Decimal> back = parse_decimal(text);
      ASSERT_TRUE(back) << text;
      EXPECT_EQ(back->numerator * denominator, numerator * back->denominator) << text;
      const bool has_point = text.find('.') != text.npos;
      EXPECT_EQ(has_point, numerator % denominator != 0) << text;
      EXPECT_TRUE(!has_point || (text.back() != '0' && text.back() != '.')) << text;
      EXPECT_EQ(text.front() == '-', numerator < 0) << text;
    }
  EXPECT_EQ(format_decimal(2147483647, 1000), "2147483.647");
}

}  // namespace
}  // namespace alnus
