// The picture of all scores as an output of a search.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <vector>

#include "alnus/output.h"
#include "alnus/text.h"
#include "io/output_file.h"
#include "jobs/score_plot.h"
#include "jobs/search_outputs.h"

namespace alnus {

std::string score_plot_svg(const ScoreHistogram& histogram, std::span<const std::int32_t> hit_scores,
                           const Scoring& scoring, std::uint64_t queries, std::uint64_t subjects,
                           const std::string& statistics, const HitLimit& limit) {
  return io::score_plot_svg(
      jobs::score_plot_of(histogram, hit_scores, scoring, queries, subjects, statistics, limit));
}

namespace jobs {

io::ScorePlot score_plot_of(const ScoreHistogram& histogram, std::span<const std::int32_t> hit_scores,
                            const Scoring& scoring, std::uint64_t queries, std::uint64_t subjects,
                            const std::string& statistics, const HitLimit& limit) {
  io::ScorePlot plot;
  plot.title = fmt::format("{} and {}", format_count(queries, "query", "queries"),
                           format_count(subjects, "subject", "subjects"));
  if (histogram.stride > 1) plot.title += fmt::format(", of which one in {} is shown", histogram.stride);
  plot.subtitle = statistics;
  plot.x_label = fmt::format("score ({}, gap costs {})", scoring.matrix.name(), scoring.format_gaps());
  if (limit.full_queries > 0)
    plot.note = fmt::format(
        "At most {} are reported of a query (max-target-seqs); {} {} that many, and further hits may be "
        "among the other pairs.",
        format_count(limit.max_target_seqs, "hit", "hits"),
        format_count(limit.full_queries, "query", "queries"), limit.full_queries == 1 ? "has" : "have");
  plot.counts = histogram.pairs;
  plot.expected = histogram.expected;
  // Each integer score is the middle of its bin.
  plot.bin_width = 1.0 / scoring.scale;
  plot.first_bin = (histogram.lowest - 0.5) * plot.bin_width;
  // If the histogram counts only every stride-th subject, it may lack hits: each bin counts at least its
  // hits.
  std::vector<std::uint64_t> hits_in_bin(plot.counts.size());
  for (const std::int32_t score : hit_scores) {
    plot.hits.push_back(static_cast<double>(score) / scoring.scale);
    if (score < histogram.lowest) continue;
    const auto bin = static_cast<std::size_t>(score - histogram.lowest);
    if (bin >= plot.counts.size()) {
      plot.counts.resize(bin + 1);
      hits_in_bin.resize(bin + 1);
    }
    plot.counts[bin] = std::max(plot.counts[bin], ++hits_in_bin[bin]);
  }
  if (!plot.expected.empty()) plot.expected.resize(plot.counts.size());
  return plot;
}

namespace {

class ScorePlotOutput : public SearchOutput {
 public:
  explicit ScorePlotOutput(const SearchOpening& opening)
      : scores_(opening.scoring, opening.queries.size(), opening.database.size()),
        file_(opening.threads, opening.files.score_plot) {}

  void write(const SearchBatch& batch) override { scores_.add(batch); }
  void finish(SearchSummary& summary) override { file_.write(io::score_plot_svg(scores_.plot(summary))); }
  void commit() override { file_.commit(); }

 private:
  HitScores scores_;
  io::OutputFile file_;
};

}  // namespace

SearchOutputKind score_plot_output() {
  return {
      .option = "score_plot",
      .path = &SearchFiles::score_plot,
      .merged_path = &JobFiles::score_plot,
      .need = [](SearchOptions& options) { options.score_histogram = true; },
      .check = [](const SearchOpening& opening) { check_name(opening.files.score_plot, Contents::picture); },
      .open = [](const SearchOpening& opening) -> std::unique_ptr<SearchOutput> {
        return std::make_unique<ScorePlotOutput>(opening);
      }};
}

}  // namespace jobs
}  // namespace alnus
