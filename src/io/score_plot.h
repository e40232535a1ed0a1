// The picture of a search's scores, as SVG: how many pairs have which score, beside what chance would give.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alnus::io {

struct ScorePlot {
  std::string title, subtitle;        // such as what was searched; the method and its parameters
  std::string x_label;                // "score"
  std::vector<std::uint64_t> counts;  // pairs in each bin; bin i covers first_bin + [i, i + 1) * bin_width
  double first_bin = 0, bin_width = 1;
  std::vector<double> expected;     // pairs in each bin by the fitted distribution; empty: no curve
  std::vector<double> hits;         // where each reported hit lies; all are among the counts
  std::optional<double> threshold;  // where the limit of E-values lies
};

// Counts are on a logarithmic axis, so that single hits show beside millions of pairs. Where hits lie so far
// from the rest that it would be squeezed into less than a third, the horizontal axis is broken, and what is
// behind the break has a scale of its own. Bins are merged where they would be too narrow to see; one bar is
// then as high as its bins together.
std::string score_plot_svg(const ScorePlot& plot);

}  // namespace alnus::io
