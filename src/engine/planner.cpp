#include "engine/planner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/first_position.h"

namespace alnus::engine {
namespace {

// The columns of a tile lie in the lanes of vectors, up to 64 at a time, and a vector that is not full wastes
// lanes. So tiles have whole vectors of columns: kFewColumns or more. The height of bands is chosen so that
// tiles can have kManyColumns.
constexpr std::uint32_t kLanes = 64, kFewColumns = 4 * kLanes, kManyColumns = 16 * kLanes;
// With so many row residues in a tile, packing its columns into vectors costs little.
constexpr double kPackingRows = 1000;
// For a GPU the host prepares the rows anew for each tile, but the columns once for all. Tiles that share
// rows repeat this work, so a tile has more than kManyRows rows only if it may have all columns.
constexpr std::uint32_t kManyRows = 4096;

// The weight of a range of sequences measures its work: its residues plus its number of sequences.
class Weights {
 public:
  explicit Weights(const SortedSequences& sequences) : sequences_(sequences) {}
  std::uint32_t size() const { return sequences_.size(); }
  double of(PositionRange range) const {
    return static_cast<double>(before(range.end) - before(range.begin));
  }
  double all() const { return of(sequences_.all()); }
  // Returns the end of the shortest range from `begin` on that is large enough: enough(range) is true. The
  // range has 1 to `most` sequences and does not leave the set; if none is large enough, it is the longest of
  // these.
  template <class Enough>
  Position reach(Position begin, std::uint32_t most, Enough enough) const {
    const Position end = begin + std::min(most, sequences_.end() - begin);
    return first_position(PositionRange{begin + 1, end}, [&](Position last) {
      return enough(PositionRange{begin, last});
    });
  }
  // Does the same, where a range that weighs at least `weight` is large enough.
  Position reach(Position begin, double weight, std::uint32_t most) const {
    return reach(begin, most, [&](PositionRange range) { return of(range) >= weight; });
  }

 private:
  std::uint64_t before(Position position) const {
    return sequences_.residues_before(position) + position.value();
  }

  const SortedSequences& sequences_;
};

std::uint64_t count_cells(const Tile& tile) {
  std::uint64_t cells = 0;
  switch (tile.shape) {
    case TileShape::rectangle:
      return tile.rows->residues(tile.row_range) * tile.columns->residues(tile.column_range);
    case TileShape::staircase:
      for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
        cells += tile.rows->length(row) * tile.columns->residues(tile.columns_of(row));
      break;
    case TileShape::list:
      for (const PositionPair& pair : tile.pairs)
        cells += std::uint64_t{tile.rows->length(pair.row)} * tile.columns->length(pair.column);
  }
  return cells;
}

// Sizes of tiles, in cells (Factoring: Hummel, Schonberg, Flynn 1992). Tiles are made in rounds. A round has
// one tile for each slot, which together take the fraction PlanLimits::share of the remaining work; the
// limits clamp each size, but a tile takes what would be left if that is less than half of a shortest tile.
// Tiles of a round are equal, so that all slots come to the small tiles of the last rounds at about the same
// time.
class RoundSize {
 public:
  RoundSize(double all, const PlanLimits& limits)
      : left_(all),
        cells_left_(all),
        round_(all),
        slots_(limits.slots),
        share_(limits.share),
        least_(limits.shortest_seconds * limits.cells_per_second),
        most_(limits.longest_seconds * limits.cells_per_second) {}
  double next() {
    const double round_left = left_ - round_ * (1 - share_), tile = round_ * share_ / slots_;
    if (round_left < tile / 2) round_ = left_;
    const double size = std::clamp(slots_ == 1 ? left_ : round_ * share_ / slots_, least_, most_);
    return left_ - size < least_ / 2 ? std::max(left_, size) : size;  // no tile for a small rest
  }
  // Counts a tile of `cells` cells whose estimated work is `work`, in cells. Estimates of parts need not add
  // up to that of the whole, so that the remaining work is held within a factor of two of the remaining
  // cells.
  void took(double cells, double work) {
    cells_left_ -= cells;
    left_ = std::clamp(left_ - work, cells_left_ / 2, std::max(cells_left_ * 2, cells_left_ / 2));
  }
  double most() const { return most_; }
  // The least number of tiles that keeps all slots busy to the end.
  double tiles_wanted() const { return std::clamp(left_ / least_, 1.0, slots_ == 1 ? 1.0 : slots_ / share_); }

 private:
  double left_, cells_left_, round_;  // remaining work; remaining cells; work at the start of the round
  double slots_, share_, least_, most_;
};

// Columns are cut in multiples of the returned number: whole vectors, or fewer columns if some slots would be
// left without work.
std::uint32_t column_unit(const Weights& rows, const Weights& columns, const RoundSize& size, int slots) {
  const double most_tiles = rows.size() * std::ceil(columns.size() / double{kLanes});
  const double occupied = std::min(size.tiles_wanted(), static_cast<double>(slots));
  if (most_tiles >= occupied) return kLanes;
  return static_cast<std::uint32_t>(std::ceil(1.0 * columns.size() * rows.size() / occupied));
}

std::uint32_t round_up(std::uint64_t columns, std::uint32_t unit) {
  return static_cast<std::uint32_t>((columns + unit - 1) / unit * unit);
}

// Returns the most that a band of rows may weigh. All rows of a tile share the packing of its columns, so
// that a band is as high as a tile of kManyColumns columns may be, unless there would be too few bands for
// all slots.
double band_weight(const Weights& rows, const Weights& columns, const RoundSize& size) {
  const double cuts = std::max(1.0, std::floor(columns.size() / double{kLanes}));
  const double bands = std::ceil(size.tiles_wanted() / cuts);
  const double wide = std::min(columns.all(), columns.all() / columns.size() * kManyColumns);
  return std::max(1.0, std::min(rows.all() / bands, size.most() / wide));
}

// Returns the most that a band of a staircase may weigh. Devices may compute the whole rectangle around a
// band's part of the staircase; with 24 bands few of these cells are outside the staircase, and with 72 if
// rows have ends (PairMatrix::end_columns). But a band has at least the work of a shortest tile.
double step_weight(const PairMatrix& matrix, const Weights& rows, const Weights& columns,
                   const PlanLimits& limits) {
  const double bands = matrix.end_columns.empty() ? 24 : 72;
  return std::max(rows.all() / bands, limits.shortest_seconds * limits.cells_per_second / columns.all());
}

// Returns the end of the band that begins at row `begin`. The band weighs at least `heavy`, or less if its
// tiles would have too many pairs or more rows than they should (kManyRows), or if no rows are left.
Position end_of_band(Position begin, double heavy, const Weights& rows, const Weights& columns,
                     const RoundSize& size, std::uint64_t most_pairs) {
  const std::uint64_t most = std::clamp<std::uint64_t>(most_pairs / kManyColumns, 1, rows.size());
  const std::uint64_t most_rows =
      std::clamp<std::uint64_t>(most_pairs / columns.size(), std::min<std::uint64_t>(kManyRows, most), most);
  const double weight_with_all_columns = size.most() / columns.all();
  return rows.reach(begin, static_cast<std::uint32_t>(most_rows), [&](PositionRange range) {
    const double weight = rows.of(range);
    return weight >= heavy || (range.size() >= kManyRows && weight >= weight_with_all_columns);
  });
}

// Returns the tile of these rows and columns: the rectangle, or the part of it that belongs to the staircase.
Tile block_of(const PairMatrix& matrix, PositionRange row_range, PositionRange column_range) {
  Tile tile;
  tile.rows = matrix.rows;
  tile.columns = matrix.columns;
  tile.row_range = row_range;
  tile.column_range = column_range;
  if (matrix.shape == TileShape::staircase && row_range.size() > 0 &&
      column_range.begin < matrix.first_columns[row_range.end.value() - 1]) {
    tile.shape = TileShape::staircase;
    tile.first_columns = matrix.first_columns;
  }
  tile.cells = count_cells(tile);
  return tile;
}

// Returns a function that tells the time of a cell of a tile, relative to a cell of the whole pair matrix, by
// PlanLimits::seconds. The limits must outlive it.
auto slowness_in(PairMatrix matrix, const PlanLimits& limits) {
  const auto seconds_of_cell = [&limits](const Tile& tile) {
    return limits.seconds && tile.cells > 0 ? limits.seconds(tile) / static_cast<double>(tile.cells) : 0;
  };
  matrix.shape = TileShape::rectangle;  // most of its tiles are rectangles
  const double of_matrix = seconds_of_cell(block_of(matrix, matrix.rows->all(), matrix.columns->all()));
  return [=](const Tile& tile) { return of_matrix > 0 ? seconds_of_cell(tile) / of_matrix : 1; };
}

// Returns the end of the columns that are wanted of any of these rows.
Position end_of(const PairMatrix& matrix, PositionRange rows) {
  if (matrix.end_columns.empty()) return matrix.columns->end();
  return *std::ranges::max_element(matrix.end_columns.subspan(rows.begin.value(), rows.size()));
}

// Returns the weight of all wanted pairs of a staircase.
double weight_of(const PairMatrix& matrix) {
  const Weights rows(*matrix.rows), columns(*matrix.columns);
  double weight = 0;
  for (Position row = matrix.rows->begin(); row < matrix.rows->end(); ++row) {
    const Position first = matrix.first_columns[row.value()];
    weight += rows.of({row, row + 1}) * columns.of({first, std::max(first, end_of(matrix, {row, row + 1}))});
  }
  return weight;
}

// Cuts the pair matrix into bands of rows, and each band by columns. If a tile of the fewest columns allowed
// is still too large, it is cut by rows again.
std::vector<Tile> cut_bands(const PairMatrix& matrix, const PlanLimits& limits) {
  const Weights rows(*matrix.rows), columns(*matrix.columns);
  if (rows.size() == 0 || columns.size() == 0) return {};
  const bool staircase =
      matrix.shape == TileShape::staircase &&
      (matrix.first_columns.back() > matrix.columns->begin() || !matrix.end_columns.empty());
  RoundSize size(staircase ? weight_of(matrix) : rows.all() * columns.all(), limits);
  const auto slowness = slowness_in(matrix, limits);

  std::vector<Tile> tiles;
  const auto add = [&](PositionRange row_range, PositionRange column_range) {
    Tile tile = block_of(matrix, row_range, column_range);
    const double weight = tile.shape == TileShape::staircase ? static_cast<double>(tile.cells)
                                                             : rows.of(row_range) * columns.of(column_range);
    size.took(weight, weight * slowness(tile));
    if (count_pairs(tile) > 0) tiles.push_back(std::move(tile));
  };

  double heavy = band_weight(rows, columns, size);
  if (staircase) heavy = std::min(heavy, step_weight(matrix, rows, columns, limits));
  const std::uint32_t unit = column_unit(rows, columns, size, limits.slots);
  const auto fair_columns = static_cast<std::uint64_t>(columns.size() / size.tiles_wanted());
  const std::uint32_t fewest = round_up(std::clamp<std::uint64_t>(fair_columns, 1, kFewColumns), unit);
  for (PositionRange band; band.begin < matrix.rows->end(); band.begin = band.end) {
    band.end = end_of_band(band.begin, heavy, rows, columns, size, limits.most_pairs);
    const Position columns_end = end_of(matrix, band);
    const std::uint32_t most =
        round_up(std::min<std::uint64_t>(limits.most_pairs / band.size(), columns.size()), unit);
    for (PositionRange cut{staircase ? matrix.first_columns[band.begin.value()] : Position(0), {}};
         cut.begin < columns_end; cut.begin = cut.end) {
      const double wanted = size.next();
      const auto work = [&](PositionRange range) {
        return rows.of(band) * columns.of(range) * slowness(block_of(matrix, band, range));
      };
      const std::uint32_t reached = columns.reach(cut.begin, most, [&](PositionRange range) {
        return work(range) >= wanted;
      }) - cut.begin;
      const std::uint64_t end =
          cut.begin.value() + std::uint64_t{std::min(round_up(std::max(reached, fewest), unit), most)};
      const bool crumb_follows = columns_end.value() <= end + unit / 2;
      cut.end = crumb_follows ? columns_end : Position(static_cast<std::uint32_t>(end));

      const double parts = std::floor(work(cut) / wanted);
      const double part_weight = std::max(rows.of(band) / std::max(parts, 1.0), kPackingRows);
      for (PositionRange part{band.begin, {}}; part.begin < band.end; part.begin = part.end) {
        part.end = rows.reach(part.begin, part_weight, band.end - part.begin);
        add(part, cut);
      }
    }
  }
  return tiles;
}

std::vector<Tile> cut_list(const PairMatrix& matrix, const PlanLimits& limits) {
  const auto weight = [&](const PositionPair& pair) {
    return (1.0 + static_cast<double>(matrix.rows->length(pair.row))) *
           (1.0 + static_cast<double>(matrix.columns->length(pair.column)));
  };
  double all = 0;
  for (const PositionPair& pair : matrix.pairs) all += weight(pair);
  RoundSize size(all, limits);

  std::vector<Tile> tiles;
  for (auto pair = matrix.pairs.begin(); pair != matrix.pairs.end();) {
    Tile tile;
    tile.rows = matrix.rows;
    tile.columns = matrix.columns;
    tile.shape = TileShape::list;
    const double wanted = size.next();
    double taken = 0;
    for (; pair != matrix.pairs.end() && taken < wanted && tile.pairs.size() < limits.most_pairs; ++pair) {
      taken += weight(*pair);
      tile.pairs.push_back(*pair);
    }
    size.took(taken, taken);
    tile.cells = count_cells(tile);
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

void add_fitting(Tile tile, const PlanLimits& limits, std::vector<Tile>& tiles) {
  std::vector<Tile> halves;
  if (limits.fits && !limits.fits(tile)) halves = cut_in_two(tile);
  for (Tile& half : halves) add_fitting(std::move(half), limits, tiles);
  if (!halves.empty()) return;
  tile.ordinal = static_cast<std::uint32_t>(tiles.size());
  tiles.push_back(std::move(tile));
}

}  // namespace

std::vector<Tile> plan(const PairMatrix& matrix, const PlanLimits& limits) {
  std::vector<Tile> tiles;
  for (Tile& tile : matrix.shape == TileShape::list ? cut_list(matrix, limits) : cut_bands(matrix, limits))
    add_fitting(std::move(tile), limits, tiles);
  return tiles;
}

std::vector<Tile> cut_off(const Tile& tile, double share) {
  std::vector<Tile> parts(2, tile);
  if (tile.shape == TileShape::list) {
    const auto pairs = static_cast<double>(tile.pairs.size());
    const auto left = tile.pairs.begin() + static_cast<std::ptrdiff_t>(pairs * (1 - share));
    if (left == tile.pairs.begin() || left == tile.pairs.end()) return {};
    parts[0].pairs.assign(left, tile.pairs.end());
    parts[1].pairs.assign(tile.pairs.begin(), left);
  } else {
    const PositionRange columns = tile.column_range;
    const Weights weights(*tile.columns);
    // Columns at the end of a whole staircase have the most rows, so that fewer of them make up the share.
    const double of_columns = tile.shape == TileShape::staircase ? 1 - std::sqrt(1 - share) : share;
    const double left = weights.of(columns) * (1 - of_columns);
    const std::uint32_t reached = weights.reach(columns.begin, left, columns.size()) - columns.begin,
                        whole = columns.size() >= 2 * kLanes ? reached / kLanes * kLanes : reached;
    if (whole == 0 || whole >= columns.size()) return {};
    parts[0].column_range.begin = parts[1].column_range.end = columns.begin + whole;
  }
  for (Tile& part : parts) {
    part.cells = count_cells(part);
    if (count_pairs(part) == 0) return {};
  }
  return parts;
}

std::vector<Tile> cut_in_two(const Tile& tile) {
  std::vector<Tile> halves(2, tile);
  if (tile.shape == TileShape::list) {
    if (tile.pairs.size() < 2) return {};
    const auto middle = tile.pairs.begin() + static_cast<std::ptrdiff_t>(tile.pairs.size() / 2);
    halves[0].pairs.assign(tile.pairs.begin(), middle);
    halves[1].pairs.assign(middle, tile.pairs.end());
  } else {
    const bool by_columns = tile.column_range.size() >= tile.row_range.size();
    PositionRange Tile::*const range = by_columns ? &Tile::column_range : &Tile::row_range;
    if ((tile.*range).size() < 2) return {};
    const Position middle = (tile.*range).begin + (tile.*range).size() / 2;
    (halves[0].*range).end = (halves[1].*range).begin = middle;
  }
  std::erase_if(halves, [](const Tile& half) { return count_pairs(half) == 0; });
  for (Tile& half : halves) half.cells = count_cells(half);
  return halves;
}

std::uint64_t count_pairs(const Tile& tile) {
  if (tile.shape == TileShape::list) return tile.pairs.size();
  if (tile.shape == TileShape::rectangle)
    return std::uint64_t{tile.row_range.size()} * tile.column_range.size();
  std::uint64_t pairs = 0;
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
    pairs += tile.columns_of(row).size();
  return pairs;
}

}  // namespace alnus::engine
