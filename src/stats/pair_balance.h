// Frequencies of aligned letters for pairs of sequences (stats/adjusted_matrix.h), several pairs at a time.
// Plain functions over plain memory: the translation units that are compiled for an instruction set include
// this, the stats headers of its arithmetic and <cstdint> alone.
#pragma once

#include <cstdint>

#include "core/amino_acids.h"

namespace alnus::stats {

inline constexpr int kMostPairs = 8;  // of a job

// One query and several subjects, each with frequencies
//   q_ij = p_i r_j exp(theta e_ij) a_i b_j
// whose margins are p and r, and whose relative entropy sum q_ij ln(q_ij / (p_i r_j)) is given.
struct BalanceJob {
  // The matrix: e_ij = exponents[number[i][j]], symmetric; lambda times the scores.
  const std::uint8_t (*number)[kAminoAcids] = nullptr;
  const double* exponents = nullptr;
  int exponent_count = 0;                                   // at most kMostAminoAcidScores
  double entropy = 0;                                       // the wanted one
  double slope = 0;                                         // by which the entropy grows with theta, about
  double first_theta = 1;                                   // where the search for theta begins
  bool only_first_theta = false;                            // it is given, and the entropy is wanted
  const double* p = nullptr;                                // the query's frequencies, none of them 0
  alignas(64) double r[kAminoAcids][kMostPairs];            // the subjects'
  alignas(64) double theta[kMostPairs], found[kMostPairs];  // out: theta, and the entropy
  alignas(64) double log_a[kAminoAcids][kMostPairs], log_b[kAminoAcids][kMostPairs];
};

using Balance = void (*)(BalanceJob&);

// The same bits from each.
void balance_portable(BalanceJob& job);
void balance_avx2(BalanceJob& job);
void balance_avx512(BalanceJob& job);

inline constexpr int kMostBalances = 3;
// Those that this processor runs, the fastest first; how many.
int supported_balances(Balance (&list)[kMostBalances]);
inline Balance best_balance() {
  Balance list[kMostBalances];
  supported_balances(list);
  return list[0];
}

}  // namespace alnus::stats
