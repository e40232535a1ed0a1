#include "io/html_report/heat_map.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "alnus/text.h"
#include "core/pair_value.h"

namespace alnus::io {
namespace {

constexpr std::uint8_t kUnknownCell = 255;
constexpr double kCellSteps = 200;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct ValueWords {
  std::string_view values, unit;
};
ValueWords words_for(PairValue value) {
  switch (value) {
    case PairValue::score:
      return {"Scores", "score"};
    case PairValue::identity:
      return {"Identities", "% identity"};
    case PairValue::distance:
      return {"Distances", "distance"};
    case PairValue::score_distance:
      break;
  }
  return {"Score distances", "score distance"};
}

constexpr std::int64_t kFractionBins = 20;  // of identities and distances

// The bin of a fraction. The last one has 100% and a distance of 1, too. The bounds of bins, such as 0.7F,
// are in the bin that they begin: multiples of 1/20 are exact again once they are multiplied by 20.
std::size_t bin_of_fraction(PairValue kind, float value) {
  const float bin = std::floor(kind == PairValue::identity ? value / 5.0F : value * 20.0F);
  return static_cast<std::size_t>(std::clamp(bin, 0.0F, static_cast<float>(kFractionBins - 1)));
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// How many of a side's sequences share a row or a column.
SequenceSet::Index group_of(SequenceSet::Index sequences, const HeatMap::Shape& shape) {
  if (std::max(shape.rows, shape.columns) <= HeatMap::kMostOrdered) return 1;
  return std::max<SequenceSet::Index>(1, (sequences + HeatMap::kMostTiles - 1) / HeatMap::kMostTiles);
}

// The number that readers see for a bound of scores: 10.1 for 10.1F, which is another number in binary. It is
// 0 for an infinite bound, if no value is known.
double shown(float bound) {
  if (std::isinf(bound)) return 0;
  const std::string text = fmt::format("{}", bound);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

ValueCounts::ValueCounts(PairValue value) : value_(value) {
  if (!is_of_scores(value)) counts_.resize(kFractionBins);
}

void ValueCounts::add(float value) {
  if (is_of_scores(value_))
    add_score(value);
  else
    ++counts_[bin_of_fraction(value_, value)];
}

void ValueCounts::add_score(float score) {
  constexpr float kFarthest = 1e15F;  // beyond all scores; a damaged part of a job may have more
  const auto whole = static_cast<std::int64_t>(std::clamp(std::floor(score), -kFarthest, kFarthest));
  if (counts_.empty()) first_ = whole;
  std::int64_t bin = 0, first = 0, end = 0;
  for (;; widen()) {
    bin = width_ == 1 ? whole : floor_divided(whole, width_);
    first = std::min(first_, bin);
    end = std::max(first_ + static_cast<std::int64_t>(counts_.size()), bin + 1);
    if (end - first <= kMostBins) break;
  }
  if (first < first_) counts_.insert(counts_.begin(), static_cast<std::size_t>(first_ - first), 0);
  first_ = first;
  counts_.resize(static_cast<std::size_t>(end - first));
  ++counts_[static_cast<std::size_t>(bin - first)];
}

// Joins bins to bins that are ten times as wide.
void ValueCounts::widen() {
  const std::vector<std::uint64_t> narrow = std::move(counts_);
  const std::int64_t first = floor_divided(first_, 10);
  counts_.clear();
  for (std::size_t k = 0; k < narrow.size(); ++k) {
    const std::int64_t bin = floor_divided(first_ + static_cast<std::int64_t>(k), 10);
    counts_.resize(static_cast<std::size_t>(bin - first + 1));
    counts_.back() += narrow[k];
  }
  first_ = first;
  width_ *= 10;
}

// The lowest of 1, 2, 5, 10, 20, ... that makes at most 25 bars. It is a multiple of width_, since bins
// become wider only when there are many more than 25 of five times as wide ones.
std::int64_t ValueCounts::width_of_bars() const {
  constexpr std::int64_t kMostBars = 25;
  static_assert(kMostBins / 5 > kMostBars);
  const std::int64_t last = first_ + static_cast<std::int64_t>(counts_.size()) - 1;
  for (std::int64_t power = 1;; power *= 10)
    for (const std::int64_t bins : {power, 2 * power, 5 * power})
      if (floor_divided(last, bins) - floor_divided(first_, bins) < kMostBars) return bins * width_;
}

ReportSection ValueCounts::bars() const {
  ReportSection section{.kind = ReportSection::Kind::bars, .title = "Histogram"};
  section.label = words_for(value_).unit;
  section.unit = "pairs";
  const std::int64_t width = is_of_scores(value_) ? width_of_bars() : 1;
  const std::int64_t first = floor_divided(first_ * width_, width);
  std::vector<std::uint64_t> sums;
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    const std::int64_t bar = floor_divided((first_ + static_cast<std::int64_t>(k)) * width_, width);
    sums.resize(static_cast<std::size_t>(bar - first + 1));
    sums.back() += counts_[k];
    all += counts_[k];
  }
  const auto bound = [&](std::int64_t bar) {
    if (value_ == PairValue::identity) return fmt::format("{}%", 5 * bar);
    if (value_ == PairValue::distance) return fmt::format("{:.2f}", static_cast<double>(bar) / kFractionBins);
    return fmt::format("{}", bar * width);
  };
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const std::int64_t bar = first + static_cast<std::int64_t>(k);
    const std::string share =
        sums[k] == 0 ? ""
                     : fmt::format("{:.2f}%", 100 * static_cast<double>(sums[k]) / static_cast<double>(all));
    section.bars.push_back({fmt::format("{} to {}", bound(bar), bound(bar + 1)), sums[k], share});
  }
  return section;
}

HeatMap::HeatMap(PairValue value, const Shape& shape)
    : value_(value),
      shape_(shape),
      group_(group_of(shape.rows, shape)),
      column_group_(group_of(shape.columns, shape)),
      rows_((shape.rows + group_ - 1) / group_),
      columns_((shape.columns + column_group_ - 1) / column_group_),
      lowest_(std::numeric_limits<float>::infinity()),
      highest_(-lowest_),
      counts_(value) {
  const std::size_t cells = shape_.one_set ? rows_ * (rows_ + 1) / 2 : rows_ * columns_;
  if (is_tiled())
    tiles_.resize(cells);
  else
    values_.assign(cells, std::numeric_limits<float>::quiet_NaN());
}

bool HeatMap::high_is_alike() const { return !is_distance(value_); }

// The cell of a row and a column; of a triangle the column is not above the row.
std::size_t HeatMap::place(std::size_t row, std::size_t column) const {
  return shape_.one_set ? row * (row + 1) / 2 + column : row * columns_ + column;
}

void HeatMap::add(const ValueStripe& stripe) {
  for (SequenceSet::Index row = stripe.rows.begin; row < stripe.rows.end; ++row) {
    const std::span<const double> values = stripe.row(row);
    const SequenceSet::Index all = shape_.one_set ? row + (shape_.self ? 1 : 0) : shape_.columns;
    const SequenceSet::Index first = stripe.columns.begin, end = std::min(all, stripe.columns.end);
    for (SequenceSet::Index column = first; column < end; ++column)
      add(row, column, static_cast<float>(values[column - first]));
  }
}

void HeatMap::add(SequenceSet::Index row, SequenceSet::Index column, float value) {
  if (!std::isfinite(value)) return;
  if (value_ == PairValue::score_distance && value >= static_cast<float>(kLargestScoreDistance)) return;
  if (!is_tiled()) values_[place(row, column)] = value;
  if (shape_.one_set && row == column) return;
  lowest_ = std::min(lowest_, value);
  highest_ = std::max(highest_, value);
  counts_.add(value);
  if (!is_tiled()) return;
  Tile& tile = tiles_[place(row / group_, column / column_group_)];
  if (tile.pairs == 0 || (high_is_alike() ? value > tile.best : value < tile.best)) tile.best = value;
  ++tile.pairs;
  tile.sum += double{value};
}

std::vector<float> HeatMap::distances() const {
  std::vector<float> distances;
  distances.reserve(rows_ * (rows_ - std::min<std::size_t>(rows_, 1)) / 2);
  // Pairs whose value is not known are farther from each other than all others.
  const float farthest = std::max(0.0F, highest_ - lowest_) + 1;
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t column = 0; column < row; ++column) {
      const float value = values_[place(row, column)];
      const float distance = high_is_alike() ? highest_ - value : value - lowest_;
      distances.push_back(std::isnan(value) ? farthest : distance);
    }
  return distances;
}

HeatMap::Scale HeatMap::scale() const {
  if (is_of_scores(value_)) return {shown(lowest_), shown(highest_)};
  return {0, value_ == PairValue::identity ? 100.0 : 1.0};
}

std::uint8_t HeatMap::Scale::cell(double value) const {
  if (std::isnan(value)) return kUnknownCell;
  const double step = high > low ? std::floor(kCellSteps * (value - low) / (high - low) + 0.5) : 0;
  return static_cast<std::uint8_t>(std::clamp(step, 0.0, kCellSteps));
}

std::string HeatMap::bytes(const Scale& scale, const std::vector<std::uint32_t>& order, bool mean) const {
  std::string cells;
  cells.reserve(std::max(values_.size(), tiles_.size()));
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = shape_.one_set ? i : 0; j < columns_; ++j) {
      const std::size_t a = order.empty() ? i : order[i], b = order.empty() ? j : order[j];
      const std::size_t at = shape_.one_set ? place(std::max(a, b), std::min(a, b)) : place(a, b);
      double value = kUnknown;
      if (!is_tiled())
        value = values_[at];
      else if (const Tile& tile = tiles_[at]; tile.pairs > 0)
        value = mean ? tile.sum / tile.pairs : tile.best;
      cells += static_cast<char>(scale.cell(value));
    }
  return cells;
}

ReportMatrix HeatMap::finish(const std::vector<std::uint32_t>& order) const {
  using Json = nlohmann::ordered_json;
  const ValueWords words = words_for(value_);
  const ReportSection histogram = counts_.bars();
  const Scale scale = this->scale();
  Json bars = Json::array();
  for (const ReportSection::Bar& bar : histogram.bars)
    bars.push_back(Json::array({bar.label, bar.number, bar.more}));
  Json json = {
      {"title", shape_.one_set ? fmt::format("{} of {}", words.values,
                                             format_count(shape_.rows, "sequence", "sequences"))
                               : fmt::format("{} of {} and {}", words.values, format_count(shape_.rows),
                                             format_count(shape_.columns, "sequence", "sequences"))},
      {"unit", words.unit},
      {"low", scale.low},
      {"high", scale.high},
      {"alike", high_is_alike() ? "high" : "low"},
      {"sequences", shape_.rows},
      {"group", group_},
      {"column_group", column_group_},
      {"rows", rows_},
      {"columns", columns_},
      {"triangle", shape_.one_set}};
  if (!order.empty()) json["order"] = order;
  json["histogram"] = {{"label", histogram.label}, {"unit", histogram.unit}, {"rows", std::move(bars)}};
  return {json.dump(), bytes(scale, order, false), is_tiled() ? bytes(scale, order, true) : std::string()};
}

}  // namespace alnus::io
