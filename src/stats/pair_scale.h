// The worth of scores of two nucleotide sequences, by the composition of both.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "alnus/scoring.h"

namespace alnus::stats {

// The fraction of each of ACGT, by code; none is 0, and the sum is 1.
using BaseFrequencies = std::array<double, 4>;

// The parameters of E-values are for letters that are all equally frequent. Two sequences of the same few
// letters match by chance more often, so that lambda is smaller between them. Their score is scaled by the
// ratio of the lambdas, as by blastp's -comp_based_stats 1 (Schaffer et al. 2001, Nucleic Acids Res.
// 29:2994). Results are the same bits on every machine.
class PairScale {
 public:
  // How many letters of background composition are counted in addition to those of each sequence, so that no
  // frequency is 0.
  static constexpr double kPseudocounts = 20;

  // Makes the scale of a scoring, which must outlive it. The result is empty for proteins, and for scores
  // that have no ungapped lambda.
  static std::optional<PairScale> of(const Scoring& scoring);

  // Returns the frequencies of ACGT among the residues and kPseudocounts background letters. Other letters
  // are not counted.
  static BaseFrequencies frequencies(std::span<const Residue> residues);
  // Returns the ungapped lambda between sequences of these compositions, divided by that between background
  // letters. 0 to 1; 0 if the expected score of two letters is 0 or more.
  double worth(const BaseFrequencies& query, const BaseFrequencies& subject) const;

 private:
  PairScale(const Scoring& scoring, double lambda) : scoring_(scoring), lambda_(lambda) {}

  const Scoring& scoring_;
  double lambda_;  // between the background's letters, per unit of the scoring's integers
};

}  // namespace alnus::stats
