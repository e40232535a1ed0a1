#include "engine/all_scores.h"

#include <algorithm>
#include <map>

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

std::uint64_t AllScores::bytes_of_row(std::uint32_t columns) {
  return sizeof(std::int32_t) * std::min(columns, kMostSampled);
}

AllScores::AllScores(const SortedSequences& rows, const SortedSequences& columns, TopHits& hits)
    : columns_(columns),
      hits_(hits),
      stride_(std::max(1U, (columns.size() + kMostSampled - 1) / kMostSampled)),
      places_(columns.size(), kNotSampled) {
  for (Position column = columns.begin(); column < columns.end(); ++column) {
    const FileOrdinal ordinal = columns.set().file_ordinal(columns.index(column));
    if (static_cast<std::uint32_t>(ordinal) % stride_ != 0) continue;
    places_[column.value()] = static_cast<std::uint32_t>(sampled_.size());
    sampled_.push_back(column);
  }
  scores_ = std::make_unique<std::int32_t[]>(std::size_t{rows.size()} * sampled_.size());
}

void AllScores::accept(const Tile& tile, std::span<const PairResult> results) {
  for (const PairResult& result : results) keep(result.row, result.column, result.score);
  hits_.accept(tile, results);
}

void AllScores::accept_scores(const Tile& tile, const TileScores& scores) {
  std::vector<PairResult> high;
  PairResult result;
  for (result.row = tile.row_range.begin; result.row < tile.row_range.end; ++result.row) {
    const std::int32_t floor = hits_.floor(result.row);
    result.column = tile.columns_of(result.row).begin;
    high.clear();
    for (const std::int32_t score : scores.of_row(tile, result.row)) {
      keep(result.row, result.column, score);
      result.score = score;
      if (score >= floor) high.push_back(result);
      ++result.column;
    }
    hits_.accept(tile, high);
  }
}

std::vector<stats::ScoredLength> AllScores::of_row(Position row, double score_unit) const {
  std::vector<stats::ScoredLength> result;
  result.reserve(sampled_.size());
  const std::int32_t* score = &scores_[std::size_t{row.value()} * sampled_.size()];
  for (const Position column : sampled_)
    result.push_back({score_unit * *score++, static_cast<std::uint32_t>(columns_.length(column))});
  return result;
}

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
