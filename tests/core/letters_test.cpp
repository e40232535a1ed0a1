#include "alnus/letters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "alnus/error.h"

namespace alnus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Letters, EveryByteHasAKind) {
  int counts[8] = {};
  for (int code = 0; code < 256; ++code) ++counts[static_cast<int>(kind_of(static_cast<char>(code)))];
  EXPECT_EQ(counts[static_cast<int>(ByteKind::residue)], 2 * 26 + 2);
  EXPECT_EQ(counts[static_cast<int>(ByteKind::sign)], '~' - ' ' - (2 * 26 + 2) - 10 - 2 - 2 - 4);
  EXPECT_EQ(counts[static_cast<int>(ByteKind::digit)], 10);
  EXPECT_EQ(counts[static_cast<int>(ByteKind::blank)], 6);
  EXPECT_EQ(counts[static_cast<int>(ByteKind::gap)], 2);
  EXPECT_EQ(counts[static_cast<int>(ByteKind::marker)], 2);
  EXPECT_EQ(counts[static_cast<int>(ByteKind::quote)], 4);
  for (const AlphabetKind alphabet : {AlphabetKind::protein, AlphabetKind::dna})
    for (const char byte : Alphabet::of(alphabet).letters())
      EXPECT_EQ(kind_of(byte), ByteKind::residue) << byte;
}

TEST(Letters, ForeignOnesAreThoseOfProteinsAlone) {
  std::string foreign;
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    EXPECT_FALSE(is_foreign(letter, AlphabetKind::protein));
    EXPECT_EQ(is_foreign(letter, AlphabetKind::dna),
              is_foreign(static_cast<char>(letter + 32), AlphabetKind::dna));
    if (is_foreign(letter, AlphabetKind::dna)) foreign += letter;
  }
  EXPECT_EQ(foreign, "EFJLOPQZ");
}

TEST(Letters, AFewSignsAndDigitsAreNoReason) {
  EXPECT_EQ(wrong_record({}), "");
  EXPECT_EQ(wrong_record({.residues = 3, .signs = 3, .digits = 3}), "");
  EXPECT_EQ(wrong_record({.residues = 2, .digits = 3}), "");
  EXPECT_EQ(wrong_record({.residues = 40, .signs = 4, .digits = 40}), "");
  EXPECT_THAT(wrong_record({.residues = 39, .signs = 4}), HasSubstr("35 letters and 4 characters"));
  EXPECT_THAT(wrong_record({.residues = 3, .digits = 4}), HasSubstr("3 letters and 4 digits"));
}

TEST(Letters, NumbersOfPositionsStandApartFromWords) {
  for (const char* text : {"", "7", "MKV", "61 MKV", "MKV 61", "1 MKV 61 MKV", "-7-", "MKV\t10\r", "M\n5\nK"})
    EXPECT_FALSE(has_digit_in_word(text)) << text;
  for (const char* text : {"MKV1L0G", "1MKV", "MKV60", "60 MKV 1L", "seq_1", "MK|2", "3*"})
    EXPECT_TRUE(has_digit_in_word(text)) << text;
}

TEST(Letters, ForeignOnesAreRefusedAboveATenth) {
  check_foreign({}, "set");
  check_foreign({.residues = 2, .foreign = 2}, "set");
  check_foreign({.residues = 30, .foreign = 3}, "set");
  EXPECT_THAT([] { check_foreign({.residues = 29, .foreign = 3}, "set"); },
              ThrowsMessage<Error>(HasSubstr("3 of the 29 letters of set are no nucleotides")));
}

TEST(Letters, ARefusedByteIsNamed) {
  EXPECT_THAT(describe_refused("<br>"), HasSubstr("tags of a web page"));
  for (const char* quote : {"'", "\"", "`"})
    EXPECT_THAT(describe_refused(quote), HasSubstr(std::string("a quotation mark (") + quote + ")"));
  EXPECT_THAT(describe_refused("\xe2\x80\x93"), HasSubstr("a dash"));
  EXPECT_THAT(describe_refused("\xc2\xa0"
                               "AC"),
              HasSubstr("a no-break space"));
  EXPECT_THAT(describe_refused("\xe2\x80"), HasSubstr("the byte 0xe2 of a character that is no ASCII"));
  EXPECT_THAT(describe_refused("\x80"), HasSubstr("the byte 0x80 of a character that is no ASCII"));
  EXPECT_THAT(describe_refused("\x7f"), HasSubstr("the byte 0x7f, which is no letter"));
  EXPECT_THAT(describe_refused(std::string_view("\0", 1)), HasSubstr("a NUL byte, which is no letter"));
}

// A set with three foreign letters or more is one of proteins if they are more than a tenth.
TEST(Letters, ProteinsHaveEnoughForeignOnes) {
  for (std::uint64_t foreign = 0; foreign < 8; ++foreign)
    for (std::uint64_t residues = foreign; residues < 90; ++residues)
      EXPECT_EQ(are_of_proteins({.residues = residues, .foreign = foreign}),
                foreign >= 3 && residues < 10 * foreign)
          << foreign << " of " << residues;
}

}  // namespace
}  // namespace alnus
