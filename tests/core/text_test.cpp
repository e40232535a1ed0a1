// Numbers and words in texts for users.
#include "alnus/text.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace alnus {
namespace {

TEST(Text, CountsAreGrouped) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1391911), "1,391,911");
  EXPECT_EQ(format_count(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(format_count(1, "pair", "pairs"), "1 pair");
  EXPECT_EQ(format_count(0, "pair", "pairs"), "0 pairs");
  EXPECT_EQ(format_count(12345, "pair", "pairs"), "12,345 pairs");
}

TEST(Text, CellsAndSpeeds) {
  EXPECT_EQ(format_cells(999'999), "999999");
  EXPECT_EQ(format_cells(1e6), "1.0 million");
  EXPECT_EQ(format_cells(361.2e9), "361.2 billion");
  EXPECT_EQ(format_cells(4.5e12), "4.5 trillion");
  EXPECT_EQ(format_speed(92.1e9, 1), "92.1 GCUPS");
  EXPECT_EQ(format_speed(1.23e12, 1), "1.23 TCUPS");
  EXPECT_EQ(format_speed(1e6, 1), "0.001 GCUPS");
  EXPECT_EQ(format_speed(1e9, 0), "0 GCUPS");
}

TEST(Text, SecondsAndBytes) {
  EXPECT_EQ(format_seconds(0.42), "0.42 s");
  EXPECT_EQ(format_seconds(42), "42.0 s");
  EXPECT_EQ(format_seconds(185), "3:05");
  EXPECT_EQ(format_seconds(3723), "1:02:03");
  EXPECT_EQ(format_bytes(1), "1 byte");
  EXPECT_EQ(format_bytes(512), "512 bytes");
  EXPECT_EQ(format_bytes(1.5 * (1 << 30)), "1.5 GiB");
}

TEST(Text, QuotedWordsAreFitForMessages) {
  EXPECT_EQ(in_quotes("plain"), "'plain'");
  EXPECT_EQ(in_quotes("a\tb\xff"), "'a\\x09b\\xff'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

TEST(Text, PrintableLinesHaveNoControlCharacters) {
  EXPECT_EQ(printable("sp|P1|A_B = 'x' \\ ~"), "sp|P1|A_B = 'x' \\ ~");
  EXPECT_EQ(printable("a\tb\nc\rd\x7f"), "a\\x09b\\x0ac\\x0dd\\x7f");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("p\u00e9p\u00e9 \u86cb \U0001f9ec"), "p\u00e9p\u00e9 \u86cb \U0001f9ec");
  EXPECT_EQ(printable("\u009b31m\u00a0"), "\\xc2\\x9b31m\u00a0") << "U+009B begins an escape sequence, too";
}

TEST(Text, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xe9t\xe9"), "\\xe9t\\xe9") << "Latin-1";
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "longer than it needs to be";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "behind the last character";
  EXPECT_EQ(printable("\xe8\x9b"), "\\xe8\\x9b") << "cut";
}

TEST(Text, NumbersAtTheBoundsOfTheirUnits) {
  EXPECT_EQ(format_count(999'999), "999,999");
  EXPECT_EQ(format_count(1'000'000), "1,000,000");
  EXPECT_EQ(format_count(2, "pair", "pairs"), "2 pairs");
  EXPECT_EQ(format_cells(0), "0");
  EXPECT_EQ(format_cells(999.4e6), "999.4 million");
  EXPECT_EQ(format_cells(1e9), "1.0 billion");
  EXPECT_EQ(format_cells(999.4e9), "999.4 billion");
  EXPECT_EQ(format_cells(1e12), "1.0 trillion");
  EXPECT_EQ(format_speed(1e12, 1), "1.00 TCUPS");
  EXPECT_EQ(format_speed(999e9, 1), "999.0 GCUPS");
  EXPECT_EQ(format_speed(1e9, 1), "1.0 GCUPS");
  EXPECT_EQ(format_speed(1e9, 2), "0.5 GCUPS");
  EXPECT_EQ(format_speed(12e9, 4), "3.0 GCUPS");
}

TEST(Text, SecondsAndBytesAtTheBoundsOfTheirUnits) {
  const std::pair<double, const char*> seconds[] = {
      {0, "0.00 s"},       {9.99, "9.99 s"},  {9.995, "10.0 s"}, {10, "10.0 s"},      {59.9, "59.9 s"},
      {59.95, "1:00"},     {60, "1:00"},      {119.4, "1:59"},   {119.6, "2:00"},     {3599.4, "59:59"},
      {3599.6, "1:00:00"}, {3600, "1:00:00"}, {3660, "1:01:00"}, {86399, "23:59:59"}, {360000, "100:00:00"}};
  for (const auto& [given, expected] : seconds) EXPECT_EQ(format_seconds(given), expected);
  const std::pair<double, const char*> bytes[] = {
      {0, "0 bytes"},      {1023, "1,023 bytes"}, {1024, "1.0 KiB"},     {1023 * 1024, "1023.0 KiB"},
      {0x1p20, "1.0 MiB"}, {0x1p30, "1.0 GiB"},   {0x1p40, "1.0 TiB"},   {0x1p50, "1.0 PiB"},
      {0x1p60, "1.0 EiB"}, {0x1p69, "512.0 EiB"}, {0x1p70, "1024.0 EiB"}};
  for (const auto& [given, expected] : bytes) EXPECT_EQ(format_bytes(given), expected);
}

TEST(Text, QuotesShowFortyPrintableBytes) {
  EXPECT_EQ(in_quotes(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(in_quotes(" ~\x7f\x1f"), "' ~\\x7f\\x1f'");
  EXPECT_EQ(printable(" ~"), " ~");
  EXPECT_EQ(printable("\x1f"), "\\x1f");
  EXPECT_EQ(printable("\xc2\x9f\xc2\xa0"), "\\xc2\\x9f\xc2\xa0") << "U+009F is the last control character";
}

}  // namespace
}  // namespace alnus
