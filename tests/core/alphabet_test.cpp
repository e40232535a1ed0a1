#include "alnus/alphabet.h"

#include <gtest/gtest.h>
#include <string>

namespace alnus {
namespace {

TEST(Alphabet, ProteinCodesFollowTheMatrixOrder) {
  const Alphabet& protein = Alphabet::protein();
  const std::string letters = "ARNDCQEGHILKMFPSTWYVBZX*UOJ";
  EXPECT_EQ(protein.letters(), letters);
  EXPECT_EQ(protein.matrix_letters(), 24);
  EXPECT_EQ(protein.size(), 27);
  for (std::size_t code = 0; code < letters.size(); ++code) {
    EXPECT_EQ(protein.encode(letters[code]), code);
    EXPECT_TRUE(protein.is_known(letters[code]));
  }
}

TEST(Alphabet, RareAminoAcidsScoreAsTheirKin) {
  const Alphabet& protein = Alphabet::protein();
  EXPECT_EQ(protein.scored_as(protein.encode('U')), protein.encode('C'));
  EXPECT_EQ(protein.scored_as(protein.encode('o')), protein.encode('K'));
  EXPECT_EQ(protein.scored_as(protein.encode('J')), protein.encode('L'));
  EXPECT_EQ(protein.scored_as(protein.encode('W')), protein.encode('W'));
}

TEST(Alphabet, CaseIsKeptInBitFive) {
  for (const Alphabet* alphabet : {&Alphabet::protein(), &Alphabet::dna()}) {
    EXPECT_EQ(alphabet->encode('a'), alphabet->encode('A') | kLowerCase);
    EXPECT_EQ(alphabet->decode(alphabet->encode('g')), 'g');
    EXPECT_EQ(alphabet->decode(alphabet->encode('G')), 'G');
  }
}

TEST(Alphabet, UnknownBytesBecomeXOrN) {
  const Alphabet& protein = Alphabet::protein();
  const Alphabet& dna = Alphabet::dna();
  for (const char byte : {'1', '-', '\0', '\xff', '?'}) {
    EXPECT_FALSE(protein.is_known(byte));
    EXPECT_FALSE(dna.is_known(byte));
    EXPECT_EQ(protein.decode(protein.encode(byte)), 'X');
    EXPECT_EQ(dna.decode(dna.encode(byte)), 'N');
  }
  EXPECT_FALSE(dna.is_known('E'));
  EXPECT_EQ(dna.decode(dna.encode('E')), 'N');
  EXPECT_EQ(dna.decode(dna.encode('e')), 'n');
}

TEST(Alphabet, DnaReadsUracilAsThymine) {
  const Alphabet& dna = Alphabet::dna();
  EXPECT_EQ(dna.letters(), "ACGTRYKMSWBDHVN");
  EXPECT_EQ(dna.matrix_letters(), 15);
  EXPECT_TRUE(dna.is_known('U'));
  EXPECT_EQ(dna.encode('U'), dna.encode('T'));
  EXPECT_EQ(dna.encode('u'), dna.encode('t'));
}

TEST(Alphabet, EveryByteDecodesToALetterOfTheAlphabet) {
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const Alphabet& alphabet = Alphabet::of(kind);
    EXPECT_EQ(alphabet.kind(), kind);
    for (int byte = 0; byte < 256; ++byte) {
      EXPECT_LT(alphabet.encode(static_cast<char>(byte)) & kCodeMask, alphabet.size());
      EXPECT_TRUE(alphabet.is_known(alphabet.decode(static_cast<Residue>(byte))));
    }
  }
}

// Letters are known in both cases, and no other bytes are.
TEST(Alphabet, KnowsItsLettersAlone) {
  for (const Alphabet* alphabet : {&Alphabet::protein(), &Alphabet::dna()}) {
    std::string letters(alphabet->letters());
    if (alphabet->kind() == AlphabetKind::dna) letters += 'U';
    for (int code = 0; code < 256; ++code) {
      const char byte = static_cast<char>(code);
      const bool is_lower = byte >= 'a' && byte <= 'z';
      const char upper = is_lower ? static_cast<char>(byte - 'a' + 'A') : byte;
      EXPECT_EQ(alphabet->is_known(byte), letters.find(upper) != letters.npos) << code;
      EXPECT_EQ((alphabet->encode(byte) & kLowerCase) != 0, is_lower) << code;
      EXPECT_EQ(alphabet->encode(byte) & kCodeMask, alphabet->encode(upper)) << code;
    }
    for (Residue code = 0; code < kMaxLetters; ++code) {
      const Residue scored = alphabet->scored_as(code);
      const bool rare = alphabet->kind() == AlphabetKind::protein && code >= 24 && code < 27;
      EXPECT_EQ(scored != code, rare) << int{code};
    }
  }
}

}  // namespace
}  // namespace alnus
