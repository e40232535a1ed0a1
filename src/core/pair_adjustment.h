// What a pair's own matrix is made from, as plain numbers. stats/adjusted_matrix.h has the formula. The CPU
// and the GPU make the same matrix from these numbers, bit for bit.
#pragma once

#include <array>
#include <cstdint>

#include "alnus/alphabet.h"
#include "core/amino_acids.h"

namespace alnus {

// The frequencies of the twenty amino acids, by code. None of them is 0, and the sum is 1.
using Frequencies = std::array<double, kAminoAcids>;

// Scores of two letters. The index is the subject's code times kMaxLetters, plus the query's code.
using PairScores = std::array<std::int32_t, kMaxLetters * kMaxLetters>;

struct PairAdjustment {
  // A letter that stands for one or two amino acids: B, Z, J, U or O.
  struct Ambiguous {
    std::uint8_t letter = 0, count = 0, amino_acids[2] = {};  // codes
  };
  static constexpr int kAmbiguous = 5;

  // Scores that are the same in every pair: all scores if nothing is adjusted (`adjusts` is false), else
  // those with a letter that is neither an amino acid nor ambiguous. They lie between lowest_other and
  // highest_other.
  PairScores others{};
  std::int32_t lowest_other = 0, highest_other = 0;
  bool adjusts = false;

  // The stated matrix, which is symmetric: exponents[number[i][j]] is lambda times the score of the amino
  // acids i and j. A pair's matrix has these exponents times a factor theta, which is found for the pair.
  std::uint8_t number[kAminoAcids][kAminoAcids] = {};
  int exponent_count = 0;
  double exponents[kMostAminoAcidScores] = {};
  double entropy = 0;  // the relative entropy that the pair's matrix has, in nats
  double slope = 0;    // about how many nats the entropy grows by when theta grows by 1
  double unit = 0;     // how many units of the pair's scores make one nat
  Ambiguous ambiguous[kAmbiguous];
};

}  // namespace alnus
