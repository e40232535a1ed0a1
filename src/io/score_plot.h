// The picture of a search's scores, as SVG: how many pairs have which score, beside what chance would give.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alnus::io {

struct ScorePlot {
  std::string title, subtitle;        // for example what was searched; the method and its parameters
  std::string x_label;                // "score"
  std::vector<std::uint64_t> counts;  // pairs in each bin; bin i covers first_bin + [i, i + 1) * bin_width
  double first_bin = 0, bin_width = 1;
  std::vector<double> expected;     // pairs in each bin expected by chance; empty: no curve
  std::vector<double> hits;         // score of each reported hit; all hits are among the counts
  std::optional<double> threshold;  // score whose E-value is the limit up to which hits are reported
  std::string note;                 // a line below the picture; empty: none
};

// Counts are on a logarithmic axis, so that single hits can be seen beside millions of pairs. If hits lie so
// far from the other scores that these would be squeezed into less than a third of the width, the horizontal
// axis is broken, and the panel behind the break has a scale of its own. Bins that would be too narrow to see
// are merged into bars; a bar is as high as its bins together.
std::string score_plot_svg(const ScorePlot& plot);

}  // namespace alnus::io
