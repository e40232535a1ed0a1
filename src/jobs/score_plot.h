// The picture of a search's scores, from its histogram and its hits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/search.h"
#include "io/score_plot.h"

namespace alnus::jobs {

// What score_plot_svg() of alnus/output.h draws.
io::ScorePlot score_plot_of(const ScoreHistogram& histogram, std::span<const std::int32_t> hit_scores,
                            const Scoring& scoring, std::uint64_t queries, std::uint64_t subjects,
                            const std::string& statistics, const HitLimit& limit);

// Collects the scores of hits.
class HitScores {
 public:
  HitScores(Scoring scoring, std::uint64_t queries, std::uint64_t subjects)
      : scoring_(std::move(scoring)), queries_(queries), subjects_(subjects) {}

  void add(const SearchBatch& batch) {
    for (std::size_t row = 0; row < batch.rows.size(); ++row)
      if (batch.rows.hsp.empty() || batch.rows.hsp[row] == 1) scores_.push_back(batch.rows.score[row]);
  }
  io::ScorePlot plot(const SearchSummary& summary) const {
    return score_plot_of(summary.histogram, scores_, scoring_, queries_, subjects_, summary.statistics,
                         summary.limit);
  }

 private:
  const Scoring scoring_;
  const std::uint64_t queries_, subjects_;
  std::vector<std::int32_t> scores_;  // of all hits, each by its first alignment
};

}  // namespace alnus::jobs
