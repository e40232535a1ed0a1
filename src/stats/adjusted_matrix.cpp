#include "stats/adjusted_matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "stats/background.h"
#include "stats/karlin.h"
#include "stats/portable_exp.h"

namespace alnus::stats {
namespace {

constexpr std::size_t kLetters = kAminoAcids;
constexpr double kLambdaDigits = 1ULL << 40;

// A letter that stands for several amino acids, or for another one, by code.
struct Ambiguous {
  std::size_t letter;
  std::vector<std::size_t> amino_acids;

  // The mean of a value over the amino acids, as often as each occurs.
  template <typename Value>
  double mean(const Frequencies& frequencies, Value value) const {
    double sum = 0, weight = 0;
    for (const std::size_t i : amino_acids) {
      sum += frequencies[i] * value(i);
      weight += frequencies[i];
    }
    return sum / weight;
  }
};

const std::vector<Ambiguous>& ambiguous_letters() {
  static const std::vector<Ambiguous> letters = [] {
    const Alphabet& alphabet = Alphabet::protein();
    std::vector<Ambiguous> result;
    for (const auto& [letter, amino_acids] : std::initializer_list<std::pair<char, std::string_view>>{
             {'B', "ND"}, {'Z', "QE"}, {'J', "IL"}, {'U', "C"}, {'O', "K"}}) {
      Ambiguous& one = result.emplace_back(Ambiguous{alphabet.encode(letter), {}});
      for (const char amino_acid : amino_acids) one.amino_acids.push_back(alphabet.encode(amino_acid));
    }
    return result;
  }();
  return letters;
}

// Rounds to the nearest integer. The sum's low bits are the integer.
std::int32_t rounded(double x) {
  constexpr double kRound = 0x1.8p52;
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x + kRound));
}

}  // namespace

std::optional<MatrixAdjuster> MatrixAdjuster::of(const Scoring& scoring) {
  const SubstitutionMatrix& matrix = scoring.matrix;
  if (matrix.alphabet() != AlphabetKind::protein || !matrix.symmetric()) return std::nullopt;
  const auto lambda = ungapped_lambda(pair_scores(matrix, default_background(AlphabetKind::protein)));
  if (!lambda) return std::nullopt;
  // Weights are exponentials of theta lambda s.
  constexpr double kMostExponent = 700;
  if (kMostTheta * *lambda * std::max(matrix.highest(), -matrix.lowest()) > kMostExponent)
    return std::nullopt;
  return MatrixAdjuster(scoring, *lambda);
}

// lambda has fewer digits than the C library computes, whose last bit is not everywhere the same.
MatrixAdjuster::MatrixAdjuster(const Scoring& scoring, double lambda)
    : lambda_(std::round(lambda * kLambdaDigits) / kLambdaDigits) {
  const SubstitutionMatrix& matrix = scoring.matrix;
  const Background background = default_background(AlphabetKind::protein);
  std::ranges::copy(background, background_.begin());
  factor_ = std::max(1, static_cast<std::int32_t>(std::lround(lambda / kUnit)));
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < kLetters; ++i)
    for (std::size_t j = 0; j < kLetters; ++j) {
      const std::int32_t score = matrix.value(static_cast<Residue>(i), static_cast<Residue>(j));
      const auto found = std::ranges::find(values, score);
      number_[i][j] = static_cast<std::uint8_t>(found - values.begin());
      if (found == values.end()) values.push_back(score);
    }
  for (const std::int32_t value : values) {
    exponents_.push_back(lambda_ * value);
    weights_.push_back(portable_exp(exponents_.back()));
  }
  const Residue unknown = Alphabet::protein().encode('X');
  for (std::size_t q = 0; q < kMaxLetters; ++q)
    for (std::size_t s = 0; s < kMaxLetters; ++s)
      others_[s * kMaxLetters + q] =
          q == unknown || s == unknown
              ? -factor_ * matrix.scale()
              : factor_ * matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
  constexpr double kStep = 1.0 / 64;
  entropy_ = background_entropy(1);
  slope_ = (background_entropy(1 + kStep) - entropy_) / kStep;
  entropy_ *= kEntropyFactor;
}

BalanceJob MatrixAdjuster::job_of(const Frequencies& p) const {
  BalanceJob job;
  job.number = number_;
  job.exponents = exponents_.data();
  job.exponent_count = static_cast<int>(exponents_.size());
  job.entropy = entropy_;
  job.slope = slope_;
  job.p = p.data();
  return job;
}

double MatrixAdjuster::background_entropy(double theta) const {
  BalanceJob job = job_of(background_);
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
      const double exponent = exponents_[number_[i][j]], weighted = query[i] * weights_[number_[i][j]];
      terms.zeroth[j] += weighted;
      terms.first[j] += weighted * exponent;
      terms.second[j] += weighted * exponent * exponent;
    }
  return terms;
}

// With e = lambda s, sum p_i r_j exp((1 + x) e_ij) = 1 is about  zeroth + first x + second x x / 2 = 1.
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

void MatrixAdjuster::adjust(const Frequencies& query, std::span<const Frequencies* const> subjects,
                            std::span<PairScores> scores) const {
  const Balance balance = best_balance();
  BalanceJob job = job_of(query);
  for (std::size_t first = 0; first < subjects.size(); first += kMostPairs) {
    const std::size_t count = std::min<std::size_t>(kMostPairs, subjects.size() - first);
    for (std::size_t k = 0; k < kMostPairs; ++k)
      for (std::size_t i = 0; i < kLetters; ++i) job.r[i][k] = (*subjects[first + std::min(k, count - 1)])[i];
    balance(job);
    for (std::size_t k = 0; k < count; ++k)
      fill(job, static_cast<int>(k), query, *subjects[first + k], scores[first + k]);
  }
}

void MatrixAdjuster::fill(const BalanceJob& job, int pair, const Frequencies& query,
                          const Frequencies& subject, PairScores& scores) const {
  const double unit = factor_ / lambda_;
  Frequencies of_query, of_subject;
  for (std::size_t i = 0; i < kLetters; ++i) {
    of_query[i] = unit * job.log_a[i][pair];
    of_subject[i] = unit * job.log_b[i][pair];
  }
  std::vector<double> stated(exponents_.size());  // the part of the stated score, by number
  for (std::size_t k = 0; k < exponents_.size(); ++k) stated[k] = job.theta[pair] * unit * exponents_[k];

  scores = others_;
  std::array<std::array<double, kMaxLetters>, kMaxLetters> exact;  // the subject's letter first
  for (std::size_t j = 0; j < kLetters; ++j)
    for (std::size_t i = 0; i < kLetters; ++i) {
      exact[j][i] = stated[number_[j][i]] + of_query[i] + of_subject[j];
      scores[j * kMaxLetters + i] = rounded(exact[j][i]);
    }
  // The mean over what a letter stands for, as often as each occurs in the sequence.
  for (const Ambiguous& one : ambiguous_letters())
    for (std::size_t j = 0; j < kLetters; ++j) {
      exact[j][one.letter] = one.mean(query, [&](std::size_t i) { return exact[j][i]; });
      scores[j * kMaxLetters + one.letter] = rounded(exact[j][one.letter]);
    }
  for (const Ambiguous& one : ambiguous_letters()) {
    const auto put = [&](std::size_t i) {
      scores[one.letter * kMaxLetters + i] =
          rounded(one.mean(subject, [&](std::size_t j) { return exact[j][i]; }));
    };
    for (std::size_t i = 0; i < kLetters; ++i) put(i);
    for (const Ambiguous& other : ambiguous_letters()) put(other.letter);
  }
}

}  // namespace alnus::stats
