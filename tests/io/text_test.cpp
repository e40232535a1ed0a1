// Numbers as BLAST prints them; the values were seen in blastp 2.12's output.
#include "io/text.h"

#include <gtest/gtest.h>
#include <string>

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

}  // namespace
}  // namespace alnus::io
