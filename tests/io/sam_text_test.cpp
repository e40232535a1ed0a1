#include "io/sam_text.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "support/sequences.h"

namespace alnus::io {
namespace {

using enum CigarOp;

// Returns the MD tag, and the number of columns in which both residues are unknown.
std::pair<std::string, std::int64_t> md(const std::vector<CigarRun>& cigar, std::string_view subject,
                                        AlphabetKind kind = AlphabetKind::dna) {
  Text text;
  const std::int64_t unknown = append_md(text, cigar, test::encode(subject, kind), Alphabet::of(kind));
  return {fmt::to_string(text), unknown};
}
std::string text_of_md(const std::vector<CigarRun>& cigar, std::string_view subject,
                       AlphabetKind kind = AlphabetKind::dna) {
  return md(cigar, subject, kind).first;
}

TEST(SamText, MdRunsAlongTheSubject) {
  EXPECT_EQ(text_of_md({{equal, 4}}, "ACGT"), "4");
  EXPECT_EQ(text_of_md({{equal, 2}, {mismatch, 1}, {equal, 1}}, "ACGT"), "2G1");
  EXPECT_EQ(text_of_md({{mismatch, 2}, {equal, 1}, {mismatch, 1}}, "ACGT"), "0A0C1T0");
  EXPECT_EQ(text_of_md({{equal, 1}, {deletion, 2}, {equal, 1}}, "ACGT"), "1^CG1");
  EXPECT_EQ(text_of_md({{deletion, 1}, {mismatch, 1}, {deletion, 2}}, "ACGT"), "0^A0C0^GT0");
  EXPECT_EQ(text_of_md({{equal, 2}, {insertion, 3}, {equal, 2}}, "ACGT"), "4") << "insertions are not in it";
  EXPECT_EQ(text_of_md({{deletion, 1}, {insertion, 3}, {deletion, 1}, {equal, 1}}, "ACG"), "0^A0^C1");
  EXPECT_EQ(text_of_md({{insertion, 3}}, ""), "0");
  EXPECT_EQ(text_of_md({{equal, 3}}, "ACGTTT"), "3") << "what follows is not aligned";
}

TEST(SamText, MdHasCapitalLetters) {
  EXPECT_EQ(text_of_md({{equal, 1}, {mismatch, 1}, {deletion, 2}}, "acgt"), "1C0^GT0");
  EXPECT_EQ(text_of_md({{equal, 2}, {mismatch, 1}, {deletion, 2}}, "W*k*u", AlphabetKind::protein),
            "2K0^XU0");
}

TEST(SamText, UnknownResiduesEqualNothing) {
  EXPECT_EQ(md({{equal, 4}}, "AnNT"), std::pair(std::string("1N0N1"), std::int64_t{2}));
  EXPECT_EQ(md({{equal, 4}, {mismatch, 1}}, "ARYTN"), std::pair(std::string("4N0"), std::int64_t{0}));
  EXPECT_EQ(md({{equal, 4}}, "WXNB", AlphabetKind::protein), std::pair(std::string("1X2"), std::int64_t{1}));
}

TEST(SamText, AReadIsItsLettersAndQualities) {
  const auto read = [](std::string_view letters, std::string_view quality, AlphabetKind kind) {
    Text text;
    append_read(text, test::encode(letters, kind), quality, Alphabet::of(kind));
    return fmt::to_string(text);
  };
  EXPECT_EQ(read("acGN", "I!~#", AlphabetKind::dna), "acGN\tI!~#");
  EXPECT_EQ(read("MK*v", "", AlphabetKind::protein), "MKXv\t*");
  EXPECT_EQ(read("", "", AlphabetKind::dna), "*\t*");
}

TEST(SamText, QualitiesOfAReverseComplementRunBackwards) {
  EXPECT_EQ(reversed("I!~#"), "#~!I");
  EXPECT_EQ(reversed(""), "");
}

}  // namespace
}  // namespace alnus::io
