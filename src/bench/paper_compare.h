// Compares the figures of the papers with those measured here, in the papers' units.
#pragma once

#include <optional>
#include <string>

#include "bench/paper_measure.h"

namespace alnus::bench {

// True for units of time (s, ms, ms/pair), where less is better.
bool is_time(const std::string& unit);
// True for quotients of two times: "speedup", "BT share".
bool is_ratio(const std::string& unit);

// The measurements that belong to one cell of a table; null where nothing was measured.
struct Compared {
  const PaperFigure *method = nullptr, *method_ratio_of = nullptr;
  const PaperFigure *alnus = nullptr, *alnus_ratio_of = nullptr;

  Compared(const PaperFigures& figures, const PaperSeries& series, const PaperCell& cell);
  std::optional<double> times_method() const;  // how many times as fast alnus is as the method
};

// The figure in a unit. A ratio is the time of `ratio_of` divided by the time of `figure`.
std::optional<double> value_in(const std::string& unit, const PaperFigure* figure,
                               const PaperFigure* ratio_of);

// Speed here, divided by the speed that the paper printed in the last unit that is no ratio.
std::optional<double> times_paper(const PaperSeries& series, const PaperCell& cell,
                                  const PaperFigure* figure);

}  // namespace alnus::bench
