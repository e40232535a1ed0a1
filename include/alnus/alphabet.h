// Residue codes. A residue is one byte: the low five bits are its code in the alphabet, and bit 5 says that
// the letter was lower case in the input. The case is kept for output, and scores ignore it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "alnus/export.h"
#include "alnus/words.h"

namespace alnus {

using Residue = std::uint8_t;

inline constexpr Residue kCodeMask = 0x1f;
inline constexpr Residue kLowerCase = 0x20;
inline constexpr int kMaxLetters = 32;  // codes fit in five bits

enum class AlphabetKind : std::uint8_t { protein = 0, dna = 1 };
template <>
inline constexpr std::array kWords<AlphabetKind> = {Word{"protein", AlphabetKind::protein},
                                                    Word{"dna", AlphabetKind::dna}};

// protein: the letters ARNDCQEGHILKMFPSTWYVBZX* have the codes 0..23 (the order of NCBI's matrices). U, O and
// J have the codes 24..26; they are kept for output, and score as C, K and L (ssearch36's rule), unless the
// matrix has rows and columns for them. Any other byte is read as X.
// dna: the letters ACGT and then IUPAC's RYKMSWBDHVN have the codes 0..14. U is read as T, and any other byte
// as N.
class ALNUS_API Alphabet {
 public:
  static const Alphabet& protein();
  static const Alphabet& dna();
  static const Alphabet& of(AlphabetKind kind);

  AlphabetKind kind() const { return kind_; }
  std::string_view name() const;                                  // "protein" or "dna"
  std::string_view letters() const { return letters_; }           // index = code
  int matrix_letters() const { return matrix_letters_; }          // letters of a usual matrix file: 24 or 15
  int size() const { return static_cast<int>(letters_.size()); }  // 27 or 15
  // The code by whose matrix row and column `code` is scored if the matrix file has none for `code`: C, K and
  // L for U, O and J, else `code` itself.
  Residue scored_as(Residue code) const { return scored_as_[code & kCodeMask]; }

  // The residue of a letter, with its case. An unknown byte becomes X or N; is_known() tells which bytes are
  // letters of the alphabet.
  Residue encode(char byte) const { return encode_[static_cast<unsigned char>(byte)]; }
  bool is_known(char byte) const { return known_[static_cast<unsigned char>(byte)]; }
  char decode(Residue residue) const { return decode_[residue & (kCodeMask | kLowerCase)]; }  // keeps case

 private:
  Alphabet(AlphabetKind kind, std::string_view letters, int matrix_letters, char unknown);

  AlphabetKind kind_;
  std::string_view letters_;
  int matrix_letters_;
  std::array<Residue, 256> encode_{};
  std::array<bool, 256> known_{};
  std::array<char, 2 * kMaxLetters> decode_{};
  std::array<Residue, kMaxLetters> scored_as_{};
};

}  // namespace alnus
