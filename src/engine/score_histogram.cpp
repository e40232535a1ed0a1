#include "engine/score_histogram.h"

#include <algorithm>
#include <map>

namespace alnus::engine {
namespace {

// Subjects of lengths that differ by less are alike to a picture.
constexpr std::uint32_t kAlike = 32;

std::uint32_t like(std::uint32_t length) {
  return std::max(1U, length - length % std::max(1U, length / kAlike));
}

}  // namespace

void ScoreHistogram::add(const AllScores& scores, const Resident& rows,
                         const std::vector<stats::QueryStatisticsPtr>& statistics) {
  stride = scores.stride();
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    std::map<std::uint32_t, std::uint64_t> subjects;  // how many, by length
    std::int32_t highest = 0;
    for (const auto& [score, length] : scores.of_row(row, 1)) {
      const std::int32_t counted = std::max(0, static_cast<std::int32_t>(score));
      if (pairs.size() <= static_cast<std::size_t>(counted)) pairs.resize(counted + 1);
      ++pairs[counted];
      if (length > 0) ++subjects[like(length)];
      highest = std::max(highest, counted);
    }
    const stats::QueryStatistics* of_query = statistics[rows.index(row)].get();
    if (of_query == nullptr) continue;
    expected.resize(std::max(expected.size(), pairs.size()));
    constexpr double kNegligible = 1e-12;
    for (const auto& [length, count] : subjects) {
      double at_least = 1;
      for (std::int32_t score = 0; score <= highest && at_least > kNegligible; ++score) {
        const double above = of_query->pvalue(score + 1, length);
        expected[score] += static_cast<double>(count) * (at_least - above);
        at_least = above;
      }
    }
  }
}

}  // namespace alnus::engine
