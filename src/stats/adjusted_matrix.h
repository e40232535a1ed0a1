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
// Altschul et al. 2005, FEBS J. 272:5101, doi:10.1111/j.1742-4658.2005.04945.x). The margins of the joint
// frequencies q of aligned letters must be the two compositions p and r, and their relative entropy
// sum q_ij ln(q_ij / (p_i r_j)) must have a fixed value. Of all such q, the one nearest to the frequencies
// behind the stated matrix is chosen. By Lagrange's multipliers it is
//   q_ij = p_i r_j exp(theta lambda s_ij) a_i b_j,
// so that the pair's score is  ln(q_ij / (p_i r_j)) / lambda = theta s_ij + (ln a_i + ln b_j) / lambda.
// docs/statistics.md says what the matrix is used for. Results are the same bits on every machine.
class MatrixAdjuster {
 public:
  // The unit of adjusted scores, in nats, to which they are rounded. It is approximate, since a score unit of
  // the stated matrix is a whole number of these units.
  static constexpr double kUnit = 0.01;
  // Residues of background composition that are added to the residues of each sequence.
  static constexpr double kPseudocounts = 20;
  // The relative entropy of adjusted matrices, divided by that of the stated matrix: BLOSUM62 has 0.4012 nats
  // with background letters, and blastp's adjusted matrices have 0.44.
  static constexpr double kEntropyFactor = 1.097;

  // Makes the adjuster of a scoring. The result is empty for nucleotides, for a matrix that is not symmetric,
  // for a matrix without an ungapped lambda, and for a matrix with a score of more than 175 nats (of either
  // sign).
  static std::optional<MatrixAdjuster> of(const Scoring& scoring);
  // True if of() is not empty.
  static bool adjusts(const Scoring& scoring) { return lambda_of(scoring).has_value(); }

  // Returns how many units of adjusted scores are in 1 of the scoring's integers.
  std::int32_t factor() const { return factor_; }
  // Returns the frequencies of the twenty amino acids among the residues and kPseudocounts background
  // residues. Other letters are not counted.
  Frequencies frequencies(std::span<const Residue> residues) const;
  // predicted_scale() returns the approximate ratio of a pair's adjusted score to its stated score, 0.25 to
  // 2: the ungapped lambda between the two compositions, under the stated matrix, divided by the ungapped
  // lambda between background letters. It solves the equation of lambda by the first terms of its series. For
  // a given query these terms are linear in the subject's frequencies; scale_terms() returns their
  // coefficients.
  struct ScaleTerms {
    Frequencies zeroth, first, second;
  };
  ScaleTerms scale_terms(const Frequencies& query) const;
  static double predicted_scale(const ScaleTerms& query, const Frequencies& subject);

  // Returns the numbers from which make_matrices() makes the matrix of a pair.
  const PairAdjustment& adjustment() const { return adjustment_; }

 private:
  MatrixAdjuster(const Scoring& scoring, double lambda);
  static std::optional<double> lambda_of(const Scoring& scoring);
  // Returns the relative entropy, in nats, between background letters for this theta.
  double background_entropy(double theta) const;

  std::int32_t factor_ = 1;
  double lambda_ = 0;  // of ungapped alignments, per unit of the scoring's integers
  PairAdjustment adjustment_;
  std::vector<double> weights_;  // the exponentials of adjustment_.exponents
  Frequencies background_{};
};

// Returns an adjustment that gives every pair the same matrix, `scores`.
PairAdjustment no_adjustment(const PairScores& scores);

// Writes into scores[k] the matrix of the query with subjects[k]. `query` and `subjects` are frequencies.
void make_matrices(const PairAdjustment& adjustment, const Frequencies& query,
                   std::span<const Frequencies* const> subjects, std::span<PairScores> scores);

}  // namespace alnus::stats
