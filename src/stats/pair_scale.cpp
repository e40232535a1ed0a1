#include "stats/pair_scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "stats/background.h"
#include "stats/karlin.h"
#include "stats/portable_exp.h"

namespace alnus::stats {
namespace {

constexpr std::size_t kBases = 4;
constexpr double kLeast = -700;  // what portable_exp takes

// The sum of p(s) exp(lambda s) - 1 over the scores s of two bases, and its derivative.
struct Excess {
  double value = -1, slope = 0;
};

Excess excess_of(double lambda, const BaseFrequencies& query, const BaseFrequencies& subject,
                 const SubstitutionMatrix& matrix) {
  Excess result;
  for (std::size_t a = 0; a < kBases; ++a)
    for (std::size_t b = 0; b < kBases; ++b) {
      const std::int32_t score = matrix.value(static_cast<Residue>(a), static_cast<Residue>(b));
      const double weight = query[a] * subject[b] * portable_exp(std::max(kLeast, lambda * score));
      result.value += weight;
      result.slope += score * weight;
    }
  return result;
}

// Where the excess is 0. It is convex, 0 for lambda 0, and negative up to the solution: from above it,
// Newton's steps fall towards it and not below.
double lambda_below(double lambda, const BaseFrequencies& query, const BaseFrequencies& subject,
                    const SubstitutionMatrix& matrix) {
  constexpr int kMostSteps = 100;
  constexpr double kTolerance = 1e-12;
  for (int step = 0; step < kMostSteps; ++step) {
    const Excess excess = excess_of(lambda, query, subject, matrix);
    if (excess.value <= kTolerance) break;
    lambda = std::max(0.0, lambda - excess.value / excess.slope);
  }
  return lambda;
}

}  // namespace

std::optional<PairScale> PairScale::of(const Scoring& scoring) {
  if (scoring.matrix.alphabet() != AlphabetKind::dna) return std::nullopt;
  const auto lambda = ungapped_lambda(pair_scores(scoring.matrix, default_background(AlphabetKind::dna)));
  if (!lambda) return std::nullopt;
  BaseFrequencies even;
  even.fill(1.0 / kBases);
  // A power of two is the same number whatever the last digits of the other lambda are.
  const double above = std::exp2(std::ceil(std::log2(*lambda)) + 1);
  return PairScale(scoring, lambda_below(above, even, even, scoring.matrix));
}

BaseFrequencies PairScale::frequencies(std::span<const Residue> residues) {
  std::array<std::uint64_t, kMaxLetters> counts{};
  for (const Residue residue : residues) ++counts[residue & kCodeMask];
  double counted = kPseudocounts;
  for (std::size_t base = 0; base < kBases; ++base) counted += static_cast<double>(counts[base]);
  BaseFrequencies result;
  for (std::size_t base = 0; base < kBases; ++base)
    result[base] = (static_cast<double>(counts[base]) + kPseudocounts / kBases) / counted;
  return result;
}

double PairScale::worth(const BaseFrequencies& query, const BaseFrequencies& subject) const {
  double mean = 0;
  for (std::size_t a = 0; a < kBases; ++a)
    for (std::size_t b = 0; b < kBases; ++b)
      mean += query[a] * subject[b] * scoring_.matrix.value(static_cast<Residue>(a), static_cast<Residue>(b));
  return mean >= 0 ? 0 : lambda_below(lambda_, query, subject, scoring_.matrix) / lambda_;
}

}  // namespace alnus::stats
