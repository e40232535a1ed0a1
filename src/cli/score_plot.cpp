#include "cli/score_plot.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/statistics.h"
#include "cli/units.h"
#include "io/score_plot.h"

namespace alnus::cli {

void ScorePlot::add(std::span<const io::Hit> hits) {
  for (const io::Hit& hit : hits) hits_.push_back(hit.alignment.score);
}

void ScorePlot::finish(const Inputs& inputs, const Scoring& scoring,
                       const engine::StatisticsOptions& statistics, const engine::ScoreHistogram& histogram) {
  io::ScorePlot plot;
  plot.title = fmt::format("{} and {}", format_count(inputs.queries.size(), "query", "queries"),
                           format_count(inputs.subjects.size(), "subject", "subjects"));
  if (histogram.stride > 1) plot.title += fmt::format(", of which one in {} is shown", histogram.stride);
  plot.subtitle = describe_statistics(statistics);
  plot.x_label = fmt::format("score ({}, gap costs {})", scoring.matrix.name(), scoring.format_gaps());
  plot.counts = histogram.pairs;
  plot.expected = histogram.expected;
  // Integers are the middles of their bins.
  plot.bin_width = 1.0 / scoring.scale;
  plot.first_bin = (histogram.lowest - 0.5) * plot.bin_width;
  // All hits are among the pairs that are shown, if not all of these are.
  std::vector<std::uint64_t> hits_in_bin(plot.counts.size());
  for (const double score : hits_) {
    plot.hits.push_back(score / scoring.scale);
    if (score < histogram.lowest) continue;
    const auto bin = static_cast<std::size_t>(score - histogram.lowest);
    if (bin >= plot.counts.size()) {
      plot.counts.resize(bin + 1);
      hits_in_bin.resize(bin + 1);
    }
    plot.counts[bin] = std::max(plot.counts[bin], ++hits_in_bin[bin]);
  }
  if (!plot.expected.empty()) plot.expected.resize(plot.counts.size());
  out_.write(io::score_plot_svg(plot));
  out_.commit();
}

}  // namespace alnus::cli
