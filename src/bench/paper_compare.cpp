#include "bench/paper_compare.h"

namespace alnus::bench {

bool is_time(const std::string& unit) { return unit == "s" || unit == "ms" || unit == "ms/pair"; }
bool is_ratio(const std::string& unit) { return !is_time(unit) && unit != "MCUPS" && unit != "GCUPS"; }

Compared::Compared(const PaperFigures& figures, const PaperSeries& series, const PaperCell& cell)
    : method(figures.of(series.method, cell.task)),
      method_ratio_of(figures.of(series.method, cell.ratio_of)),
      alnus(figures.of(kAlnus, cell.task)),
      alnus_ratio_of(figures.of(kAlnus, cell.ratio_of)) {}

std::optional<double> Compared::times_method() const {
  if (method == nullptr || alnus == nullptr) return std::nullopt;
  return method->seconds() / alnus->seconds();
}

std::optional<double> value_in(const std::string& unit, const PaperFigure* figure,
                               const PaperFigure* ratio_of) {
  if (figure == nullptr) return std::nullopt;
  const double seconds = figure->seconds();
  const auto cells = static_cast<double>(figure->measured.cells);
  if (unit == "s") return seconds;
  if (unit == "ms") return seconds * 1e3;
  if (unit == "ms/pair") return seconds * 1e3 / static_cast<double>(figure->pairs);
  if (unit == "MCUPS") return cells / seconds / 0x1p20;  // 2^20 as in SW-CUDA's paper; no other has MCUPS
  if (unit == "GCUPS") return cells / seconds / 1e9;
  if (ratio_of == nullptr) return std::nullopt;
  return ratio_of->seconds() / seconds;
}

std::optional<double> times_paper(const PaperSeries& series, const PaperCell& cell,
                                  const PaperFigure* figure) {
  for (std::size_t i = series.units.size(); i-- > 0;) {
    const std::string& unit = series.units[i];
    const std::optional<double> paper = printed_value(cell.printed[i]);
    const std::optional<double> here = value_in(unit, figure, nullptr);
    if (is_ratio(unit) || !paper || !here) continue;
    if (!is_time(unit)) return *here / *paper;
    return *paper / *here * (unit == "ms/pair" ? 1 : figure->part);
  }
  return std::nullopt;
}

}  // namespace alnus::bench
