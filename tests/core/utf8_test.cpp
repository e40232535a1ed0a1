#include "core/utf8.h"

#include <gtest/gtest.h>

namespace alnus {
namespace {

TEST(Utf8, TextsOfIt) {
  for (const char* text : {"", "plain", "M\xc3\xbcller", "\xe2\x82\xac", "\xf0\x9f\xa7\xac"})
    EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(Utf8, OtherBytes) {
  for (const char* text : {"M\xfcller", "\xc3", "a\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80",
                           "\x80", "M\xc3\xbcller M\xfcller"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

}  // namespace
}  // namespace alnus
