#include "stats/adjusted_matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include "stats/background.h"
#include "stats/karlin.h"
#include "stats/portable_exp.h"
#include "stats/theta_search.h"

namespace alnus::stats {
namespace {

constexpr std::size_t kLetters = kAminoAcids;
constexpr double kLambdaDigits = 1ULL << 40;

// Fills in the letters that stand for two amino acids (B, Z, J) or for another one (U, O), as codes.
void set_ambiguous(PairAdjustment& adjustment) {
  const Alphabet& alphabet = Alphabet::protein();
  PairAdjustment::Ambiguous* next = adjustment.ambiguous;
  for (const auto& [letter, amino_acids] : std::initializer_list<std::pair<char, std::string_view>>{
           {'B', "ND"}, {'Z', "QE"}, {'J', "IL"}, {'U', "C"}, {'O', "K"}}) {
    PairAdjustment::Ambiguous& one = *next++;
    one.letter = alphabet.encode(letter);
    for (const char amino_acid : amino_acids) one.amino_acids[one.count++] = alphabet.encode(amino_acid);
  }
}

// Returns the mean of value(i) over the amino acids i that a letter stands for, weighted by their
// frequencies.
template <typename Value>
double mean(const PairAdjustment::Ambiguous& letter, const Frequencies& frequencies, Value value) {
  double sum = 0, weight = 0;
  for (int k = 0; k < letter.count; ++k) {
    const std::size_t i = letter.amino_acids[k];
    sum += frequencies[i] * value(i);
    weight += frequencies[i];
  }
  return sum / weight;
}

void set_others(PairAdjustment& adjustment, const PairScores& scores) {
  adjustment.others = scores;
  const auto is_own = [&](std::size_t letter) {
    return adjustment.adjusts &&
           (letter < kLetters || std::ranges::any_of(adjustment.ambiguous, [&](const auto& ambiguous) {
              return ambiguous.letter == letter;
            }));
  };
  adjustment.lowest_other = std::numeric_limits<std::int32_t>::max();
  adjustment.highest_other = std::numeric_limits<std::int32_t>::min();
  for (std::size_t s = 0; s < kMaxLetters; ++s)
    for (std::size_t q = 0; q < kMaxLetters; ++q) {
      if (is_own(s) && is_own(q)) continue;
      adjustment.lowest_other = std::min(adjustment.lowest_other, scores[s * kMaxLetters + q]);
      adjustment.highest_other = std::max(adjustment.highest_other, scores[s * kMaxLetters + q]);
    }
}

// Rounds to the nearest integer: the sum of a double and 1.5 * 2^52 has this integer in its low bits.
std::int32_t rounded(double x) {
  constexpr double kRound = 0x1.8p52;
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x + kRound));
}

// Makes a job with the matrix of `adjustment` and the query's frequencies `p`. The caller must still fill in
// the subjects' frequencies `r`.
BalanceJob job_of(const PairAdjustment& adjustment, const Frequencies& p) {
  BalanceJob job;
  job.number = adjustment.number;
  job.exponents = adjustment.exponents;
  job.exponent_count = adjustment.exponent_count;
  job.entropy = adjustment.entropy;
  job.slope = adjustment.slope;
  job.p = p.data();
  return job;
}

void fill(const PairAdjustment& adjustment, const BalanceJob& job, std::size_t pair, const Frequencies& query,
          const Frequencies& subject, PairScores& scores) {
  Frequencies of_query, of_subject;
  for (std::size_t i = 0; i < kLetters; ++i) {
    of_query[i] = adjustment.unit * job.log_a[i][pair];
    of_subject[i] = adjustment.unit * job.log_b[i][pair];
  }
  std::array<double, kMostAminoAcidScores> stated;  // theta s_ij in units of adjusted scores, by number
  for (int k = 0; k < adjustment.exponent_count; ++k)
    stated[static_cast<std::size_t>(k)] = job.theta[pair] * adjustment.unit * adjustment.exponents[k];

  scores = adjustment.others;
  std::array<std::array<double, kMaxLetters>, kMaxLetters> exact;  // before rounding; subject letter first
  for (std::size_t j = 0; j < kLetters; ++j)
    for (std::size_t i = 0; i < kLetters; ++i) {
      exact[j][i] = stated[adjustment.number[j][i]] + of_query[i] + of_subject[j];
      scores[j * kMaxLetters + i] = rounded(exact[j][i]);
    }
  // The score of an ambiguous letter is the mean over the amino acids that it stands for, weighted by their
  // frequencies in the sequence.
  for (const PairAdjustment::Ambiguous& one : adjustment.ambiguous)
    for (std::size_t j = 0; j < kLetters; ++j) {
      exact[j][one.letter] = mean(one, query, [&](std::size_t i) { return exact[j][i]; });
      scores[j * kMaxLetters + one.letter] = rounded(exact[j][one.letter]);
    }
  for (const PairAdjustment::Ambiguous& one : adjustment.ambiguous) {
    const auto put = [&](std::size_t i) {
      scores[one.letter * kMaxLetters + i] =
          rounded(mean(one, subject, [&](std::size_t j) { return exact[j][i]; }));
    };
    for (std::size_t i = 0; i < kLetters; ++i) put(i);
    for (const PairAdjustment::Ambiguous& other : adjustment.ambiguous) put(other.letter);
  }
}

}  // namespace

std::optional<double> MatrixAdjuster::lambda_of(const Scoring& scoring) {
  const SubstitutionMatrix& matrix = scoring.matrix;
  if (matrix.alphabet() != AlphabetKind::protein || !matrix.symmetric()) return std::nullopt;
  const auto lambda = ungapped_lambda(pair_scores(matrix, default_background(AlphabetKind::protein)));
  // Weights are exp(theta lambda s), and PortableMath::exp takes exponents up to 700.
  constexpr double kMostExponent = 700;
  if (!lambda || kMostTheta * *lambda * std::max(matrix.highest(), -matrix.lowest()) > kMostExponent)
    return std::nullopt;
  return lambda;
}

std::optional<MatrixAdjuster> MatrixAdjuster::of(const Scoring& scoring) {
  const std::optional<double> lambda = lambda_of(scoring);
  return lambda ? std::optional(MatrixAdjuster(scoring, *lambda)) : std::nullopt;
}

// lambda_ is rounded to 40 binary digits behind the point, because the last bit of C libraries' results is
// not the same on every machine.
MatrixAdjuster::MatrixAdjuster(const Scoring& scoring, double lambda)
    : lambda_(std::round(lambda * kLambdaDigits) / kLambdaDigits) {
  const SubstitutionMatrix& matrix = scoring.matrix;
  const Background background = default_background(AlphabetKind::protein);
  std::ranges::copy(background, background_.begin());
  factor_ = std::max(1, static_cast<std::int32_t>(std::lround(lambda / kUnit)));
  adjustment_.adjusts = true;
  adjustment_.unit = factor_ / lambda_;
  set_ambiguous(adjustment_);
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < kLetters; ++i)
    for (std::size_t j = 0; j < kLetters; ++j) {
      const std::int32_t score = matrix.value(static_cast<Residue>(i), static_cast<Residue>(j));
      const auto found = std::ranges::find(values, score);
      adjustment_.number[i][j] = static_cast<std::uint8_t>(found - values.begin());
      if (found == values.end()) values.push_back(score);
    }
  for (const std::int32_t value : values) {
    const double exponent = lambda_ * value;
    adjustment_.exponents[adjustment_.exponent_count++] = exponent;
    weights_.push_back(portable_exp(exponent));
  }
  const Residue unknown = Alphabet::protein().encode('X');
  PairScores others;
  for (std::size_t q = 0; q < kMaxLetters; ++q)
    for (std::size_t s = 0; s < kMaxLetters; ++s)
      others[s * kMaxLetters + q] =
          q == unknown || s == unknown
              ? -factor_ * matrix.scale()
              : factor_ * matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
  set_others(adjustment_, others);
  constexpr double kStep = 1.0 / 64;
  adjustment_.entropy = background_entropy(1);
  adjustment_.slope = (background_entropy(1 + kStep) - adjustment_.entropy) / kStep;
  adjustment_.entropy *= kEntropyFactor;
}

double MatrixAdjuster::background_entropy(double theta) const {
  BalanceJob job = job_of(adjustment_, background_);
  job.first_theta = theta;
  job.only_first_theta = true;
  for (std::size_t i = 0; i < kLetters; ++i) std::ranges::fill(job.r[i], background_[i]);
  best_balance()(job);
  return job.found[0];
}

Frequencies MatrixAdjuster::frequencies(std::span<const Residue> residues) const {
  std::array<std::uint64_t, kMaxLetters> counts{};
  for (const Residue residue : residues) ++counts[residue & kCodeMask];
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < kLetters; ++i) counted += counts[i];
  Frequencies result;
  for (std::size_t i = 0; i < kLetters; ++i)
    result[i] = (static_cast<double>(counts[i]) + kPseudocounts * background_[i]) /
                (static_cast<double>(counted) + kPseudocounts);
  return result;
}

MatrixAdjuster::ScaleTerms MatrixAdjuster::scale_terms(const Frequencies& query) const {
  ScaleTerms terms{};
  for (std::size_t i = 0; i < kLetters; ++i)
    for (std::size_t j = 0; j < kLetters; ++j) {
      const std::size_t number = adjustment_.number[i][j];
      const double exponent = adjustment_.exponents[number], weighted = query[i] * weights_[number];
      terms.zeroth[j] += weighted;
      terms.first[j] += weighted * exponent;
      terms.second[j] += weighted * exponent * exponent;
    }
  return terms;
}

// With e = lambda s, the equation  sum p_i r_j exp((1 + x) e_ij) = 1  is approximately
//   zeroth + first x + second x^2 / 2 = 1.
// The result is 1 + x.
double MatrixAdjuster::predicted_scale(const ScaleTerms& query, const Frequencies& subject) {
  double zeroth = 0, first = 0, second = 0;
  for (std::size_t j = 0; j < kLetters; ++j) {
    zeroth += query.zeroth[j] * subject[j];
    first += query.first[j] * subject[j];
    second += query.second[j] * subject[j];
  }
  constexpr double kLeast = 0.25, kMost = 2;
  const double inside = std::max(first * first - 2 * second * (zeroth - 1), 0.0);
  return std::clamp(1 + (std::sqrt(inside) - first) / second, kLeast, kMost);
}

PairAdjustment no_adjustment(const PairScores& scores) {
  PairAdjustment adjustment;
  set_others(adjustment, scores);
  return adjustment;
}

void make_matrices(const PairAdjustment& adjustment, const Frequencies& query,
                   std::span<const Frequencies* const> subjects, std::span<PairScores> scores) {
  if (!adjustment.adjusts) {
    std::ranges::fill(scores, adjustment.others);
    return;
  }
  const Balance balance = best_balance();
  BalanceJob job = job_of(adjustment, query);
  for (std::size_t first = 0; first < subjects.size(); first += kMostPairs) {
    const std::size_t count = std::min<std::size_t>(kMostPairs, subjects.size() - first);
    for (std::size_t k = 0; k < kMostPairs; ++k)
      for (std::size_t i = 0; i < kLetters; ++i) job.r[i][k] = (*subjects[first + std::min(k, count - 1)])[i];
    balance(job);
    for (std::size_t k = 0; k < count; ++k)
      fill(adjustment, job, k, query, *subjects[first + k], scores[first + k]);
  }
}

}  // namespace alnus::stats
