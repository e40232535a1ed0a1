// The statistics method spouge: E-values with the finite-size correction of each pair (Park, Sheetlin, Ma,
// Madden & Spouge 2012), in the form that blastp computes (finite_size_area in gumbel.h).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "stats/evalue.h"
#include "stats/find_score.h"

namespace alnus::stats {
namespace {

class SpougeJudge final : public ScoreJudge {
 public:
  SpougeJudge(const KarlinParameters& parameters, const Scoring& scoring, std::uint64_t query_length,
              const SearchSpace& space, double worth)
      : parameters_(parameters),
        score_unit_(worth / scoring.scale),
        first_gap_(static_cast<double>(scoring.open + scoring.extend) / scoring.scale),
        query_(static_cast<double>(query_length)),
        residues_(space.cells ? *space.cells / query_ : space.strands * space.residues),
        as_blast_prints_(karlin_judge(parameters, scoring, query_length, space, worth)) {
    // blastp derives this beta. The beta of the tables is rounded, and is for the length adjustment.
    parameters_.beta = 2 * first_gap_ * (parameters.alpha_ungapped - parameters.alpha);
  }

  Significance of(double score, std::uint64_t subject_length) const override {
    const double y = score_unit_ * score;
    const double bits = (parameters_.lambda * y - std::log(parameters_.K)) / std::numbers::ln2;
    return {{}, bits, evalue(score, static_cast<double>(subject_length)), {}, {}, {}};
  }
  double pvalue(std::int32_t score, std::uint64_t subject_length) const override {
    const auto subject = static_cast<double>(subject_length);
    return -std::expm1(-evalue(score, subject) * subject / residues_);
  }

  std::int32_t lowest_score(double wanted, std::uint64_t shortest, std::uint64_t longest,
                            std::int32_t near) const override {
    // The E-value of a score may rise or fall with the subject's length, and changes slowly. Only some
    // lengths are tried, about 1/kStep of the length apart; between two of them the E-value may be lower than
    // at both, but by less than the factor kMargin.
    constexpr std::uint64_t kStep = 40;
    constexpr double kMargin = 1.05;
    std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
    const auto try_length = [&](std::uint64_t length) {
      const auto suffices = [&](std::int32_t score) {
        return evalue(score, static_cast<double>(length)) <= kMargin * wanted;
      };
      if (lowest > 0 && suffices(lowest - 1)) lowest = find_lowest_score(suffices, near);
    };
    for (std::uint64_t length = std::max<std::uint64_t>(1, shortest); length < longest;
         length += 1 + length / kStep)
      try_length(length);
    try_length(std::max<std::uint64_t>(1, longest));
    return lowest;
  }

  StatisticsMethod method() const override { return StatisticsMethod::spouge; }
  std::string description() const override {
    return fmt::format(
        "lambda {:.4g}, K {:.4g}, alpha {:.4g}, alpha_v {:.4g}, sigma {:.4g} ({}), {:.0f} residues",
        parameters_.lambda, parameters_.K, parameters_.alpha, parameters_.alpha_v, parameters_.sigma,
        parameters_.source, residues_);
  }
  std::optional<QueryStatistics::Karlin> karlin() const override { return as_blast_prints_->karlin(); }

 private:
  // Returns the E-value of a pair in a search of residues_ / subject such pairs.
  double evalue(double score, double subject) const {
    const double y = score_unit_ * score;
    const double area = finite_size_area(parameters_, first_gap_, y, query_, subject);
    return parameters_.K * area * std::exp(-parameters_.lambda * y) * residues_ / subject;
  }

  KarlinParameters parameters_;
  const double score_unit_, first_gap_, query_;
  const double residues_;  // of the database, once for each strand; or space.cells / query length
  const ScoreJudgePtr as_blast_prints_;
};

}  // namespace

ScoreJudgePtr spouge_judge(const KarlinParameters& parameters, const Scoring& scoring,
                           std::uint64_t query_length, const SearchSpace& space, double worth) {
  return std::make_unique<SpougeJudge>(parameters, scoring, query_length, space, worth);
}

}  // namespace alnus::stats
