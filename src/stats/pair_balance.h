// Frequencies of aligned letters for pairs of sequences (stats/adjusted_matrix.h), computed for several pairs
// at a time by plain functions over plain memory. The translation units that are compiled for an instruction
// set include only this header, core/amino_acids.h, the stats headers of its arithmetic and <cstdint>.
// Otherwise the linker might take a function that is compiled for the instruction set into the rest of the
// library.
#pragma once

#include <cstdint>

#include "core/amino_acids.h"

namespace alnus::stats {

inline constexpr int kMostPairs = 8;  // pairs of a job: the doubles of an AVX-512 vector

// A job for one query and kMostPairs subjects. For each pair it finds theta, a and b such that the
// frequencies
//   q_ij = p_i r_j exp(theta e_ij) a_i b_j
// have the margins p and r, and the relative entropy sum q_ij ln(q_ij / (p_i r_j)) is `entropy`, in nats.
struct BalanceJob {
  // The matrix: e_ij = exponents[number[i][j]] is lambda times the score of i and j, and symmetric.
  const std::uint8_t (*number)[kAminoAcids] = nullptr;
  const double* exponents = nullptr;
  int exponent_count = 0;                         // at most kMostAminoAcidScores
  double entropy = 0;                             // the wanted relative entropy, in nats
  double slope = 0;                               // about how many nats the entropy grows per 1 of theta
  double first_theta = 1;                         // the theta with which the search begins
  bool only_first_theta = false;                  // true: theta stays first_theta
  const double* p = nullptr;                      // the query's frequencies, none of them 0
  alignas(64) double r[kAminoAcids][kMostPairs];  // the subjects' frequencies
  alignas(64) double theta[kMostPairs], found[kMostPairs];  // out: theta, and the entropy with it
  alignas(64) double log_a[kAminoAcids][kMostPairs], log_b[kAminoAcids][kMostPairs];  // out: ln a, ln b
};

using Balance = void (*)(BalanceJob&);

// These functions do a job. All of them give the same bits.
void balance_portable(BalanceJob& job);
void balance_avx2(BalanceJob& job);
void balance_avx512(BalanceJob& job);

inline constexpr int kMostBalances = 3;
// Writes into `list` the balance functions that this processor can run, the fastest first. Returns their
// number, which is at least 1.
int supported_balances(Balance (&list)[kMostBalances]);
inline Balance best_balance() {
  Balance list[kMostBalances];
  supported_balances(list);
  return list[0];
}

}  // namespace alnus::stats
