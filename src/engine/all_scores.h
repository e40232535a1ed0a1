// The scores of all pairs of a search, for regression statistics and histograms.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "alnus/search.h"
#include "core/stop_flag.h"
#include "engine/top_hits.h"
#include "stats/evalue.h"
#include "stats/regression.h"

namespace alnus::engine {

// A sink that keeps each row's scores with at most kMostSampled columns, spread evenly over the file, and
// hands every pair that may be a hit on to TopHits. Scores must be exact, not bounds.
class AllScores : public Sink {
 public:
  static constexpr std::uint32_t kMostSampled = 60'000;  // as many as ssearch36 looks at
  // Bytes that the object takes for each row.
  static std::uint64_t bytes_of_row(std::uint32_t columns);

  AllScores(const SortedSequences& rows, const SortedSequences& columns, TopHits& hits);

  void accept(const Tile& tile, std::span<const PairResult> results) override;
  void accept_scores(const Tile& tile, const TileScores& scores) override;

  // After the run: the row's scores with the sampled columns, each times `score_unit`, and the lengths of
  // these columns.
  std::vector<stats::ScoredLength> of_row(Position row, double score_unit) const;
  // Number of columns that each sampled column stands for.
  std::uint32_t stride() const { return stride_; }

 private:
  void keep(Position row, Position column, std::int32_t score) {
    const std::uint32_t place = places_[column.value()];
    if (place != kNotSampled) scores_[std::size_t{row.value()} * sampled_.size() + place] = score;
  }

  static constexpr std::uint32_t kNotSampled = UINT32_MAX;
  const SortedSequences& columns_;
  TopHits& hits_;
  const std::uint32_t stride_;
  std::vector<std::uint32_t> places_;  // by column: its place, or kNotSampled
  std::vector<Position> sampled_;      // columns, by place
  std::unique_ptr<std::int32_t[]> scores_;
};

// Adds the scores of all rows to the histogram: how often each score occurs, and how often it would among
// unrelated sequences. `statistics`: the judge of each row's scores, by index; null: nothing judges them, and
// they add nothing to the expected counts. Throws Interrupted when `stop` is requested.
void add(const AllScores& scores, const SortedSequences& rows,
         const std::vector<stats::ScoreJudgePtr>& statistics, const StopFlag& stop,
         ScoreHistogram& histogram);

}  // namespace alnus::engine
