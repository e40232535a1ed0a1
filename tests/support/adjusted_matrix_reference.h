// The adjusted matrix of a pair of proteins (stats/adjusted_matrix.h), one pair at a time in double
// precision: by the formula, and by the steps of docs/statistics.md with their tolerances.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::test {

inline constexpr std::size_t kCoreLetters = 20;
using CoreVector = std::array<double, kCoreLetters>;
using CoreTable = std::array<CoreVector, kCoreLetters>;

// Returns the lambda for which the sum of p_i p_j exp(lambda s_ij) is 1, found by bisection.
double lambda_of(const Scoring& scoring, const Background& p);

struct AdjustedSolution {
  CoreTable scores;  // not rounded, in the units of the stated matrix; the query's letter is the first index
  double entropy = 0;
  CoreTable q;
};

// Returns the frequencies q_ij = p_i r_j exp(theta lambda s_ij) a_i b_j whose margins are p and r, and the
// scores ln(q_ij / (p_i r_j)) / lambda.
AdjustedSolution solve_for_theta(const Scoring& scoring, double lambda, const CoreVector& p,
                                 const CoreVector& r, double theta);
// Like solve_for_theta() with the theta for which q has this entropy, found by bisection.
AdjustedSolution solve_for_entropy(const Scoring& scoring, double lambda, const CoreVector& p,
                                   const CoreVector& r, double entropy);

// Makes matrices by the same steps as MatrixAdjuster, which ends at tolerances and limits before it reaches
// the exact solution. The code is plain: it has no vectors, and uses the exponentials and logarithms of the C
// library.
class ReferenceAdjuster {
 public:
  explicit ReferenceAdjuster(const Scoring& scoring);

  std::int32_t factor() const { return factor_; }
  double lambda() const { return lambda_; }
  double entropy() const { return entropy_; }  // the entropy that the matrices shall have
  double slope() const { return slope_; }      // by how much the background's entropy grows with theta
  CoreVector frequencies(std::span<const Residue> residues) const;

  static constexpr int kMostRounds = 40;
  struct Matrix {
    // By codes, before they are rounded to integers. The subject's letter comes first.
    std::array<double, kMaxLetters * kMaxLetters> scores;
    double theta = 0, entropy = 0;
    int rounds = 0;  // of the search for theta; at most kMostRounds
  };
  Matrix matrix(const CoreVector& p, const CoreVector& r) const;

 private:
  struct Balance;
  double entropy_of_background(double theta) const;

  const Scoring scoring_;
  CoreVector background_{};
  std::int32_t stated_[kCoreLetters][kCoreLetters];
  std::int32_t factor_ = 1;
  double lambda_ = 0, entropy_ = 0, slope_ = 0;
};

}  // namespace alnus::test
