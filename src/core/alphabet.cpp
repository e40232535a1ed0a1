#include "alnus/alphabet.h"

#include <numeric>

namespace alnus {
namespace {

bool is_lower(char byte) { return byte >= 'a' && byte <= 'z'; }
char to_lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
}

}  // namespace

Alphabet::Alphabet(AlphabetKind kind, std::string_view letters, int matrix_letters, char unknown)
    : kind_(kind), letters_(letters), matrix_letters_(matrix_letters) {
  const auto code_of = [&](char letter) { return static_cast<Residue>(letters_.find(letter)); };
  for (int byte = 0; byte < 256; ++byte)
    encode_[byte] = code_of(unknown) | (is_lower(static_cast<char>(byte)) ? kLowerCase : 0);

  const auto add = [&](char letter, Residue code) {
    const char lower = to_lower(letter);
    encode_[static_cast<unsigned char>(letter)] = code;
    known_[static_cast<unsigned char>(letter)] = known_[static_cast<unsigned char>(lower)] = true;
    if (lower != letter) encode_[static_cast<unsigned char>(lower)] = code | kLowerCase;
  };
  for (const char letter : letters_) add(letter, code_of(letter));

  for (Residue code = 0; code < kMaxLetters; ++code) {
    const char letter = code < letters_.size() ? letters_[code] : unknown;
    decode_[code] = letter;
    decode_[code | kLowerCase] = to_lower(letter);
  }

  std::iota(scored_as_.begin(), scored_as_.end(), Residue{0});
  if (kind == AlphabetKind::protein) {
    scored_as_[code_of('U')] = code_of('C');
    scored_as_[code_of('O')] = code_of('K');
    scored_as_[code_of('J')] = code_of('L');
  } else {
    add('U', code_of('T'));
  }
}

const Alphabet& Alphabet::protein() {
  static const Alphabet alphabet(AlphabetKind::protein, "ARNDCQEGHILKMFPSTWYVBZX*UOJ", 24, 'X');
  return alphabet;
}

const Alphabet& Alphabet::dna() {
  static const Alphabet alphabet(AlphabetKind::dna, "ACGTRYKMSWBDHVN", 15, 'N');
  return alphabet;
}

const Alphabet& Alphabet::of(AlphabetKind kind) { return kind == AlphabetKind::protein ? protein() : dna(); }

std::string_view Alphabet::name() const { return word_of(kind_); }

}  // namespace alnus
