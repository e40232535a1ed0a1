// How a pair's own matrix comes from the stated one, as plain numbers: stats/adjusted_matrix.h has the
// formula, and whoever has these makes the same matrix, bit for bit.
#pragma once

#include <array>
#include <cstdint>

#include "alnus/alphabet.h"
#include "core/amino_acids.h"

namespace alnus {

// How often each of the twenty amino acids occurs, by code; none is 0, and the sum is 1.
using Frequencies = std::array<double, kAminoAcids>;

// Scores of letters by code: the subject's letter times kMaxLetters, plus the query's letter.
using PairScores = std::array<std::int32_t, kMaxLetters * kMaxLetters>;

struct PairAdjustment {
  // A letter that stands for one or two amino acids.
  struct Ambiguous {
    std::uint8_t letter = 0, count = 0, amino_acids[2] = {};  // codes
  };
  static constexpr int kAmbiguous = 5;

  // Scores that are the same in every pair: all, unless `adjusts`; else those with a letter that is neither
  // an amino acid nor ambiguous, from the lowest to the highest.
  PairScores others{};
  std::int32_t lowest_other = 0, highest_other = 0;
  bool adjusts = false;

  // The stated matrix: e_ij = exponents[number[i][j]], symmetric; lambda times the scores.
  std::uint8_t number[kAminoAcids][kAminoAcids] = {};
  int exponent_count = 0;
  double exponents[kMostAminoAcidScores] = {};
  double entropy = 0;  // of the pair's matrix
  double slope = 0;    // by which the entropy grows with theta, about
  double unit = 0;     // scores of the pair's matrix in a nat
  Ambiguous ambiguous[kAmbiguous];
};

}  // namespace alnus
