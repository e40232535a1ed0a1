#include "stats/evalue.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace alnus::stats {
namespace {

// BLAST's length adjustment, as BLAST_ComputeLengthAdjustment has it, rounding included: the largest
// integer A not above the fixed point of
//   f(A) = beta + alpha / lambda * (ln K + ln((m - A) * (D - N * A)))
// with K * (m - A) * (D - N * A) > max(m, D). m: query length; D residues in N subjects.
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

}  // namespace

double QueryStatistics::bits(std::int32_t score) const {
  return (parameters.lambda * score_unit * score - std::log(parameters.K)) / std::numbers::ln2;
}

double QueryStatistics::evalue(std::int32_t score) const {
  const std::int32_t counted = parameters.round_down ? score & ~1 : score;
  return parameters.K * search_space * std::exp(-parameters.lambda * score_unit * counted);
}

std::int32_t QueryStatistics::lowest_score(double wanted) const {
  std::int32_t low = 0, high = std::numeric_limits<std::int32_t>::max();
  while (low < high) {
    const std::int32_t middle = low + (high - low) / 2;
    if (evalue(middle) <= wanted) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

QueryStatistics query_statistics(const KarlinParameters& parameters, const Scoring& scoring,
                                 std::uint64_t query_length, std::uint64_t database_residues,
                                 std::uint64_t database_sequences) {
  QueryStatistics result;
  result.parameters = parameters;
  result.score_unit = 1.0 / scoring.scale;
  const auto m = static_cast<double>(query_length);
  const auto D = static_cast<double>(database_residues), N = static_cast<double>(database_sequences);
  result.length_adjustment = length_adjustment(parameters, m, D, N);
  const auto A = static_cast<double>(result.length_adjustment);
  result.effective_query = m - A;
  result.effective_database = std::max(1.0, D - N * A);
  result.search_space = result.effective_query * result.effective_database;
  return result;
}

std::vector<std::optional<QueryStatistics>> statistics_of(const SequenceSet& queries,
                                                          const SequenceSet& database,
                                                          const Scoring& scoring) {
  std::vector<std::optional<QueryStatistics>> result(queries.size());
  const std::optional<KarlinParameters> parameters = published_parameters(scoring);
  if (!parameters || database.total_residues() == 0) return result;
  for (SequenceSet::Index query = 0; query < queries.size(); ++query)
    if (queries.length(query) > 0)
      result[query] = query_statistics(*parameters, scoring, queries.length(query), database.total_residues(),
                                       database.size());
  return result;
}

}  // namespace alnus::stats
