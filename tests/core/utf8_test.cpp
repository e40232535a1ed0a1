#include "core/utf8.h"

#include <gtest/gtest.h>
#include <string>

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

// The bytes of a number in the form of so many bytes, whether or not this form is allowed for the number.
std::string encoded(std::uint32_t character, std::size_t bytes) {
  if (bytes == 1) return std::string(1, static_cast<char>(character));
  constexpr unsigned kLeads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  std::string text(bytes, '\0');
  for (std::size_t k = bytes; k-- > 1; character >>= 6)
    text[k] = static_cast<char>(0x80 | (character & 0x3f));
  text[0] = static_cast<char>(kLeads[bytes] | character);
  return text;
}

// Far from all limits only some of the numbers are tried.
std::uint32_t step(std::uint32_t character) {
  return character < 0x11000 || (character > 0x10f000 && character < 0x111000) ? 1 : 61;
}

// Unicode's characters are the numbers up to 0x10ffff without the surrogates, each in its shortest form.
TEST(Utf8, EveryCharacterInEveryForm) {
  constexpr std::uint32_t kForms[] = {0, 0x80, 0x800, 0x10000, 0x200000};  // numbers with fewer bits fit
  for (std::size_t bytes = 1; bytes <= 4; ++bytes)
    for (std::uint32_t character = 0; character < kForms[bytes]; character += step(character)) {
      const bool surrogate = character >= 0xd800 && character <= 0xdfff;
      const bool allowed =
          character >= (bytes == 1 ? 0 : kForms[bytes - 1]) && character <= 0x10ffff && !surrogate;
      const std::string text = encoded(character, bytes);
      ASSERT_EQ(utf8_character_bytes(text), allowed ? bytes : 0) << character << ' ' << bytes;
    }
}

TEST(Utf8, OtherBytesEndACharacter) {
  for (const std::uint32_t character : {0xe9U, 0x20acU, 0x1f9ecU}) {
    const std::size_t bytes = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    const std::string text = encoded(character, bytes);
    EXPECT_EQ(utf8_character_bytes(text + "\x80 and more"), bytes);
    for (std::size_t kept = 1; kept < bytes; ++kept)
      EXPECT_EQ(utf8_character_bytes(text.substr(0, kept)), 0u) << character << ' ' << kept;
    for (std::size_t at = 1; at < bytes; ++at)
      for (int other = 0; other < 256; ++other) {
        std::string changed = text;
        changed[at] = static_cast<char>(other);
        const bool continues = other >= 0x80 && other <= 0xbf;
        // The second byte alone may make the number too low for its form.
        if (at > 1 || !continues) {
          EXPECT_EQ(utf8_character_bytes(changed), continues ? bytes : 0)
              << character << ' ' << at << ' ' << other;
        }
      }
  }
  for (int lead = 0xf8; lead < 0x100; ++lead)
    EXPECT_EQ(utf8_character_bytes(std::string(1, static_cast<char>(lead)) + "\x80\x80\x80\x80\x80"), 0u);
}

}  // namespace
}  // namespace alnus
