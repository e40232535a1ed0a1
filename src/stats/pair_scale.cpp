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
constexpr double kLeast = -700;  // the lowest x that portable_exp takes

// The excess, sum of p(s) exp(lambda s) over the scores s of two bases, minus 1; and its derivative by
// lambda.
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

// Returns the positive lambda for which the excess is 0, or the argument `lambda` if that is lower. As a
// function of lambda the excess is convex, 0 at 0, and negative from there to the solution. So Newton's steps
// from above fall towards the solution, and not below it.
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
  // The search begins at a power of two, which does not depend on the last bits of `lambda`.
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
