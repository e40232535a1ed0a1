#include "engine/score_histogram.h"

#include <algorithm>
#include <map>

#include "alnus/error.h"

namespace alnus::engine {
namespace {

// Subjects whose lengths differ by less than a fraction 1/kAlike are counted as of one length, which suffices
// for a histogram.
constexpr std::uint32_t kAlike = 32;

std::uint32_t like(std::uint32_t length) {
  return std::max(1U, length - length % std::max(1U, length / kAlike));
}

// Extends the histogram so that it covers the score.
void cover(std::int32_t score, ScoreHistogram& histogram) {
  auto& [lowest, pairs, expected, stride] = histogram;
  if (pairs.empty()) lowest = score;
  if (score < lowest) {
    pairs.insert(pairs.begin(), lowest - score, 0);
    if (!expected.empty()) expected.insert(expected.begin(), lowest - score, 0);
    lowest = score;
  }
  if (pairs.size() <= static_cast<std::size_t>(score - lowest)) pairs.resize(score - lowest + 1);
}

}  // namespace

void add(const AllScores& scores, const SortedSequences& rows,
         const std::vector<stats::ScoreJudgePtr>& statistics, const StopFlag& stop,
         ScoreHistogram& histogram) {
  auto& [lowest, pairs, expected, stride] = histogram;
  stride = scores.stride();
  for (Position row = rows.begin(); row < rows.end(); ++row) {
    stop.throw_if_requested();
    std::map<std::uint32_t, std::uint64_t> subjects;  // number of subjects, by like(length)
    std::int32_t highest = 0;
    for (const auto& [exact, length] : scores.of_row(row, 1)) {
      const auto score = static_cast<std::int32_t>(exact);
      cover(score, histogram);
      ++pairs[score - lowest];
      if (length > 0) ++subjects[like(length)];
      highest = std::max(highest, score);
    }
    const stats::ScoreJudge* of_query = statistics[rows.index(row)].get();
    if (of_query == nullptr) continue;
    cover(0, histogram);
    expected.resize(pairs.size());
    constexpr double kNegligible = 1e-12;
    for (const auto& [length, count] : subjects) {
      double at_least = 1;
      for (std::int32_t score = 0; score <= highest && at_least > kNegligible; ++score) {
        const double above = of_query->pvalue(score + 1, length);
        expected[score - lowest] += static_cast<double>(count) * (at_least - above);
        at_least = above;
      }
    }
  }
  if (!expected.empty()) expected.resize(pairs.size());
}

}  // namespace alnus::engine
