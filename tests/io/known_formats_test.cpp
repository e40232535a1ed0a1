#include "io/known_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace alnus::io {
namespace {

using ::testing::HasSubstr;

TEST(KnownFormats, APhylipFileBeginsWithTwoNumbers) {
  for (const char* line : {"5 42", " 5 42", "\t5\t 42 ", "0 0", "10 9"})
    EXPECT_THAT(known_format(line), HasSubstr("PHYLIP")) << line;
  for (const char* line : {"5", "5 42 7", "5 x", "x 5", "5a 42", "5 -4", "", " "})
    EXPECT_EQ(known_format(line), "") << line;
}

TEST(KnownFormats, ATableHasFieldsBetweenSeparators) {
  for (const char* line : {"a\tb", "\t", "a,b", "a;b", ",a", "a,,", "a, b,c"})
    EXPECT_THAT(known_format(line), HasSubstr("it holds a table")) << line;
  for (const char* line :
       {"a, b", "a; b", "a,", "a;", ",", "a b", "a:b", "a\tb\x01", "\x1f,b", "a,b\x7f\x02"})
    EXPECT_EQ(known_format(line), "") << line;
}

TEST(KnownFormats, CaseMakesNoDifferenceAndEveryLetterCounts) {
  for (const std::string begin : {"# STOCKHOLM", "CLUSTAL", "#NEXUS", "HMMER3/", "##gff", "<?xml", "%PDF"}) {
    std::string lower;
    for (const char letter : begin)
      lower += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    EXPECT_NE(known_format(begin), "") << begin;
    EXPECT_EQ(known_format(lower + " and more"), known_format(begin)) << begin;
    EXPECT_EQ(known_format(begin.substr(0, begin.size() - 1)), "") << begin;
    EXPECT_EQ(known_format(" " + begin), "") << begin;
  }
}

TEST(KnownFormats, OnlyTheBeginningOfTheLineCounts) {
  EXPECT_NE(known_format(std::string(kTellingBytes - 1, 'a') + "\tb"), "");
  EXPECT_EQ(known_format(std::string(kTellingBytes, 'a') + "\tb"), "");
}

TEST(KnownFormats, ABareSequenceHasLettersAlone) {
  for (const char* line : {"A", "z", "Z", "a", "MKV*", "AC-GT", "*", "-"})
    EXPECT_TRUE(is_bare_sequence(line)) << line;
  for (const char* line : {"", "AC GT", "AC1", "@", "[", "`", "{", "AC.", "\xc3\xa9"})
    EXPECT_FALSE(is_bare_sequence(line)) << line;
}

TEST(KnownFormats, HeadersOfPirAndSam) {
  EXPECT_THAT(known_format_of_header('>', "P1;CRAB"), HasSubstr("PIR"));
  EXPECT_THAT(known_format_of_header('>', "XX;"), HasSubstr("PIR"));
  EXPECT_THAT(known_format_of_header('@', "SQ\tSN:x"), HasSubstr("SAM"));
  EXPECT_THAT(known_format_of_header('@', "CO\t"), HasSubstr("SAM"));
  for (const char* header : {"P1", "P2;a", "SQ\t", "", "p1;a"})
    EXPECT_EQ(known_format_of_header('>', header), "") << header;
  for (const char* header : {"SQ", "SQ SN:x", "P1;a", ""})
    EXPECT_EQ(known_format_of_header('@', header), "") << header;
}

}  // namespace
}  // namespace alnus::io
