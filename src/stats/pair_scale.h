// What a score of two nucleotide sequences is worth, by the letters of both.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "alnus/scoring.h"

namespace alnus::stats {

// How often each of ACGT occurs, by code; none is 0, and the sum is 1.
using BaseFrequencies = std::array<double, 4>;

// Two sequences of the same few letters match by chance more often than the parameters of E-values expect, by
// which all letters are equally frequent: lambda is smaller between them. A score counts as much less, as
// blastp's -comp_based_stats 1 scales it (Schaffer et al. 2001, Nucleic Acids Res. 29:2994). Results are the
// same bits on every machine.
class PairScale {
 public:
  // Letters of the background that are added to each sequence's own.
  static constexpr double kPseudocounts = 20;

  // The result is empty for proteins, and for scores that have no ungapped lambda.
  static std::optional<PairScale> of(const Scoring& scoring);

  // The frequencies of ACGT among the residues; other letters are not counted.
  static BaseFrequencies frequencies(std::span<const Residue> residues);
  // The ratio of the lambdas of ungapped alignments of such sequences, and of the background's. Never above
  // 1; 0 where such sequences align at a profit.
  double worth(const BaseFrequencies& query, const BaseFrequencies& subject) const;

 private:
  PairScale(const Scoring& scoring, double lambda) : scoring_(scoring), lambda_(lambda) {}

  const Scoring& scoring_;
  double lambda_;  // between the background's letters, per unit of the scoring's integers
};

}  // namespace alnus::stats
