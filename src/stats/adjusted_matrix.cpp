#include "stats/adjusted_matrix.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "stats/background.h"
#include "stats/karlin.h"
#include "stats/portable_math.h"

namespace alnus::stats {
namespace {

constexpr std::size_t kLetters = 20;
using Vector = Frequencies;

// Margins of q are exact to so much, and its relative entropy.
constexpr double kTolerance = 1e-9;
constexpr double kLambdaDigits = 1ULL << 40;
constexpr int kMostRounds = 30, kMostSweeps = 60;
// Pairs of sequences of very few kinds of letters have no frequencies of the wanted entropy: theta ends here.
constexpr double kLeastTheta = 0.25, kMostTheta = 4;

// Letters that stand for several amino acids, or for another one, and those amino acids.
struct Ambiguous {
  char letter;
  std::string_view amino_acids;
};
constexpr std::array<Ambiguous, 5> kAmbiguous = {
    {{'B', "ND"}, {'Z', "QE"}, {'J', "IL"}, {'U', "C"}, {'O', "K"}}};

// Calls f(code of the ambiguous letter, codes of its amino acids).
template <typename F>
void for_each_ambiguous(F f) {
  const Alphabet& alphabet = Alphabet::protein();
  for (const auto& [letter, amino_acids] : kAmbiguous) {
    std::vector<std::size_t> codes;
    for (const char amino_acid : amino_acids) codes.push_back(alphabet.encode(amino_acid));
    f(alphabet.encode(letter), codes);
  }
}

double sum_of_logs(const Vector& weights, const Vector& values) {
  double sum = 0;
  for (std::size_t i = 0; i < kLetters; ++i) sum += weights[i] * portable_log(values[i]);
  return sum;
}

}  // namespace

// The frequencies of one pair: for a theta, a and b by turns (Sinkhorn), and theta by secants.
class MatrixAdjuster::Solver {
 public:
  Solver(const MatrixAdjuster& of, const Frequencies& p, const Frequencies& r)
      : of_(of), p_(p), r_(r), powers_(static_cast<std::size_t>(of.highest_ - of.lowest_) + 1) {
    a_.fill(1);
    b_.fill(1);
  }

  // Finds theta for the wanted entropy.
  void solve(double entropy) {
    double slope = of_.slope_, before = 0, before_theta = 0;
    for (int round = 0; round < kMostRounds; ++round) {
      const double found = entropy_at(theta_), missing = entropy - found;
      if (std::abs(missing) < kTolerance) return;
      if (round > 0 && theta_ != before_theta) {
        const double secant = (found - before) / (theta_ - before_theta);
        if (secant > 0) slope = secant;
      }
      before = found;
      before_theta = theta_;
      theta_ = std::clamp(theta_ + missing / slope, std::max(kLeastTheta, theta_ / 2),
                          std::min(kMostTheta, theta_ * 2));
      if (theta_ == before_theta) return;
    }
    entropy_at(theta_);  // a and b of the last theta
  }

  double entropy_at(double theta) {
    weigh(theta);
    balance();
    double scored = 0;  // the mean of lambda s
    for (std::size_t i = 0; i < kLetters; ++i) {
      double row = 0;
      for (std::size_t j = 0; j < kLetters; ++j) row += weights_[i][j] * r_[j] * b_[j] * of_.scores_[i][j];
      scored += p_[i] * a_[i] * row;
    }
    return theta * of_.lambda_ * scored + sum_of_logs(p_, a_) + sum_of_logs(r_, b_);
  }

  double theta() const { return theta_; }
  const Vector& a() const { return a_; }
  const Vector& b() const { return b_; }

 private:
  // exp(theta lambda s_ij).
  void weigh(double theta) {
    const double step = portable_exp(theta * of_.lambda_);
    double power = portable_exp(theta * of_.lambda_ * of_.lowest_);
    for (double& of_score : powers_) {
      of_score = power;
      power *= step;
    }
    for (std::size_t i = 0; i < kLetters; ++i)
      for (std::size_t j = 0; j < kLetters; ++j)
        weights_[i][j] = powers_[static_cast<std::size_t>(of_.scores_[i][j] - of_.lowest_)];
  }

  // For weights that are symmetric: sum over j of weights_ij values_j.
  Vector times(const Vector& values) const {
    Vector sums{};
    for (std::size_t j = 0; j < kLetters; ++j)
      for (std::size_t i = 0; i < kLetters; ++i) sums[i] += weights_[j][i] * values[j];
    return sums;
  }

  static Vector product(const Vector& x, const Vector& y) {
    Vector result;
    for (std::size_t i = 0; i < kLetters; ++i) result[i] = x[i] * y[i];
    return result;
  }

  // The a and b by which q has the margins p and r.
  void balance() {
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const Vector rows = times(product(r_, b_));
      double off = 0;
      for (std::size_t i = 0; i < kLetters; ++i) {
        off = std::max(off, p_[i] * std::abs(a_[i] * rows[i] - 1));
        a_[i] = 1 / rows[i];
      }
      const Vector columns = times(product(p_, a_));
      for (std::size_t j = 0; j < kLetters; ++j) b_[j] = 1 / columns[j];
      if (off < kTolerance) return;
    }
  }

  const MatrixAdjuster& of_;
  const Frequencies &p_, &r_;
  double theta_ = 1;
  Vector a_, b_;
  std::array<Vector, kLetters> weights_;
  std::vector<double> powers_;  // by score, from the lowest
};

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
  for (std::size_t i = 0; i < kLetters; ++i)
    for (std::size_t j = 0; j < kLetters; ++j) {
      scores_[i][j] = matrix.value(static_cast<Residue>(i), static_cast<Residue>(j));
      lowest_ = std::min(lowest_, scores_[i][j]);
      highest_ = std::max(highest_, scores_[i][j]);
    }
  const Residue unknown = Alphabet::protein().encode('X');
  for (int q = 0; q < kMaxLetters; ++q)
    for (int s = 0; s < kMaxLetters; ++s)
      others_[static_cast<std::size_t>(q * kMaxLetters + s)] =
          q == unknown || s == unknown
              ? -factor_ * matrix.scale()
              : factor_ * matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
  Solver solver(*this, background_, background_);
  constexpr double kStep = 1.0 / 64;
  entropy_ = solver.entropy_at(1);
  slope_ = (solver.entropy_at(1 + kStep) - entropy_) / kStep;
  entropy_ *= kEntropyFactor;
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

PairScores MatrixAdjuster::adjusted(const Frequencies& query, const Frequencies& subject) const {
  Solver solver(*this, query, subject);
  solver.solve(entropy_);
  const double unit = factor_ / lambda_;
  Vector of_query, of_subject;
  for (std::size_t i = 0; i < kLetters; ++i) {
    of_query[i] = unit * portable_log(solver.a()[i]);
    of_subject[i] = unit * portable_log(solver.b()[i]);
  }
  std::array<std::array<double, kMaxLetters>, kMaxLetters> exact;
  for (std::size_t i = 0; i < kLetters; ++i)
    for (std::size_t j = 0; j < kLetters; ++j)
      exact[i][j] = solver.theta() * factor_ * scores_[i][j] + of_query[i] + of_subject[j];

  PairScores result = others_;
  const auto put = [&](std::size_t i, std::size_t j) {
    result[i * kMaxLetters + j] = static_cast<std::int32_t>(std::floor(exact[i][j] + 0.5));
  };
  for (std::size_t i = 0; i < kLetters; ++i)
    for (std::size_t j = 0; j < kLetters; ++j) put(i, j);
  // The mean over what a letter stands for, as often as each occurs in the sequence.
  for_each_ambiguous([&](std::size_t letter, std::span<const std::size_t> amino_acids) {
    for (std::size_t j = 0; j < kLetters; ++j) {
      double weight = 0;
      exact[letter][j] = 0;
      for (const std::size_t i : amino_acids) {
        exact[letter][j] += query[i] * exact[i][j];
        weight += query[i];
      }
      exact[letter][j] /= weight;
      put(letter, j);
    }
  });
  for_each_ambiguous([&](std::size_t letter, std::span<const std::size_t> amino_acids) {
    const auto mean = [&](std::size_t i) {
      double weight = 0;
      exact[i][letter] = 0;
      for (const std::size_t j : amino_acids) {
        exact[i][letter] += subject[j] * exact[i][j];
        weight += subject[j];
      }
      exact[i][letter] /= weight;
      put(i, letter);
    };
    for (std::size_t i = 0; i < kLetters; ++i) mean(i);
    for_each_ambiguous([&](std::size_t i, std::span<const std::size_t>) { mean(i); });
  });
  return result;
}

}  // namespace alnus::stats
