// The statistics method karlin: E-values with BLAST's length adjustment.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "stats/evalue.h"
#include "stats/find_score.h"

namespace alnus::stats {
namespace {

// Returns BLAST's length adjustment in residues, rounded as in BLAST_ComputeLengthAdjustment: the largest
// integer A not above the fixed point of
//   f(A) = beta + alpha / lambda * (ln K + ln((m - A) * (D - N * A)))
// with K * (m - A) * (D - N * A) > max(m, D), or 0 if no A fulfils this. m is the query's length; the
// database has D residues in N subjects.
std::int64_t length_adjustment(const KarlinParameters& p, double m, double D, double N) {
  const auto f = [&](double A) {
    return p.beta + p.alpha / p.lambda * (std::log(p.K) + std::log((m - A) * (D - N * A)));
  };
  const double b = m * N + D, c = m * D - std::max(m, D) / p.K;
  if (c < 0) return 0;
  double lowest = 0, highest = 2 * c / (b + std::sqrt(b * b - 4 * N * c));

  constexpr int kRounds = 20;
  double A = 0;
  for (int round = 1; round <= kRounds; ++round) {
    const double next = f(A);
    if (next >= A) {
      lowest = A;
      if (next - lowest <= 1) {
        const double up = std::ceil(lowest);
        return static_cast<std::int64_t>(up <= highest && f(up) >= up ? up : lowest);
      }
      if (lowest == highest) break;
    } else {
      highest = A;
    }
    if (lowest <= next && next <= highest) {
      A = next;
    } else {
      A = round == 1 ? highest : (lowest + highest) / 2;
    }
  }
  return static_cast<std::int64_t>(lowest);
}

class KarlinJudge final : public ScoreJudge {
 public:
  KarlinJudge(const KarlinParameters& parameters, const Scoring& scoring, std::uint64_t query_length,
              const SearchSpace& space, double worth)
      : parameters_(parameters),
        score_unit_(worth / scoring.scale),
        query_(static_cast<double>(query_length)) {
    const auto m = static_cast<double>(query_length);
    adjustment_ = length_adjustment(parameters, m, space.residues, space.sequences);
    const auto A = static_cast<double>(adjustment_);
    cells_ =
        space.cells.value_or(space.strands * (m - A) * std::max(1.0, space.residues - space.sequences * A));
  }

  Significance of(double score, std::uint64_t /*subject_length*/) const override {
    const double bits =
        (parameters_.lambda * score_unit_ * score - std::log(parameters_.K)) / std::numbers::ln2;
    return {{}, bits, evalue(score), {}, {}, {}};
  }
  double pvalue(std::int32_t score, std::uint64_t subject_length) const override {
    return -std::expm1(-evalue(score) / cells_ * query_ * static_cast<double>(subject_length));
  }
  std::int32_t lowest_score(double wanted, std::uint64_t, std::uint64_t, std::int32_t near) const override {
    return find_lowest_score([&](std::int32_t score) { return evalue(score) <= wanted; }, near);
  }

  StatisticsMethod method() const override { return StatisticsMethod::karlin; }
  std::string description() const override {
    return fmt::format("lambda {:.4g}, K {:.4g} ({}), effective search space {:.0f}", parameters_.lambda,
                       parameters_.K, parameters_.source, cells_);
  }
  std::optional<QueryStatistics::Karlin> karlin() const override {
    return QueryStatistics::Karlin{parameters_.lambda, parameters_.K, parameters_.H, cells_, adjustment_};
  }

 private:
  double evalue(double score) const {
    const double counted = parameters_.round_down ? 2 * std::floor(score / 2) : score;
    return parameters_.K * cells_ * std::exp(-parameters_.lambda * score_unit_ * counted);
  }

  const KarlinParameters parameters_;
  const double score_unit_, query_;
  std::int64_t adjustment_;
  double cells_;  // effective search space in cells, all strands together
};

}  // namespace

ScoreJudgePtr karlin_judge(const KarlinParameters& parameters, const Scoring& scoring,
                           std::uint64_t query_length, const SearchSpace& space, double worth) {
  return std::make_unique<KarlinJudge>(parameters, scoring, query_length, space, worth);
}

}  // namespace alnus::stats
