// Numbers as BLAST prints them. The expected texts are from the output of blastp 2.12.
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/row_text.h"

namespace alnus::io {
namespace {

std::string evalue(std::optional<double> number, NumberStyle style) {
  Text text;
  append_evalue(text, number, style);
  return std::string(view(text));
}
std::string bits(std::optional<double> number) {
  Text text;
  append_bits(text, number);
  return std::string(view(text));
}

TEST(Text, EvaluesOfTables) {
  EXPECT_EQ(evalue(1e-181, NumberStyle::table), "0.0");
  EXPECT_EQ(evalue(0, NumberStyle::table), "0.0");
  EXPECT_EQ(evalue(1.01e-136, NumberStyle::table), "1.01e-136");
  EXPECT_EQ(evalue(1.44e-39, NumberStyle::table), "1.44e-39");
  EXPECT_EQ(evalue(0.00089, NumberStyle::table), "8.90e-04");
  EXPECT_EQ(evalue(0.0009, NumberStyle::table), "0.001");
  EXPECT_EQ(evalue(0.019, NumberStyle::table), "0.019");
  EXPECT_EQ(evalue(0.64, NumberStyle::table), "0.64");
  EXPECT_EQ(evalue(5.44, NumberStyle::table), "5.4");
  EXPECT_EQ(evalue(102.3, NumberStyle::table), "102");
  EXPECT_EQ(evalue({}, NumberStyle::table), "NA");
}

TEST(Text, EvaluesOfReports) {
  EXPECT_EQ(evalue(2.3e-146, NumberStyle::report), "2e-146");
  EXPECT_EQ(evalue(2.3e-72, NumberStyle::report), "2e-72");
  EXPECT_EQ(evalue(8.6e-4, NumberStyle::report), "9e-04");
  EXPECT_EQ(evalue(0.033, NumberStyle::report), "0.033");
  EXPECT_EQ(evalue({}, NumberStyle::report), "NA");
}

TEST(Text, BitScoresAreCutAbove99) {
  EXPECT_EQ(bits(25.79), "25.8");
  EXPECT_EQ(bits(9.44), "9.4");
  EXPECT_EQ(bits(99.9), "99.9");
  EXPECT_EQ(bits(99.95), "99");
  EXPECT_EQ(bits(2971.9), "2971");
  EXPECT_EQ(bits(123456), "1.235e+05");
  EXPECT_EQ(bits({}), "NA");
}

std::string printed(const char* format, int decimals, double number) {
  std::string text(400, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), format, decimals, number)));
  return text;
}

template <int kDecimals>
void expect_as_printf(double number) {
  Text text;
  append_fixed<kDecimals>(text, number);
  EXPECT_EQ(view(text), printed("%.*f", kDecimals, number));
}

// Numbers halfway between two decimals, their neighbours, and other numbers. A double that is exactly halfway
// is rounded to even.
TEST(Text, DecimalsAreThoseOfPrintf) {
  std::vector<double> numbers = {0, 1e9, 1e300, 1073741.8235, 1073741.8245, 0.0005, 0.00049999999, 99.9995};
  for (int k = 0; k < 2000; ++k) {
    const double half = k / 2000.0 + 1 / 4000.0, fraction = 100.0 * k / 64;
    for (const double number : {half, fraction, k / 16.0 + k})
      numbers.insert(numbers.end(), {number, std::nextafter(number, 0), std::nextafter(number, 1e6)});
  }
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-8, 12);
  for (int k = 0; k < 100'000; ++k) numbers.push_back(std::pow(10, exponent(random)));
  for (const double number : numbers) {
    for (const double signed_number : {number, -number}) {
      expect_as_printf<0>(signed_number);
      expect_as_printf<1>(signed_number);
      expect_as_printf<2>(signed_number);
      expect_as_printf<3>(signed_number);
      expect_as_printf<6>(signed_number);
    }
  }
  expect_as_printf<2>(std::numeric_limits<double>::infinity());
}

TEST(Text, SmallEvaluesAreThoseOfPrintf) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-180, -4);
  std::vector<double> numbers = {8.995e-4, 8.985e-4, 1e-180};
  for (int k = 0; k < 200'000; ++k) numbers.push_back(std::pow(10, exponent(random)));
  for (int power = -179; power < -4; ++power)
    for (const char* digits : {"1", "1.005", "1.015", "9.985", "9.995", "9.99"})
      numbers.push_back(std::stod(digits + ("e" + std::to_string(power))));
  for (const double number : numbers)
    for (const double near : {number, std::nextafter(number, 1)})
      EXPECT_EQ(evalue(near, NumberStyle::table), printed("%.*e", 2, near));
}

TEST(Text, PercentsReach100OnlyWhenAllIsCovered) {
  EXPECT_EQ(percent_of_matches(13, 30), 43);
  EXPECT_EQ(percent_of_matches(999, 1000), 99);
  EXPECT_EQ(percent_of_matches(7, 7), 100);
  EXPECT_EQ(percent_of_matches(0, 0), 0);
  EXPECT_EQ(percent_covered(986, 1000), 99);
  EXPECT_EQ(percent_covered(999, 1000), 99);
  EXPECT_EQ(percent_covered(1000, 1000), 100);
  EXPECT_EQ(percent_covered(0, 0), 0);
}

TEST(Text, NumbersAtTheBoundsOfTheirStyles) {
  for (const NumberStyle style : {NumberStyle::table, NumberStyle::report}) {
    EXPECT_EQ(evalue(0.0009, style), "0.001");
    EXPECT_EQ(evalue(0.0999, style), "0.100");
    EXPECT_EQ(evalue(0.1, style), "0.10");
    EXPECT_EQ(evalue(0.999, style), "1.00");
    EXPECT_EQ(evalue(1, style), "1.0");
    EXPECT_EQ(evalue(9.96, style), "10.0");
    EXPECT_EQ(evalue(10, style), "10");
  }
  EXPECT_EQ(bits(99.8), "99.8");
  EXPECT_EQ(bits(100), "100");
  EXPECT_EQ(bits(99999), "99999");
  EXPECT_EQ(bits(100000), "1.000e+05");
  EXPECT_EQ(bits(-3.25), "-3.2");
  EXPECT_EQ(percent_of_matches(985, 1000), 99);
  EXPECT_EQ(percent_of_matches(1, 3), 33);
  EXPECT_EQ(percent_of_matches(2, 3), 67);
  EXPECT_EQ(percent_of_matches(0, 7), 0);
  EXPECT_EQ(percent_covered(985, 1000), 99);
  EXPECT_EQ(percent_covered(984, 1000), 98);
  EXPECT_EQ(percent_covered(995, 1000), 99);
  EXPECT_EQ(percent_covered(2, 3), 67);
}

TEST(Text, FieldsAreAlignedAndQuoted) {
  const auto right = [](int number, std::size_t width) {
    Text text;
    append_right(text, number, width);
    return std::string(view(text));
  };
  EXPECT_EQ(right(7, 3), "  7");
  EXPECT_EQ(right(-12, 3), "-12");
  EXPECT_EQ(right(1234, 3), "1234");
  EXPECT_EQ(right(7, 0), "7");
  const auto quoted = [](std::string_view field) {
    Text text;
    append(text, "before,");
    const std::size_t begin = text.size();
    append(text, field);
    quote_for_csv(text, begin);
    return std::string(view(text, begin));
  };
  EXPECT_EQ(quoted("plain"), "plain");
  EXPECT_EQ(quoted(""), "");
  EXPECT_EQ(quoted("a,b"), "\"a,b\"");
  EXPECT_EQ(quoted("say \"so\""), "\"say \"\"so\"\"\"");
  EXPECT_EQ(quoted("a\nb\r"), "\"a\nb\r\"");
  Text text;
  append(text, "\ta\tb\nc\rd");
  replace_separators(text, 1);
  EXPECT_EQ(view(text), "\ta b c d");
}

}  // namespace
}  // namespace alnus::io
