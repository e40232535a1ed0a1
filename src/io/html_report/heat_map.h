// The heat map of an HTML report: the values of all pairs as bytes, in the order of average linkage or as
// tiles of several sequences (docs/report-format.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alnus/output.h"
#include "alnus/results.h"
#include "io/html_report/html_report.h"

namespace alnus::io {

// Counts values in bins of equal width, for bars of a histogram.
class ValueCounts {
 public:
  explicit ValueCounts(PairValue value);
  void add(float value);
  // 20 bars of identities and distances; up to 25 of scores, as wide as 1, 2 or 5 times a power of ten. They
  // do not depend on the order of the values.
  ReportSection bars() const;

 private:
  static constexpr std::int64_t kMostBins = 4096;
  void add_score(float score);
  void widen();
  std::int64_t width_of_bars() const;

  const PairValue value_;
  std::int64_t width_ = 1;  // of a bin of scores: a power of ten. Bin b has the scores from b * width_ on
  std::int64_t first_ = 0;  // the bin of counts_[0]
  std::vector<std::uint64_t> counts_;  // at most kMostBins, of which the first and the last are above 0
};

class HeatMap {
 public:
  // One set has a triangle, in which `self` says that sequences are paired with themselves. Two sets have a
  // rectangle.
  struct Shape {
    SequenceSet::Index rows, columns;
    bool one_set, self;
  };
  // If rows or columns have more than kMostOrdered sequences, cells are tiles, at most kMostTiles on a side.
  static constexpr SequenceSet::Index kMostOrdered = 5'000, kMostTiles = 2'000;

  // Memory: four bytes for each pair of up to kMostOrdered sequences, or 16 bytes for each tile.
  HeatMap(PairValue value, const Shape& shape);

  // All stripes, in the order of their rows. Their bounds do not matter. Values count as float, which is what
  // the parts of a job keep.
  void add(const ValueStripe& stripe);
  // True: finish() wants the order of the sequences by distances().
  bool is_ordered() const { return shape_.one_set && !is_tiled(); }
  // A distance for each pair i > j, at i * (i - 1) / 2 + j: the lower, the more alike.
  std::vector<float> distances() const;
  // `order`: the sequence of each row and column, if is_ordered(); else empty.
  ReportMatrix finish(const std::vector<std::uint32_t>& order) const;

 private:
  struct Tile {
    float best;
    std::uint32_t pairs = 0;
    double sum = 0;
  };

  void add(SequenceSet::Index row, SequenceSet::Index column, float value);
  bool is_tiled() const { return group_ > 1 || column_group_ > 1; }
  std::size_t place(std::size_t row, std::size_t column) const;
  bool high_is_alike() const;
  // The values of the lowest and of the highest cell.
  struct Scale {
    double low, high;
    std::uint8_t cell(double value) const;
  };
  Scale scale() const;
  std::string bytes(const Scale& scale, const std::vector<std::uint32_t>& order, bool mean) const;

  const PairValue value_;
  const Shape shape_;
  const SequenceSet::Index group_, column_group_;  // sequences that share a row; a column
  const std::size_t rows_, columns_;               // of cells
  std::vector<float> values_;                      // of pairs, if a cell is a pair; NaN: not known
  std::vector<Tile> tiles_;                        // otherwise
  float lowest_, highest_;                         // of known values of different sequences
  ValueCounts counts_;
};

}  // namespace alnus::io
