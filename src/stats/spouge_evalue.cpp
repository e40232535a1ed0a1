// E-values with the finite-size correction of each pair: Park, Sheetlin, Ma, Madden & Spouge, "New
// finite-size correction for local alignment score distributions" (2012), equations 5 to 8, with the
// constants that blastp derives (gbp of blast_stat).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "stats/evalue.h"
#include "stats/find_score.h"

namespace alnus::stats {
namespace {

class SpougeStatistics final : public QueryStatistics {
 public:
  SpougeStatistics(const KarlinParameters& parameters, const Scoring& scoring, std::uint64_t query_length,
                   const SearchSpace& space)
      : parameters_(parameters),
        score_unit_(1.0 / scoring.scale),
        query_(static_cast<double>(query_length)),
        residues_(space.cells ? *space.cells / query_ : space.residues),
        as_blast_prints_(karlin_statistics(parameters, scoring, query_length, space)) {
    const double gap = 2 * score_unit_ * (scoring.open + scoring.extend);
    beta_ = gap * (parameters.ungapped_alpha - parameters.alpha);
    beta_v_ = gap * (parameters.ungapped_alpha_v - parameters.alpha_v);
    tau_ = gap * (parameters.ungapped_alpha_v - parameters.sigma);
  }

  Significance of(std::int32_t score, std::uint64_t subject_length) const override {
    const double y = score_unit_ * score;
    const double bits = (parameters_.lambda * y - std::log(parameters_.K)) / std::numbers::ln2;
    return {bits, evalue(score, static_cast<double>(subject_length)), {}, {}, {}};
  }
  double pvalue(std::int32_t score, std::uint64_t subject_length) const override {
    const auto subject = static_cast<double>(subject_length);
    return -std::expm1(-evalue(score, subject) * subject / residues_);
  }

  std::int32_t lowest_score(double wanted, std::uint64_t shortest, std::uint64_t longest) const override {
    // The E-value of a score moves with the length, either way; between two steps by less than the margin.
    constexpr double kStep = 1.05, kMargin = 2;
    const auto first = static_cast<double>(std::max<std::uint64_t>(1, shortest));
    const auto last = static_cast<double>(std::max<std::uint64_t>(1, longest));
    const auto any_subject = [&](std::int32_t score) {
      for (double length = first; length < last; length = std::ceil(length * kStep))
        if (evalue(score, length) <= kMargin * wanted) return true;
      return evalue(score, last) <= kMargin * wanted;
    };
    return find_lowest_score(any_subject);
  }

  Method method() const override { return Method::spouge; }
  std::string description() const override {
    return fmt::format(
        "lambda {:.4g}, K {:.4g}, alpha {:.4g}, alpha_v {:.4g}, sigma {:.4g} ({}), {:.0f} residues",
        parameters_.lambda, parameters_.K, parameters_.alpha, parameters_.alpha_v, parameters_.sigma,
        parameters_.source, residues_);
  }
  std::optional<Karlin> karlin() const override { return as_blast_prints_->karlin(); }

 private:
  // Expected number of pairs of positions at which alignments with this score can end (the area), times their
  // density; the database counts as residues_ / subject pairs like this one.
  double evalue(std::int32_t score, double subject) const {
    const double y = score_unit_ * score, lambda = parameters_.lambda;
    const double length = parameters_.alpha * y + beta_;  // that the alignment takes of either sequence
    const double variance = std::max(2 * parameters_.alpha_v / lambda, parameters_.alpha_v * y + beta_v_);
    const double covariance = std::max(2 * parameters_.sigma / lambda, parameters_.sigma * y + tau_);
    const double deviation = std::sqrt(variance);
    struct Room {
      double probability, expected;  // that there is any, and how much
    };
    const auto room = [&](double sequence) -> Room {
      const double left = sequence - length, f = left / deviation;
      const double probability = std::erfc(-f / std::numbers::sqrt2) / 2;
      const double density = std::exp(-f * f / 2) / std::sqrt(2 * std::numbers::pi);
      return {probability, left * probability + deviation * density};
    };
    const Room in_query = room(query_), in_subject = room(subject);
    const double area =
        in_query.expected * in_subject.expected + covariance * in_query.probability * in_subject.probability;
    return parameters_.K * area * std::exp(-lambda * y) * residues_ / subject;
  }

  const KarlinParameters parameters_;
  const double score_unit_, query_, residues_;
  const QueryStatisticsPtr as_blast_prints_;
  double beta_, beta_v_, tau_;
};

}  // namespace

QueryStatisticsPtr spouge_statistics(const KarlinParameters& parameters, const Scoring& scoring,
                                     std::uint64_t query_length, const SearchSpace& space) {
  return std::make_unique<SpougeStatistics>(parameters, scoring, query_length, space);
}

}  // namespace alnus::stats
