// The figures of the papers beside those measured here, in the papers' units.
#pragma once

#include <optional>
#include <string>

#include "cli/paper_measure.h"

namespace alnus::cli {

// A time, by which less is better: s, ms, ms/pair.
bool is_time(const std::string& unit);
// A time divided by another: "speedup", "BT share". No time and no speed.
bool is_ratio(const std::string& unit);

// What was measured of one cell of a table; null: nothing.
struct Compared {
  const PaperFigure *method = nullptr, *method_ratio_of = nullptr;
  const PaperFigure *alnus = nullptr, *alnus_ratio_of = nullptr;

  Compared(const PaperFigures& figures, const PaperSeries& series, const PaperCell& cell);
  std::optional<double> times_method() const;  // how many times as fast alnus is as the method
};

// `ratio_of`: whose time is divided by the figure's.
std::optional<double> value_in(const std::string& unit, const PaperFigure* figure,
                               const PaperFigure* ratio_of);

// How many times as fast as the paper says it is here, by the last unit that is no ratio.
std::optional<double> times_paper(const PaperSeries& series, const PaperCell& cell,
                                  const PaperFigure* figure);

}  // namespace alnus::cli
