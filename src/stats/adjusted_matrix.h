// Substitution scores for one pair of sequences, adjusted to the composition of both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alnus/scoring.h"
#include "alnus/statistics.h"
#include "core/pair_adjustment.h"
#include "stats/pair_balance.h"

namespace alnus::stats {

// Makes the matrix of a pair (Yu & Altschul 2005, Bioinformatics 21:902, doi:10.1093/bioinformatics/bti070;
// Altschul et al. 2005, FEBS J. 272:5101, doi:10.1111/j.1742-4658.2005.04945.x): of all joint frequencies q
// of aligned letters whose margins are the two compositions p and r, and whose relative entropy
// sum q_ij ln(q_ij / (p_i r_j)) has a fixed value, those nearest to the frequencies behind the stated matrix.
// By Lagrange's multipliers these are
//   q_ij = p_i r_j exp(theta lambda s_ij) a_i b_j,
// so that the pair's score is  ln(q_ij / (p_i r_j)) / lambda = theta s_ij + (ln a_i + ln b_j) / lambda.
// docs/statistics.md says what is done with it. Results are the same bits on every machine.
class MatrixAdjuster {
 public:
  // Scores of the adjusted matrix are rounded to about so many nats; the unit divides the stated matrix' one.
  static constexpr double kUnit = 0.01;
  // Residues of the background that are added to each sequence's own.
  static constexpr double kPseudocounts = 20;
  // The relative entropy of adjusted matrices, relative to that of the stated one: BLOSUM62 has 0.4012 nats
  // between the background's letters, and blastp's adjusted matrices have 0.44.
  static constexpr double kEntropyFactor = 1.097;

  // The result is empty for nucleotides, for a matrix that is not symmetric, for one without an ungapped
  // lambda, and for one with a score of more than 175 nats.
  static std::optional<MatrixAdjuster> of(const Scoring& scoring);
  // Whether it is not empty.
  static bool adjusts(const Scoring& scoring) { return lambda_of(scoring).has_value(); }

  // A score of the stated matrix in units of adjusted scores: 1/factor() of the scoring's integers.
  std::int32_t factor() const { return factor_; }
  // The frequencies of the twenty amino acids among the residues; other letters are not counted.
  Frequencies frequencies(std::span<const Residue> residues) const;
  // About how many times its stated score a pair's adjusted score is: lambda of ungapped alignments between
  // the two compositions, under the stated matrix, relative to that between the background's letters. It is
  // found from the first terms of its equation's series, which for a query are linear in the subject's
  // frequencies.
  struct ScaleTerms {
    Frequencies zeroth, first, second;
  };
  ScaleTerms scale_terms(const Frequencies& query) const;
  static double predicted_scale(const ScaleTerms& query, const Frequencies& subject);

  // What makes the matrix of a pair.
  const PairAdjustment& adjustment() const { return adjustment_; }

 private:
  MatrixAdjuster(const Scoring& scoring, double lambda);
  static std::optional<double> lambda_of(const Scoring& scoring);
  // The relative entropy between the background's letters for this theta.
  double background_entropy(double theta) const;

  std::int32_t factor_ = 1;
  double lambda_ = 0;  // of ungapped alignments, per unit of the scoring's integers
  PairAdjustment adjustment_;
  std::vector<double> weights_;  // the exponentials of its exponents
  Frequencies background_{};
};

// The scores that are the same in every pair where nothing is adjusted: all of them.
PairAdjustment no_adjustment(const PairScores& scores);

// Writes into scores[k] the matrix of the query and the k-th subject.
void make_matrices(const PairAdjustment& adjustment, const Frequencies& query,
                   std::span<const Frequencies* const> subjects, std::span<PairScores> scores);

}  // namespace alnus::stats
