// Substitution matrices: compiled in, read from a file in NCBI's format, or match/mismatch.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/export.h"

namespace alnus {

// Scores are exact decimals: value(a, b) / scale(). Compiled-in matrices have scale 1, except GONNET, whose
// scores have one decimal and whose scale is 10.
// Rows are the query's letters, columns the subject's.
class ALNUS_API SubstitutionMatrix {
 public:
  // A compiled-in matrix by name (BLOSUM62, PAM30, NUC44, ..., case-insensitive).
  // Throws Error(input) for any other name, naming the nearest valid name, or all names if none is near.
  static SubstitutionMatrix builtin(std::string_view name);
  static std::vector<std::string> builtin_names();

  // Reads text in NCBI's format; `origin` (a file name) stands in error messages. Throws Error(input) that
  // names the line. A missing core letter (20 amino acids; ACGT) is an error. A missing ambiguity letter
  // scores as X or N does, or, if X or N is missing too, as the lowest score. A missing `*` scores as the
  // lowest score. U, O and J score by columns of their own where the file has them, else as C, K and L.
  static SubstitutionMatrix parse(std::string_view text, const std::string& origin, AlphabetKind alphabet);

  // A matrix for nucleotides: `match` for equal letters of ACGT, `mismatch` for everything else; N and the
  // other ambiguity codes mismatch everything. Throws Error(input) for text that is no decimal number, for
  // match <= 0, for mismatch > 0, and for scores above 32767 in size after scaling to integers.
  static SubstitutionMatrix match_mismatch(std::string_view match, std::string_view mismatch);

  // The matrix that has these values(), which another process may have computed. Throws Error(input) if their
  // number is not kMaxLetters * kMaxLetters, or if the scale is below 1.
  static SubstitutionMatrix of_values(std::string name, AlphabetKind alphabet, int scale,
                                      std::span<const std::int32_t> values);

  const std::string& name() const { return name_; }
  AlphabetKind alphabet() const { return alphabet_; }
  int scale() const { return scale_; }  // value() is the score times scale()
  std::int32_t value(Residue query, Residue subject) const {
    return values_[(query & kCodeMask) * kMaxLetters + (subject & kCodeMask)];
  }
  // kMaxLetters rows of kMaxLetters values each: values()[query * kMaxLetters + subject].
  std::span<const std::int32_t> values() const { return values_; }
  std::int32_t lowest() const { return lowest_; }    // lowest value of the alphabet's codes
  std::int32_t highest() const { return highest_; }  // highest value of the alphabet's codes
  bool symmetric() const;
  SubstitutionMatrix transposed() const;
  void multiply(int factor);  // multiplies all values and scale()
  // The matrix whose value for two letters is factor * value() plus `equal` if the letters are equal, else
  // plus `different`. scale() stays as it is.
  SubstitutionMatrix weighted(std::int32_t factor, std::int32_t equal, std::int32_t different) const;
  bool operator==(const SubstitutionMatrix&) const = default;  // compares the name, too

 private:
  void finish();  // fills the codes beyond the alphabet, finds lowest and highest

  std::string name_;
  AlphabetKind alphabet_ = AlphabetKind::protein;
  int scale_ = 1;
  std::int32_t lowest_ = 0, highest_ = 0;
  std::array<std::int32_t, kMaxLetters * kMaxLetters> values_{};  // codes beyond the alphabet: lowest
};

}  // namespace alnus
