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
// Altschul et al. 2005, FEBS J. 272:5101, doi:10.1111/j.1742-4658.2005.04945.x) from the stated matrix, which
// is the scoring's. The margins of the joint frequencies q of aligned letters must be the two compositions p
// and r, and their relative entropy sum q_ij ln(q_ij / (p_i r_j)) must have a fixed value. Of all such q, the
// one nearest to the frequencies behind the stated matrix s is chosen. By Lagrange's multipliers it is
//   q_ij = p_i r_j exp(theta lambda s_ij) a_i b_j,
// so that the pair's score is  ln(q_ij / (p_i r_j)) / lambda = theta s_ij + (ln a_i + ln b_j) / lambda.
// docs/statistics.md says what the matrix is used for. Results are the same bits on every machine.
class MatrixAdjuster {
 public:
  // About the size, in nats, of the unit of adjusted scores, which are whole numbers. The size is not exact,
  // because 1 of the scoring's integers must be a whole number of these units, at least one.
  static constexpr double kUnit = 0.01;
  // How many residues of background composition are counted in addition to those of each sequence, so that no
  // frequency is 0.
  static constexpr double kPseudocounts = 20;
  // The relative entropy of adjusted matrices, divided by that of the stated matrix between background
  // letters. The factor is BLOSUM62's: its relative entropy is 0.4012 nats, and blastp adjusts it to 0.44
  // nats.
  static constexpr double kEntropyFactor = 1.097;

  // Makes the adjuster of a scoring. The result is empty for nucleotides, for a matrix that is not symmetric,
  // for a matrix without an ungapped lambda, and for a matrix with a score of more than 175 nats (of either
  // sign).
  static std::optional<MatrixAdjuster> of(const Scoring& scoring);
  // Returns true if of(scoring) is not empty.
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
  double lambda_ = 0;  // ungapped, between background letters, per unit of the scoring's integers
  PairAdjustment adjustment_;
  std::vector<double> weights_;  // exp(adjustment_.exponents[k])
  Frequencies background_{};
};

// Returns an adjustment that gives every pair the same matrix, `scores`.
PairAdjustment no_adjustment(const PairScores& scores);

// Writes into scores[k] the matrix of the query with subjects[k], in units of adjusted scores; without
// adjusting it is `adjustment.others`. `query` and `subjects` are frequencies.
void make_matrices(const PairAdjustment& adjustment, const Frequencies& query,
                   std::span<const Frequencies* const> subjects, std::span<PairScores> scores);

}  // namespace alnus::stats
